#!/usr/bin/env bash
# sglang plan (dep), written by Inferloom from plan e7a90114a464
# Engine: sglang 0.5.18; hardware: H100-SXM × 1
# Evidence: not measured on this engine and device; estimate: none yet
set -euo pipefail

args=(
  --model-path meta-llama/Llama-3.1-8B-Instruct # weightsFormat, node model: safetensors:bfloat16
  --context-length 256                          # contextTokensPerSequence, needed by the workload: of one sequence; the pool is sized from the memory left
  --max-running-requests 32                     # maxSequences, node many
  --host 127.0.0.1                              # this machine only; 0.0.0.0 opens it to the network
  --port 30000                                  # the usual port
  --enable-metrics                              # counters at /metrics
)
exec python3 -m sglang.launch_server "${args[@]}"
