"""The parser of `transformers serve`, out of its wheel unpacked in argv[1], without torch."""

import inspect
import sys

import judge
import stand_in

finder = stand_in.install(
    sys.argv[1],
    ("torch", "fastapi", "uvicorn", "openai", "huggingface_hub", "tokenizers", "safetensors", "numpy", "regex"),
    "transformers",
    ("transformers.cli.serve",),
    ("transformers", "transformers.cli"),
)
serve = stand_in.import_standing_in(finder, "transformers.cli.serve")

import typer  # noqa: E402


def command(*args, **kwargs):
    """Has the arguments of Serve and starts nothing."""


signature = inspect.signature(serve.Serve.__init__)
options = [option for name, option in signature.parameters.items() if name != "self"]
command.__signature__ = signature.replace(parameters=options)
command.__annotations__ = {option.name: option.annotation for option in options}
app = typer.Typer()
app.command("serve")(command)
program = typer.main.get_command(app)

spellings = [
    {
        "names": [*option.opts, *option.secondary_opts],
        "choices": [getattr(c, "value", c) for c in getattr(getattr(option, "type_descriptor", None), "choices", None) or []] or None,
        "nargs": 0 if option.is_flag else None,
    }
    for option in program.params
    if option.param_type_name == "option"
]

# argv starts with `transformers serve`.
judge.run(spellings, lambda argv: program.make_context("serve", argv[2:]))
