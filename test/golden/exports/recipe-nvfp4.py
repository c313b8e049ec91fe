# /// script
# requires-python = ">=3.10,<3.13"
# dependencies = [
#   "nvidia-modelopt[hf]==0.47.0",
#   "datasets==5.2.0",
#   "accelerate==1.15.0",
# ]
# ///
# safetensors:nvfp4 of Llama-3.1-8B for Made here (dep), written by Inferloom from plan 137a5d22dff6
# modelopt to nvfp4, asked for by node small; nvidia-modelopt 0.47.0
# Evidence: what the weights lose is not measured by this job; compare both plans on a worker.
import os
import pathlib
import shutil

from datasets import load_dataset
import torch
import modelopt.torch.quantization as mtq
from modelopt.torch.export import export_hf_checkpoint
from transformers import AutoModelForCausalLM, AutoTokenizer

MODEL = "meta-llama/Llama-3.1-8B-Instruct"
REVISION = None
OUT = pathlib.Path("weights/00bf490c7e5eacd7")
LINK = pathlib.Path("Llama-3.1-8B-nvfp4-17520095")
CALIBRATION_SET = "HuggingFaceH4/ultrachat_200k"
CALIBRATION_SPLIT = "train_sft"
CALIBRATION_SAMPLES = 512
MAX_TOKENS = 512
PART = OUT.with_name(OUT.name + ".part")

def prompts():
    """Calibration texts: the first of the set, in its own order, so that a second run sees the same."""
    rows = load_dataset(CALIBRATION_SET, split=f"{CALIBRATION_SPLIT}[:{CALIBRATION_SAMPLES}]")
    return [row["text"] if "text" in row else "\n".join(m["content"] for m in row["messages"]) for row in rows]


def make():
    tokenizer = AutoTokenizer.from_pretrained(MODEL, revision=REVISION)
    model = AutoModelForCausalLM.from_pretrained(MODEL, revision=REVISION, dtype="auto", device_map="auto")

    def forward_loop(model):
        for text in prompts():
            batch = tokenizer(text, return_tensors="pt", truncation=True, max_length=MAX_TOKENS)
            model(**batch.to(model.device))

    with torch.inference_mode():
        model = mtq.quantize(model, mtq.NVFP4_DEFAULT_CFG, forward_loop)
        export_hf_checkpoint(model, export_dir=PART)
    tokenizer.save_pretrained(PART)


if not OUT.exists():
    shutil.rmtree(PART, ignore_errors=True)
    PART.mkdir(parents=True)
    make()
    os.replace(PART, OUT)
LINK.parent.mkdir(parents=True, exist_ok=True)
if LINK.is_symlink():
    LINK.unlink()
LINK.symlink_to(OUT.resolve(), target_is_directory=True)
