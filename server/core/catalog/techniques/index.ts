import type { NodeType } from '../node-type';
import { apiKey } from './api-key';
import { attentionBackend } from './attention-backend';
import { attentionDataParallel } from './attention-data-parallel';
import { autoscaling } from './autoscaling';
import { awq } from './awq';
import { beamSearch } from './beam-search';
import { bitsandbytesInt8 } from './bitsandbytes-int8';
import { bitsandbytesNf4 } from './bitsandbytes-nf4';
import { chunkedPrefill } from './chunked-prefill';
import { circuitBreaker } from './circuit-breaker';
import { computeDtype } from './compute-dtype';
import { context } from './context';
import { contextParallel } from './context-parallel';
import { cpuOffload } from './cpu-offload';
import { cudaGraphs } from './cuda-graphs';
import { dataParallel } from './data-parallel';
import { deviceLayers } from './device-layers';
import { dflash } from './dflash';
import { disaggregation } from './disaggregation';
import { distilledStudent } from './distilled-student';
import { draftSpeculation } from './draft-speculation';
import { dynamicBatching } from './dynamic-batching';
import { eagle } from './eagle';
import { eagle3 } from './eagle-3';
import { expertOffload } from './expert-offload';
import { expertParallel } from './expert-parallel';
import { flashAttention } from './flash-attention';
import { fp8 } from './fp8';
import { gatewayApiKeys } from './gateway-api-keys';
import { gatewayQueue } from './gateway-queue';
import { ggufQuantization } from './gguf-quantization';
import { gptq } from './gptq';
import { int8W8a8 } from './int8-w8a8';
import { int8WeightOnly } from './int8-weight-only';
import { kvBlockSize } from './kv-block-size';
import { kvCacheType } from './kv-cache-type';
import { kvEviction } from './kv-eviction';
import { kvOffload } from './kv-offload';
import { loraAdapter } from './lora-adapter';
import { medusa } from './medusa';
import { memoryFraction } from './memory-fraction';
import { metricsEndpoint } from './metrics-endpoint';
import { mlpSpeculator } from './mlp-speculator';
import { mtp } from './mtp';
import { mxfp4 } from './mxfp4';
import { mxfp8 } from './mxfp8';
import { nvfp4 } from './nvfp4';
import { operatorFusion } from './operator-fusion';
import { parallelSequences } from './parallel-sequences';
import { pipelineParallel } from './pipeline-parallel';
import { preemption } from './preemption';
import { prefillChunk } from './prefill-chunk';
import { prefixCaching } from './prefix-caching';
import { promptLookup } from './prompt-lookup';
import { rateLimitByIp } from './rate-limit-by-ip';
import { rateLimitByKey } from './rate-limit-by-key';
import { replicas } from './replicas';
import { requestLimits } from './request-limits';
import { requestQueue } from './request-queue';
import { requestRouting } from './request-routing';
import { sampling } from './sampling';
import { schedulingPolicy } from './scheduling-policy';
import { shortFirst } from './short-first';
import { sinkWindow } from './sink-window';
import { slidingWindow } from './sliding-window';
import { sparsePruning } from './sparse-pruning';
import { staticKvCache } from './static-kv-cache';
import { streamInterval } from './stream-interval';
import { structuredOutput } from './structured-output';
import { structuredPruning } from './structured-pruning';
import { suffixDecoding } from './suffix-decoding';
import { tensorParallel } from './tensor-parallel';
import { threads } from './threads';
import { torchCompile } from './torch-compile';
import { torchProfiler } from './torch-profiler';
import { w4a16 } from './w4a16';

/** Every technique, in the order of the palette. */
export const TECHNIQUES: readonly NodeType[] = [
  ggufQuantization,
  fp8,
  int8W8a8,
  int8WeightOnly,
  awq,
  gptq,
  w4a16,
  nvfp4,
  mxfp4,
  mxfp8,
  bitsandbytesNf4,
  bitsandbytesInt8,
  structuredPruning,
  sparsePruning,
  distilledStudent,
  computeDtype,
  flashAttention,
  attentionBackend,
  torchCompile,
  cudaGraphs,
  operatorFusion,
  kvCacheType,
  prefixCaching,
  context,
  kvBlockSize,
  kvOffload,
  slidingWindow,
  sinkWindow,
  kvEviction,
  staticKvCache,
  sampling,
  beamSearch,
  structuredOutput,
  draftSpeculation,
  promptLookup,
  eagle3,
  mtp,
  eagle,
  dflash,
  suffixDecoding,
  medusa,
  mlpSpeculator,
  parallelSequences,
  chunkedPrefill,
  prefillChunk,
  dynamicBatching,
  schedulingPolicy,
  preemption,
  streamInterval,
  tensorParallel,
  pipelineParallel,
  dataParallel,
  expertParallel,
  attentionDataParallel,
  contextParallel,
  memoryFraction,
  cpuOffload,
  expertOffload,
  deviceLayers,
  threads,
  loraAdapter,
  disaggregation,
  metricsEndpoint,
  torchProfiler,
  apiKey,
  requestQueue,
  gatewayApiKeys,
  rateLimitByKey,
  rateLimitByIp,
  gatewayQueue,
  circuitBreaker,
  requestLimits,
  shortFirst,
  replicas,
  autoscaling,
  requestRouting,
];
