"""Python code that an agent writes, normalised for comparison.

A program with other comments, names, layout or counters is the same program. Arguments of calls are content, and stay.
"""

import ast
from functools import lru_cache
from warnings import catch_warnings, simplefilter

LONGEST_CODE = 20_000
"""Maximum length of a program that is parsed; longer ones are compared unchanged."""
_PLAIN = frozenset((
    "abs", "all", "any", "bool", "dict", "enumerate", "filter", "final_answer", "float", "format", "int", "isinstance",
    "len", "list", "map", "max", "min", "print", "range", "repr", "reversed", "round", "set", "sorted", "str", "sum",
    "tuple", "type", "zip",
))  # fmt: skip
"""Functions without side effects."""


@lru_cache(maxsize=64)
def without_accidents(code: str) -> str:
    """The program without comments and unused constants, its own names numbered; unchanged if it is not Python."""
    tree = _parsed(code)
    if tree is None:
        return code
    try:
        nodes = _nodes(tree)
        if not any(type(node) is ast.Call for node in nodes):
            return code  # a program of assignments alone sets up what a later one uses
        names = [node for node in nodes if type(node) is ast.Name]
        unused = _unused(nodes, {name.id for name in names if type(name.ctx) is ast.Load})
        _leave_out(unused, nodes if unused else [])
        _number_names([name for name in names if name not in unused])
        return ast.unparse(tree)
    except (RecursionError, ValueError, AttributeError):
        return code


def only_uses(code: str, tools: frozenset[str]) -> bool:
    """Whether a program does nothing but call these tools and work with what they return."""
    tree = _parsed(code)
    if tree is None:
        return False
    for node in _nodes(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            return False
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id not in tools | _PLAIN:
            return False
    return True


def _parsed(code: str) -> ast.Module | None:
    if len(code) > LONGEST_CODE:
        return None
    try:
        with catch_warnings():
            simplefilter("ignore")  # no warnings about "\\d" in the agent's program
            return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _nodes(tree: ast.AST) -> list[ast.AST]:
    """The nodes in the order of `ast.walk`, which takes three times as long."""
    found = [tree]
    for node in found:
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, ast.AST):
                found.append(value)
            elif type(value) is list:
                found += [item for item in value if isinstance(item, ast.AST)]
    return found


def _unused(nodes: list[ast.AST], loaded: set[str]) -> set[ast.AST]:
    """Strings that stand alone, and constants under names that nothing reads (counters, notes), with these names."""
    found: set[ast.AST] = set()
    for node in nodes:
        if isinstance(node, (ast.Expr, ast.Assign, ast.AugAssign)) and isinstance(node.value, ast.Constant):
            targets = [node.target] if isinstance(node, ast.AugAssign) else getattr(node, "targets", [])
            if all(isinstance(target, ast.Name) and target.id not in loaded for target in targets):
                found.update((node, *targets))
    return found


def _leave_out(unused: set[ast.AST], nodes: list[ast.AST]) -> None:
    for block in (getattr(node, name, None) for node in nodes for name in ("body", "orelse", "finalbody")):
        if type(block) is list:
            block[:] = [statement for statement in block if statement not in unused]


def _number_names(names: list[ast.Name]) -> None:
    """Replace the names that a program defines by numbers, in the order in which they occur."""
    stored = dict.fromkeys(name.id for name in names if type(name.ctx) is ast.Store)
    numbers = {name: f"name{number}" for number, name in enumerate(stored)}
    for name in names:
        name.id = numbers.get(name.id, name.id)
