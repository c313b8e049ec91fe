#!/usr/bin/env bash
# Chat "fast" $HOME 100%n; \ {{x}} (dep), written by Inferloom from plan 3afd57b64296
# Engine: vllm 0.28.0; hardware: H100-SXM × 2
# Evidence: not measured on this engine and device; estimate: none yet
# For GuideLLM 0.8.1: pip install 'guidellm==0.8.1'; results lie beside this script. seed 42: no run of this plan is known.
# BASE_URL names another server. A key stands in the arguments of the process while it runs.
set -euo pipefail
default_url=http\://127.0.0.1\:8000
base_url="${BASE_URL:-$default_url}"

# Workload Chat {{ $labels.job }} "q" (target): 100 prompt tokens (40 shared), 28 output tokens, 5 s warm-up, 30 s window
backend='{"kind":"openai_http","target":"@BASE_URL@","model":"meta-llama/Llama-3.1-8B-Instruct","request_format":"/v1/chat/completions","timeout":60}'
backend="${backend/@BASE_URL@/"$base_url"}"
backend="${backend%\}},\"api_key\":\"${INFERLOOM_SECRET_API_KEY:?set it to the secret}\"}"
# 4 clients, closed loop; 8 clients, closed loop
args=(
  --backend "$backend"
  --data '{"kind":"synthetic_text","prompt_tokens":60,"output_tokens":28,"prefix_tokens":40,"prefix_count":1}'
  --profile '{"kind":"concurrent","streams":[4,8],"warmup":{"mode":"duration","value":5}}'
  --constraint '{"kind":"max_duration","seconds":35}' # warm-up + window, each level
  --seed kind\=static\,value\=42
  --tokenizer '{"kind":"huggingface_auto","model":"meta-llama/Llama-3.1-8B-Instruct"}'
  --output '{"kind":"json","path":"chat-concurrent.json"}'
  --disable-console-interactive
)
guidellm run "${args[@]}"
# 1.5 requests/s, constant
args=(
  --backend "$backend"
  --data '{"kind":"synthetic_text","prompt_tokens":60,"output_tokens":28,"prefix_tokens":40,"prefix_count":1}'
  --profile '{"kind":"constant","rate":[1.5],"warmup":{"mode":"duration","value":5}}'
  --constraint '{"kind":"max_duration","seconds":35}' # warm-up + window, each level
  --seed kind\=static\,value\=42
  --tokenizer '{"kind":"huggingface_auto","model":"meta-llama/Llama-3.1-8B-Instruct"}'
  --output '{"kind":"json","path":"chat-constant.json"}'
  --disable-console-interactive
)
guidellm run "${args[@]}"
# 2 requests/s, poisson
args=(
  --backend "$backend"
  --data '{"kind":"synthetic_text","prompt_tokens":60,"output_tokens":28,"prefix_tokens":40,"prefix_count":1}'
  --profile '{"kind":"poisson","rate":[2],"warmup":{"mode":"duration","value":5}}'
  --constraint '{"kind":"max_duration","seconds":35}' # warm-up + window, each level
  --seed kind\=static\,value\=42
  --tokenizer '{"kind":"huggingface_auto","model":"meta-llama/Llama-3.1-8B-Instruct"}'
  --output '{"kind":"json","path":"chat-poisson.json"}'
  --disable-console-interactive
)
guidellm run "${args[@]}"
