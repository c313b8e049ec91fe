#!/usr/bin/env bash
# onnxruntime-genai plan (dep), written by Inferloom from plan 42c216899b27
# Engine: onnxruntime-genai 0.15.2; hardware: RTX-4090 × 1
# Evidence: not measured on this engine and device; estimate: none yet
# The options of genai_config.overlay.json are laid over the written file: og.Config(folder).overlay(text)
# search.max_length: contextTokensPerSequence, needed by the workload: prompt and output of one sequence
# engine.dynamic_batching.max_batch_size: maxSequences, node many
set -euo pipefail

args=(
  --model_name meta-llama/Llama-3.1-8B-Instruct # weightsFormat, node model: safetensors:bfloat16
  --output /models/onnx                         # weightsFormat, node model: the folder that og.Model opens
  --precision bf16                              # see above
  --execution_provider cuda                     # see above
)
exec python3 -m onnxruntime_genai.models.builder "${args[@]}"
