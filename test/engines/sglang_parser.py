"""SGLang's own parser, out of its wheel unpacked in argv[1], without torch."""

import argparse
import ast
import json
import re
import sys
import typing

import judge
import stand_in

FOLDER = sys.argv[1]
SRT = f"{FOLDER}/sglang/srt"
stand_in.install(
    FOLDER,
    ("torch", "triton", "transformers", "psutil", "aiohttp", "zmq", "pybase64", "numpy", "PIL", "requests"),
    "sglang",
    (
        "sglang.srt.server_args",
        "sglang.srt.arg_groups",
        "sglang.srt.environ",
        "sglang.srt.model_executor.cuda_graph_config",
        "sglang.srt.utils.network",
    ),
    ("sglang", "sglang.srt", "sglang.srt.model_executor", "sglang.srt.utils"),
)

import sglang.srt.server_args as server_args  # noqa: E402


def tree(file):
    with open(f"{SRT}/{file}", encoding="utf-8") as source:
        return ast.parse(source.read())


def take(file, *names):
    """Definitions that the parser calls, from a module that cannot be imported without torch."""
    scope = {**vars(typing), "json": json, "argparse": argparse, "re": re}
    for item in tree(file).body:
        name = getattr(item, "name", None) or (isinstance(item, ast.Assign) and getattr(item.targets[0], "id", None))
        if name in names:
            exec(compile(ast.Module([item], []), file, "exec"), scope)
            setattr(server_args, name, scope[name])


def keys(file, name):
    for item in ast.walk(tree(file)):
        if not isinstance(item, (ast.Assign, ast.AnnAssign)) or not isinstance(item.value, ast.Dict):
            continue
        target = item.targets[0] if isinstance(item, ast.Assign) else item.target
        if getattr(target, "id", None) == name:
            return {key.value: None for key in item.value.keys}
    raise LookupError(name)


take(
    "utils/common.py",
    "SUPPORTED_LORA_TARGET_MODULES",
    "LORA_TARGET_ALL_MODULES",
    "human_readable_int",
    "json_list_type",
    "nullable_str",
)
server_args.ReasoningParser.DetectorMap = keys("parser/reasoning_parser.py", "DetectorMap")
server_args.FunctionCallParser.ToolCallParserEnum = keys("function_call/function_call_parser.py", "ToolCallParserEnum")
server_args.RealKvHashMode = []

parser = argparse.ArgumentParser(prog="launch_server.py")
server_args.ServerArgs.add_cli_args(parser)

if __name__ == "__main__":
    # argv starts with `python3 -m sglang.launch_server`.
    judge.run(judge.spellings(parser), lambda argv: parser.parse_args(argv[3:]))
