"""LMDeploy's own parser, out of its wheel unpacked in argv[1], without torch."""

import enum
import sys

import judge
import stand_in

stand_in.install(
    sys.argv[1], ("torch", "transformers", "yaml", "mmengine_lite"), "lmdeploy", ("lmdeploy.cli",), ("lmdeploy",)
)

import lmdeploy.messages as messages  # noqa: E402
import lmdeploy.serve.parsers.reasoning_parser as reasoning  # noqa: E402


class QuantPolicy(enum.IntEnum):
    """As in lmdeploy/messages.py, which cannot be imported without torch."""

    NONE = 0
    INT4 = 4
    INT8 = 8
    FP8 = 16
    FP8_E5M2 = 17
    TURBO_QUANT = 42


messages.QuantPolicy = QuantPolicy
reasoning.LEGACY_REASONING_PARSER_NAMES = []

from lmdeploy.cli.cli import CLI  # noqa: E402
from lmdeploy.cli.serve import SubCliServe  # noqa: E402

SubCliServe.add_parser_api_server()
# argv starts with `lmdeploy`.
api_server = SubCliServe.subparsers.choices["api_server"]
judge.run(judge.spellings(api_server), lambda argv: CLI.parser.parse_args(argv[1:]))
