"""Translates the rule texts of data/*.json ("if", "then") into trees ("ifTree", "thenTree"), in place.

Run it after a text was changed: python3 server/core/rules/constraints/translate.py
The engine facts write rules in a small part of Python's expression syntax. Python's own parser reads them here, once, so
that no parser of ours exists and none runs in the product; anything outside the listed node types stops the run.
"""

import ast
import json
import pathlib

BINARY = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%"}
COMPARE = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.In: "in", ast.NotIn: "not in", ast.Is: "is", ast.IsNot: "is not",
}
FUNCTIONS = {"len", "min", "max", "abs", "norm_dtype", "startswith", "ver_ge", "is_pow2", "overlaps"}


def tree(node):
    match node:
        case ast.Constant(value=None | bool() | int() | float() | str()):
            return ["literal", node.value]
        case ast.Name(id="ver"):
            return ["version"]
        case ast.Attribute(value=ast.Name(id=namespace), attr=field):
            return ["variable", namespace, field]
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return ["list", *map(tree, parts)]
        case ast.BoolOp(op=op, values=parts):
            return ["and" if isinstance(op, ast.And) else "or", *map(tree, parts)]
        case ast.UnaryOp(op=ast.Not(), operand=part):
            return ["not", tree(part)]
        case ast.UnaryOp(op=ast.USub(), operand=part):
            return ["negative", tree(part)]
        case ast.BinOp(op=op, left=left, right=right):
            return ["binary", BINARY[type(op)], tree(left), tree(right)]
        case ast.IfExp(test=test, body=body, orelse=other):
            return ["if", tree(test), tree(body), tree(other)]
        case ast.Compare(left=left, ops=ops, comparators=parts):
            return ["compare", tree(left), *([COMPARE[type(op)], tree(part)] for op, part in zip(ops, parts))]
        case ast.Call(func=ast.Name(id=name), args=parts, keywords=[]) if name in FUNCTIONS:
            return ["call", name, *map(tree, parts)]
    raise SyntaxError(ast.dump(node))


def translate(text):
    return tree(ast.parse(text, mode="eval").body)


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def write(path, table):
    rows = ",\n".join("    " + compact(row) for row in table["constraints"])
    head = ",\n".join(f'  "{key}": {compact(value)}' for key, value in table.items() if key != "constraints")
    path.write_text(f'{{\n{head},\n  "constraints": [\n{rows}\n  ]\n}}\n')


if __name__ == "__main__":
    for path in sorted((pathlib.Path(__file__).parent / "data").glob("*.json")):
        table = json.loads(path.read_text())
        for row in table["constraints"]:
            row["ifTree"], row["thenTree"] = translate(row["if"]), translate(row["then"])
        write(path, table)
