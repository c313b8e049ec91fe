import { dockerCompose } from './docker-compose';
import { dynamo } from './dynamo';
import { envoyConfig } from './envoy-config';
import type { Exporter } from './exporter';
import { grafanaDashboard } from './grafana-dashboard';
import { guidellmBenchmark } from './guidellm-benchmark';
import { kserveInferenceService } from './kserve-inference-service';
import { kserveLlmInferenceService } from './kserve-llm-inference-service';
import { kubernetes } from './kubernetes';
import { litellmConfig } from './litellm-config';
import { llamaServer } from './llama-server';
import { llmD } from './llm-d';
import { llmdBenchmarkReport } from './llm-d-benchmark-report';
import { lmdeployServe } from './lmdeploy-serve';
import { nginxConfig } from './nginx-config';
import { ollamaModelfile } from './ollama-modelfile';
import { onnxruntimeGenaiBuild } from './onnxruntime-genai-build';
import { prometheusRule } from './prometheus-rule';
import { quantizationRecipe } from './quantization-recipe';
import { rayServe } from './ray-serve';
import { sglangServe } from './sglang-serve';
import { skypilot } from './skypilot';
import { systemdUnit } from './systemd-unit';
import { tgiLauncher } from './tgi-launcher';
import { transformersServe } from './transformers-serve';
import { trtllmServe } from './trtllm-serve';
import { vllmBenchServe } from './vllm-bench-serve';
import { vllmProductionStack } from './vllm-production-stack';
import { vllmServe } from './vllm-serve';

/** Every form in which a plan can be written, in the order of a list. */
export const EXPORTERS: readonly Exporter[] = [
  llamaServer,
  vllmServe,
  sglangServe,
  trtllmServe,
  tgiLauncher,
  lmdeployServe,
  transformersServe,
  onnxruntimeGenaiBuild,
  ollamaModelfile,
  systemdUnit,
  dockerCompose,
  kubernetes,
  vllmProductionStack,
  kserveInferenceService,
  kserveLlmInferenceService,
  rayServe,
  skypilot,
  dynamo,
  llmD,
  litellmConfig,
  nginxConfig,
  envoyConfig,
  grafanaDashboard,
  prometheusRule,
  quantizationRecipe,
  guidellmBenchmark,
  vllmBenchServe,
  llmdBenchmarkReport,
];
