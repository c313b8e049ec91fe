# /// script
# requires-python = ">=3.10,<3.13"
# dependencies = [
#   "gptqmodel==7.3.4",
#   "datasets==5.2.0",
# ]
# ///
# safetensors:gptq-int4 of Llama-3.1-8B for Made here (dep), written by Inferloom from plan 7f141a8c3f04
# gptqmodel to gptq-int4, asked for by node small; ModelCloud/GPTQModel @f4c327a1 (7.3.4), README.md
# Evidence: what the weights lose is not measured by this job; compare both plans on a worker.
import os
import pathlib
import shutil

from datasets import load_dataset
from gptqmodel import GPTQModel
from gptqmodel.quantization import GPTQConfig

MODEL = "meta-llama/Llama-3.1-8B-Instruct"
REVISION = None
OUT = pathlib.Path("weights/ad928597df361b2d")
LINK = pathlib.Path("Llama-3.1-8B-gptq-int4-046e37bd")
CALIBRATION_SET = "HuggingFaceH4/ultrachat_200k"
CALIBRATION_SPLIT = "train_sft"
CALIBRATION_SAMPLES = 512
MAX_TOKENS = 2048
PART = OUT.with_name(OUT.name + ".part")

def prompts():
    """Calibration texts: the first of the set, in its own order, so that a second run sees the same."""
    rows = load_dataset(CALIBRATION_SET, split=f"{CALIBRATION_SPLIT}[:{CALIBRATION_SAMPLES}]")
    return [row["text"] if "text" in row else "\n".join(m["content"] for m in row["messages"]) for row in rows]


def make():
    config = GPTQConfig(bits=4, group_size=128)
    model = GPTQModel.load(MODEL, config, revision=REVISION)
    model.quantize(prompts(), batch_size=1)
    model.save(str(PART))


if not OUT.exists():
    shutil.rmtree(PART, ignore_errors=True)
    PART.mkdir(parents=True)
    make()
    os.replace(PART, OUT)
LINK.parent.mkdir(parents=True, exist_ok=True)
if LINK.is_symlink():
    LINK.unlink()
LINK.symlink_to(OUT.resolve(), target_is_directory=True)
