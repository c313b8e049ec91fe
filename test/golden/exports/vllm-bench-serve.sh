#!/usr/bin/env bash
# Chat "fast" $HOME 100%n; \ {{x}} (dep), written by Inferloom from plan 3afd57b64296
# Engine: vllm 0.28.0; hardware: H100-SXM × 2
# Evidence: not measured on this engine and device; estimate: none yet
# For vLLM 0.28.0: pip install 'vllm[bench]==0.28.0'; it measures any OpenAI-compatible server. seed 42: no run of this plan is known.
# BASE_URL names another server.
set -euo pipefail
default_url=http\://127.0.0.1\:8000
base_url="${BASE_URL:-$default_url}"
export OPENAI_API_KEY="${INFERLOOM_SECRET_API_KEY:?set it to the secret}"

# Workload Chat {{ $labels.job }} "q" (target): 100 prompt tokens (40 shared), 28 output tokens, 5 s warm-up, 30 s window
# 4 clients, closed loop
args=(
  --base-url "$base_url"
  --backend openai-chat
  --endpoint /v1/chat/completions
  --model meta-llama/Llama-3.1-8B-Instruct
  --dataset-name random
  --random-input-len 60
  --random-output-len 28
  --random-prefix-len 40
  --random-range-ratio 0
  --num-prompts 80
  --num-warmups 4
  --request-rate inf
  --max-concurrency 4
  --seed 42
  --ignore-eos
  --goodput ttft\:500 tpot\:60 e2el\:3000
  --percentile-metrics ttft\,tpot\,itl\,e2el
  --metric-percentiles 50\,90\,95\,99\,99.9
  --save-result
  --result-filename chat-closed-4.json
)
vllm bench serve "${args[@]}"
# 8 clients, closed loop
args=(
  --base-url "$base_url"
  --backend openai-chat
  --endpoint /v1/chat/completions
  --model meta-llama/Llama-3.1-8B-Instruct
  --dataset-name random
  --random-input-len 60
  --random-output-len 28
  --random-prefix-len 40
  --random-range-ratio 0
  --num-prompts 160
  --num-warmups 8
  --request-rate inf
  --max-concurrency 8
  --seed 42
  --ignore-eos
  --goodput ttft\:500 tpot\:60 e2el\:3000
  --percentile-metrics ttft\,tpot\,itl\,e2el
  --metric-percentiles 50\,90\,95\,99\,99.9
  --save-result
  --result-filename chat-closed-8.json
)
vllm bench serve "${args[@]}"
# 2 requests/s, poisson
args=(
  --base-url "$base_url"
  --backend openai-chat
  --endpoint /v1/chat/completions
  --model meta-llama/Llama-3.1-8B-Instruct
  --dataset-name random
  --random-input-len 60
  --random-output-len 28
  --random-prefix-len 40
  --random-range-ratio 0
  --num-prompts 60
  --num-warmups 10
  --request-rate 2
  --burstiness 1.0
  --seed 42
  --ignore-eos
  --goodput ttft\:500 tpot\:60 e2el\:3000
  --percentile-metrics ttft\,tpot\,itl\,e2el
  --metric-percentiles 50\,90\,95\,99\,99.9
  --save-result
  --result-filename chat-poisson-2.json
)
vllm bench serve "${args[@]}"
# 1.5 requests/s, constant
args=(
  --base-url "$base_url"
  --backend openai-chat
  --endpoint /v1/chat/completions
  --model meta-llama/Llama-3.1-8B-Instruct
  --dataset-name random
  --random-input-len 60
  --random-output-len 28
  --random-prefix-len 40
  --random-range-ratio 0
  --num-prompts 45
  --num-warmups 8
  --request-rate 1.5
  --burstiness inf
  --seed 42
  --ignore-eos
  --goodput ttft\:500 tpot\:60 e2el\:3000
  --percentile-metrics ttft\,tpot\,itl\,e2el
  --metric-percentiles 50\,90\,95\,99\,99.9
  --save-result
  --result-filename chat-constant-1_5.json
)
vllm bench serve "${args[@]}"
