# /// script
# requires-python = ">=3.10,<3.13"
# dependencies = [
#   "llmcompressor==0.14.0.1",
#   "datasets==5.2.0",
# ]
# ///
# safetensors:awq-int4 of Llama-3.1-8B for Made here (dep), written by Inferloom from plan cc6bfd549c60
# llm-compressor to awq-int4, asked for by node small; llmcompressor 0.14.0.1, examples of vllm-project/llm-compressor @ab1ba3ef
# Evidence: what the weights lose is not measured by this job; compare both plans on a worker.
import os
import pathlib
import shutil

from datasets import load_dataset
from datasets import Dataset
from llmcompressor import oneshot
from llmcompressor.modifiers.quantization import QuantizationModifier
from llmcompressor.modifiers.transform.awq import AWQModifier
from transformers import AutoModelForCausalLM, AutoTokenizer

MODEL = "meta-llama/Llama-3.1-8B-Instruct"
REVISION = None
OUT = pathlib.Path("weights/6f656f268919bb7e")
LINK = pathlib.Path("Llama-3.1-8B-awq-int4-f004b97b")
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
    model = AutoModelForCausalLM.from_pretrained(MODEL, revision=REVISION, dtype="auto")
    tokenizer = AutoTokenizer.from_pretrained(MODEL, revision=REVISION)
    texts = Dataset.from_dict({"text": prompts()})
    data = texts.map(
        lambda row: tokenizer(row["text"], max_length=MAX_TOKENS, truncation=True, add_special_tokens=False),
        remove_columns=["text"],
    )
    recipe = [
        AWQModifier(duo_scaling="both"),
        QuantizationModifier(
            config_groups={
                "group_0": {
                    "targets": ["Linear"],
                    "weights": {
                        "num_bits": 4, "type": "int", "symmetric": False,
                        "strategy": "group", "group_size": 128,
                    },
                }
            },
            ignore=["lm_head"],
        ),
    ]
    oneshot(model=model, dataset=data, recipe=recipe, max_seq_length=MAX_TOKENS, num_calibration_samples=CALIBRATION_SAMPLES)
    model.save_pretrained(PART, save_compressed=True)
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
