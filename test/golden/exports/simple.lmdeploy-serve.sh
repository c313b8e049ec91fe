#!/usr/bin/env bash
# lmdeploy plan (dep), written by Inferloom from plan 96dddbf6b38a
# Engine: turbomind 0.16.0; hardware: H100-SXM × 1
# Evidence: not measured on this engine and device; estimate: none yet
set -euo pipefail

args=(
  meta-llama/Llama-3.1-8B-Instruct # weightsFormat, node model: safetensors:bfloat16
  --backend turbomind              # weightsFormat, node model: falls to pytorch for a model that it does not know
  --session-len 256                # contextTokensPerSequence, needed by the workload: of one sequence
  --max-batch-size 32              # maxSequences, node many
  --server-name 127.0.0.1          # this machine only; 0.0.0.0 opens it to the network
  --server-port 23333              # the usual port
)
exec lmdeploy serve api_server "${args[@]}"
