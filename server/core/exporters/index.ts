import { dockerCompose } from './docker-compose';
import { dynamo } from './dynamo';
import type { Exporter } from './exporter';
import { kserveInferenceService } from './kserve-inference-service';
import { kserveLlmInferenceService } from './kserve-llm-inference-service';
import { kubernetes } from './kubernetes';
import { llamaServer } from './llama-server';
import { llmD } from './llm-d';
import { rayServe } from './ray-serve';
import { skypilot } from './skypilot';
import { vllmProductionStack } from './vllm-production-stack';
import { vllmServe } from './vllm-serve';

/** Every form in which a plan can be written. */
export const EXPORTERS: readonly Exporter[] = [
  llamaServer,
  vllmServe,
  dockerCompose,
  kubernetes,
  vllmProductionStack,
  kserveInferenceService,
  kserveLlmInferenceService,
  rayServe,
  skypilot,
  dynamo,
  llmD,
];
