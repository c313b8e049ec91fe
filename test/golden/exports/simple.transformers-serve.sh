#!/usr/bin/env bash
# transformers plan (dep), written by Inferloom from plan 6b7dd850c018
# Engine: transformers 5.17.0; hardware: H100-SXM × 1
# Evidence: not measured on this engine and device; estimate: none yet
# Settings that no argument tells in full: {"contextTokensPerSequence":256}
set -euo pipefail

args=(
  meta-llama/Llama-3.1-8B-Instruct # weightsFormat, node model; contextTokensPerSequence, needed by the workload: safetensors:bfloat16
  --continuous-batching            # weightsFormat, node model; contextTokensPerSequence, needed by the workload: or requests are served one by one
  --host 127.0.0.1                 # this machine only; 0.0.0.0 opens it to the network
  --port 8000                      # the usual port
)
exec transformers serve "${args[@]}"
