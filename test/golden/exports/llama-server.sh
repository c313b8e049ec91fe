#!/usr/bin/env bash
# Tuned (dep), written by Inferloom from plan 8e41f7b01a5a
# Engine: llama-server b10573; hardware: cpu-local × 1
# Evidence: not measured on this engine and device; estimate: none yet
# Missing: queueLimit 16 is not in the file: llama-server holds requests in a queue without a limit: bound it in a gateway.
# Requests of the measured runs carry {"temperature":0}; the server does not add them.
set -euo pipefail

# Weights
# inferloom-demo-f16.gguf ships with Inferloom (bundled:inferloom-demo): copy it from workers/embedded/models/inferloom-demo-f16.gguf of the project, or set INFERLOOM_DIR
[ -e inferloom-demo-f16.gguf ] || cp "${INFERLOOM_DIR:?set it to the folder of Inferloom}"/workers/embedded/models/inferloom-demo-f16.gguf inferloom-demo-f16.gguf
# gguf:Q4_K_M, asked for by node q4
[ -e inferloom-demo-q4_k_m.gguf ] || llama-quantize inferloom-demo-f16.gguf inferloom-demo-q4_k_m.gguf Q4_K_M
# inferloom-demo-draft-f16.gguf ships with Inferloom (bundled:inferloom-demo-draft): copy it from workers/embedded/models/inferloom-demo-draft-f16.gguf of the project, or set INFERLOOM_DIR
[ -e inferloom-demo-draft-f16.gguf ] || cp "${INFERLOOM_DIR:?set it to the folder of Inferloom}"/workers/embedded/models/inferloom-demo-draft-f16.gguf inferloom-demo-draft-f16.gguf

export LLAMA_API_KEY="${INFERLOOM_SECRET_DEMO:?set it to the secret}" # apiKeySecret, node key

args=(
  --model inferloom-demo-q4_k_m.gguf          # weightsFormat, node q4: gguf:Q4_K_M
  --flash-attn on                             # flashAttention, node flash
  --cache-type-k q8_0                         # kvCacheKeyType, node kv
  --cache-type-v q8_0                         # kvCacheValueType, node kv
  --ctx-size 2048                             # contextTokensPerSequence, needed by the workload: 8 × 256 tokens a sequence = 2048
  --keep 4                                    # sinkTokens, node window: first tokens that stay
  --context-shift                             # see above
  --parallel 8                                # maxSequences, node many
  --batch-size 104                            # prefillTokensPerStep, node chunk: 64 prompt tokens + 8 sequences × 5 = 104
  --ubatch-size 104                           # prefillTokensPerStep, node chunk: the whole step in one physical batch
  --spec-type draft-simple                    # speculation, node spec
  --spec-draft-n-max 4                        # draftTokens, node spec
  --model-draft inferloom-demo-draft-f16.gguf # draft.weightsFormat, node draft: gguf:F16
  --host 127.0.0.1                            # this machine only; 0.0.0.0 opens it to the network
  --port 8080                                 # the usual port
  --metrics                                   # counters at /metrics
)
exec llama-server "${args[@]}"
