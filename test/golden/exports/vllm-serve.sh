#!/usr/bin/env bash
# vLLM FP8 cache (dep), written by Inferloom from plan 24189b70996b
# Engine: vllm 0.28.0; hardware: H100-SXM × 2
# Evidence: not measured on this engine and device; estimate: none yet
set -euo pipefail

export VLLM_API_KEY="${INFERLOOM_SECRET_API_KEY:?set it to the secret}" # apiKeySecret, node key

args=(
  meta-llama/Llama-3.1-8B-Instruct                 # weightsFormat, node model: safetensors:bfloat16
  --revision 0e9e39f249a16976918f6564b8830bc894c89659 # see above
  --attention-backend FLASH_ATTN                   # flashAttention, node flash
  --kv-cache-dtype fp8                             # kvCacheKeyType, node kv; kvCacheValueType, node kv: keys and values
  --max-model-len 256                              # contextTokensPerSequence, needed by the workload: of one sequence; the cache is sized from the memory left
  --max-num-seqs 64                                # maxSequences, node many
  --max-num-batched-tokens 832                     # prefillTokensPerStep, node chunk: 512 prompt tokens + 64 sequences × 5 = 832
  --speculative-config '{"method":"ngram","num_speculative_tokens":4,"prompt_lookup_max":4,"prompt_lookup_min":2}' # speculation, node lookup; draftTokens, node lookup; promptLookupMinTokens, node lookup; promptLookupMaxTokens, node lookup: k = 4
  --host 127.0.0.1                                 # this machine only; vLLM listens everywhere without it
  --port 8000                                      # the usual port
)
exec vllm serve "${args[@]}"
