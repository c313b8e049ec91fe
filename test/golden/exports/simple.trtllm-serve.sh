#!/usr/bin/env bash
# tensorrt-llm plan (dep), written by Inferloom from plan f2a810b5a30f
# Engine: tensorrt-llm 1.2.1; hardware: H100-SXM × 1
# Evidence: not measured on this engine and device; estimate: none yet
set -euo pipefail

args=(
  meta-llama/Llama-3.1-8B-Instruct # weightsFormat, node model: safetensors:bfloat16
  --backend pytorch                # see above
  --max_seq_len 256                # contextTokensPerSequence, needed by the workload: prompt and output of one sequence; the cache is sized from the memory left
  --max_batch_size 32              # maxSequences, node many
  --host 127.0.0.1                 # this machine only; 0.0.0.0 opens it to the network
  --port 8000                      # the usual port
)
exec trtllm-serve "${args[@]}"
