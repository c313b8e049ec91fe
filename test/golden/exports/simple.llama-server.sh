#!/usr/bin/env bash
# llama.cpp plan (dep), written by Inferloom from plan 69d12f75c863
# Engine: llama-server b10573; hardware: cpu-local × 1
# Evidence: not measured on this engine and device; estimate: none yet
set -euo pipefail

# Weights
# inferloom-demo-f16.gguf ships with Inferloom (bundled:inferloom-demo): copy it from workers/embedded/models/inferloom-demo-f16.gguf of the project, or set INFERLOOM_DIR
[ -e inferloom-demo-f16.gguf ] || cp "${INFERLOOM_DIR:?set it to the folder of Inferloom}"/workers/embedded/models/inferloom-demo-f16.gguf inferloom-demo-f16.gguf

args=(
  --model inferloom-demo-f16.gguf # weightsFormat, node model: gguf:F16
  --ctx-size 8192                 # contextTokensPerSequence, needed by the workload: 32 × 256 tokens a sequence = 8192
  --parallel 32                   # maxSequences, node many
  --host 127.0.0.1                # this machine only; 0.0.0.0 opens it to the network
  --port 8080                     # the usual port
  --metrics                       # counters at /metrics
)
exec llama-server "${args[@]}"
