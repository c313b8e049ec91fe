"""vLLM's own parser, out of its CPU wheel unpacked in argv[1], without torch."""

import sys
import warnings

import judge
import stand_in

warnings.filterwarnings("ignore")
finder = stand_in.install(
    sys.argv[1],
    ("torch", "triton", "torchvision", "torchaudio"),
    "vllm",
    (
        "vllm.config",
        "vllm.engine",
        "vllm.env_override",
        "vllm.envs",
        "vllm.entrypoints.openai.cli_args",
        "vllm.entrypoints.constants",
        "vllm.exceptions",
        "vllm.connections",
        "vllm.logger",
        "vllm.logging_utils",
        "vllm.model_executor.layers.quantization.utils.quant_utils",
        "vllm.platforms",
        "vllm.plugins",
        "vllm.ray",
        "vllm.sampling_params",
        "vllm.transformers_utils",
        "vllm.utils",
        "vllm.v1.attention.backends.mla.prefill.registry",
        "vllm.v1.attention.backends.registry",
        "vllm.version",
    ),
    (
        "vllm",
        "vllm.entrypoints",
        "vllm.entrypoints.openai",
        "vllm.model_executor",
        "vllm.model_executor.layers",
        "vllm.model_executor.layers.quantization",
        "vllm.model_executor.layers.quantization.utils",
        "vllm.v1",
        "vllm.v1.attention",
        "vllm.v1.attention.backends",
        "vllm.v1.attention.backends.mla",
        "vllm.v1.attention.backends.mla.prefill",
    ),
)
stand_in.import_standing_in(finder, "vllm.engine.arg_utils")
cli_args = stand_in.import_standing_in(finder, "vllm.entrypoints.openai.cli_args")
cli_args.ToolParserManager = type(
    "Parsers", (), {"list_registered": staticmethod(lambda: []), "import_tool_parser": staticmethod(lambda path: None)}
)

from vllm.utils.argparse_utils import FlexibleArgumentParser  # noqa: E402

parser = cli_args.make_arg_parser(FlexibleArgumentParser(prog="vllm serve"))
# argv starts with `vllm serve`.
judge.run(judge.spellings(parser), lambda argv: parser.parse_args(argv[2:]))
