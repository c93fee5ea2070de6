"""Finds in source code what changes a session or one of its parts.

A name belongs to a session if it is called `session`, if its annotation names a part, or if it is taken from such a name.
"""

import ast
import inspect
import re

from headway.core import files, ledger, parts, repeats, session, testing
from headway.rolling import bounded

HOMES = (session, parts, ledger, files, repeats, testing, bounded)
"""The modules of the structs that a session consists of."""
PARTS = {
    name
    for home in HOMES
    for name, part in vars(home).items()
    if inspect.isclass(part) and part.__module__ == home.__name__ and hasattr(part, "__struct_fields__")
} | {kind.__name__ for kind in session.Session.__subclasses__()}
METHODS = frozenset("append extend insert remove clear pop popitem update setdefault add discard sort reverse".split())
"""Methods of lists, dicts and sets that change them."""
FUNCTIONS = frozenset(("push", "put", "count", "setattr", "delattr", "__setattr__", "force_setattr"))
"""Functions that change what they are given first."""


def changes_in(source, methods=METHODS):
    """The lines at which a source changes a session, each with the code."""
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, kinds)]
    found = {
        (node.lineno, ast.unparse(node))
        for function in functions
        for owned in [_owned(function)]
        for node in ast.walk(function)
        if _is_change(node, owned, methods)
    }
    return sorted(found)


def changing_methods():
    """The methods of the parts that change their part, also by calling each other."""
    bodies = [
        (node, _owned(node, "self"))
        for home in HOMES
        for part in ast.walk(ast.parse(inspect.getsource(home)))
        if isinstance(part, ast.ClassDef) and part.name in PARTS
        for node in part.body
        if isinstance(node, ast.FunctionDef)
    ]
    found, before = METHODS, None
    while found != before:
        before = found
        found |= {one.name for one, owned in bodies if any(_is_change(node, owned, found) for node in ast.walk(one))}
    return found - {"apply"}


def _begins_at(node, owned):
    """Whether an expression is a session, or is reached from one."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        if isinstance(node, ast.Attribute) and node.attr == "session":
            return True
        node = node.func if isinstance(node, ast.Call) else node.value
    return isinstance(node, ast.Name) and node.id in owned


def _owned(function, *more):
    """The names in a function that belong to a session."""
    owned = {"session", *more}
    for word in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs):
        if word.annotation and PARTS & set(re.findall(r"\w+", ast.unparse(word.annotation))):
            owned.add(word.arg)
    before = None
    while before != owned:
        before = set(owned)
        for target, value in (pair for node in ast.walk(function) for pair in _taken(node)):
            if _begins_at(value, owned):
                named = (one for one in ast.walk(target) if isinstance(one, ast.Name))
                owned |= {one.id for one in named if isinstance(one.ctx, ast.Store)}
    return owned


def _taken(node):
    """Pairs of (target, value) for everything that a node gives a name to."""
    if isinstance(node, ast.For | ast.comprehension):
        return [(node.target, node.iter)]
    if isinstance(node, ast.Assign):
        target, value = node.targets[0], node.value
        is_several = isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
        return list(zip(target.elts, value.elts, strict=False)) if is_several else [(target, value)]
    return [(node.target, node.value)] if isinstance(node, ast.NamedExpr) else []


def _is_change(node, owned, methods):
    if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
        return _begins_at(node.value, owned)
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Attribute) and node.func.attr in methods and _begins_at(node.func.value, owned):
        return True
    name = ast.unparse(node.func).rpartition(".")[2]
    return name in FUNCTIONS and bool(node.args) and _begins_at(node.args[0], owned)
