"""SGLang's own checks of arguments that it has parsed: speculation, adapters, scheduling, parallelism; a GPU is assumed."""

import logging

import judge
from sglang_parser import parser, server_args

from sglang.srt.arg_groups import speculative_hook as hook  # noqa: E402

logging.disable(logging.WARNING)
ServerArgs = server_args.ServerArgs
# The rest of its start asks the machine for GPUs and the Hub for a config.
ServerArgs.__post_init__ = lambda self: None


class ModelConfig:
    class hf_config:
        architectures = ["LlamaForCausalLM"]


class LoRARef:
    def __init__(self, **fields):
        self.__dict__.update(fields)

    @staticmethod
    def deterministic_id(name, path):
        return name


ServerArgs.get_model_config = lambda self: ModelConfig
server_args.LoRARef = LoRARef
server_args.is_runai_obj_uri = lambda uri: False
server_args.is_npu = lambda: False

HANDLERS = {"NGRAM": hook._handle_ngram, "DFLASH": hook._handle_dflash}
# What the engine fills in on a GPU before it checks.
FILLED = {"page_size": 1, "chunked_prefill_size": 8192, "served_model_name": "model"}


def check(argv):
    args = ServerArgs.from_cli_args(parser.parse_args(argv[3:]))
    args.device = "cuda"
    for name, value in FILLED.items():
        if getattr(args, name) is None:
            setattr(args, name, value)
    if args.pp_size > 1:
        args.disable_overlap_schedule = True
    if args.speculative_algorithm is not None:
        HANDLERS.get(args.speculative_algorithm, hook._handle_eagle_family)(args)
    args.check_server_args()


judge.run([], check)
