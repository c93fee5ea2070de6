"""Python that an agent writes, compared without what an agent changes and nothing depends on.

A changed comment, name, layout or counter makes no other program. What is passed to a call is content, and stays.
"""

import ast
from functools import lru_cache
from warnings import catch_warnings, simplefilter

LONGEST_CODE = 20_000
"""Characters of a program that is taken apart; longer ones are compared as they are."""
_PLAIN = frozenset((
    "abs", "all", "any", "bool", "dict", "enumerate", "filter", "final_answer", "float", "format", "int", "isinstance",
    "len", "list", "map", "max", "min", "print", "range", "repr", "reversed", "round", "set", "sorted", "str", "sum",
    "tuple", "type", "zip",
))  # fmt: skip
"""Functions that change nothing."""


@lru_cache(maxsize=64)
def without_accidents(code: str) -> str:
    """The program without comments and unused constants, its own names numbered; as it is where it is no Python."""
    tree = _parsed(code)
    if tree is None:
        return code
    try:
        loaded = {node.id for node in ast.walk(tree) if type(node) is ast.Name and type(node.ctx) is ast.Load}
        nodes = list(ast.walk(_WithoutUnused(loaded).visit(tree)))
        if not any(type(node) is ast.Call for node in nodes):
            return code  # a program of assignments alone sets up what a later one uses
        _number_names([node for node in nodes if type(node) is ast.Name])
        return ast.unparse(tree)
    except (RecursionError, ValueError, AttributeError):
        return code


def only_uses(code: str, tools: frozenset[str]) -> bool:
    """Whether a program does nothing but call these tools and work with what they return."""
    tree = _parsed(code)
    if tree is None:
        return False
    for node in ast.walk(tree):
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
            simplefilter("ignore")  # "\\d" in a program is its author's business
            return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


class _WithoutUnused(ast.NodeTransformer):
    """Leaves out texts that stand alone, and constants under names that nothing reads: counters, notes."""

    def __init__(self, loaded: set[str]) -> None:
        self._loaded = loaded

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        return None if isinstance(node.value, ast.Constant) else self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> ast.AST | None:
        unread = all(isinstance(target, ast.Name) and target.id not in self._loaded for target in node.targets)
        return None if unread and isinstance(node.value, ast.Constant) else self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST | None:
        unread = isinstance(node.target, ast.Name) and node.target.id not in self._loaded
        return None if unread and isinstance(node.value, ast.Constant) else self.generic_visit(node)


def _number_names(names: list[ast.Name]) -> None:
    """Give the names that a program makes itself numbers, in the order in which they come."""
    stored = dict.fromkeys(name.id for name in names if type(name.ctx) is ast.Store)
    numbers = {name: f"name{number}" for number, name in enumerate(stored)}
    for name in names:
        name.id = numbers.get(name.id, name.id)
