"""Runs an argument parser over lines of JSON, one argv each; answers a line of JSON for each: null, or what it said."""

import contextlib
import io
import json
import sys


def judge(parse):
    for line in sys.stdin:
        said = io.StringIO()
        fault = None
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
            try:
                parse(json.loads(line))
            except SystemExit:
                fault = said.getvalue().strip().split("\n")[-1]
            except Exception as error:  # what a parser raises is its answer
                fault = f"{type(error).__name__}: {getattr(error, 'message', error)}"
        print(json.dumps(fault), flush=True)


def spellings(parser):
    """The options of a parser: spellings, choices, and how many words each takes."""
    return [
        {
            "names": action.option_strings,
            "choices": [str(choice) for choice in action.choices] if action.choices else None,
            "nargs": action.nargs,
        }
        for action in parser._actions
        if action.option_strings
    ]


def run(options, parse):
    if "--spellings" in sys.argv:
        print(json.dumps(options))
    else:
        judge(parse)
