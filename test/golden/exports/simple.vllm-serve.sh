#!/usr/bin/env bash
# vllm plan (dep), written by Inferloom from plan 046a0200e993
# Engine: vllm 0.28.0; hardware: H100-SXM × 1
# Evidence: not measured on this engine and device; estimate: none yet
set -euo pipefail

args=(
  meta-llama/Llama-3.1-8B-Instruct # weightsFormat, node model: safetensors:bfloat16
  --max-model-len 256              # contextTokensPerSequence, needed by the workload: of one sequence; the cache is sized from the memory left
  --max-num-seqs 32                # maxSequences, node many
  --host 127.0.0.1                 # this machine only; vLLM listens everywhere without it
  --port 8000                      # the usual port
)
exec vllm serve "${args[@]}"
