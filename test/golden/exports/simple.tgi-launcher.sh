#!/usr/bin/env bash
# tgi plan (dep), written by Inferloom from plan 2375b70b4d53
# Engine: tgi 3.3.7; hardware: H100-SXM × 1
# Evidence: not measured on this engine and device; estimate: none yet
set -euo pipefail

args=(
  --model-id meta-llama/Llama-3.1-8B-Instruct # weightsFormat, node model: safetensors:bfloat16
  --max-total-tokens 256                      # contextTokensPerSequence, needed by the workload: prompt and output of one sequence; the prompt may take all but one
  --max-batch-size 32                         # maxSequences, node many: in one batch; memory bounds it first
  --hostname 127.0.0.1                        # this machine only; 0.0.0.0 opens it to the network
  --port 8080                                 # the usual port
)
exec text-generation-launcher "${args[@]}"
