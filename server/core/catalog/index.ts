import type { NodeType } from './node-type';
import { deployment } from './sinks/deployment';
import { engine } from './sources/engine';
import { hardware } from './sources/hardware';
import { model } from './sources/model';
import { workload } from './sources/workload';
import { apiKey } from './techniques/api-key';
import { context } from './techniques/context';
import { draftSpeculation } from './techniques/draft-speculation';
import { flashAttention } from './techniques/flash-attention';
import { ggufQuantization } from './techniques/gguf-quantization';
import { kvCacheType } from './techniques/kv-cache-type';
import { parallelSequences } from './techniques/parallel-sequences';
import { prefillChunk } from './techniques/prefill-chunk';
import { prefixCaching } from './techniques/prefix-caching';
import { promptLookup } from './techniques/prompt-lookup';
import { requestQueue } from './techniques/request-queue';
import { sampling } from './techniques/sampling';
import { sinkWindow } from './techniques/sink-window';
import { threads } from './techniques/threads';

/** Every node type, in the order of the palette. */
export const NODE_TYPES: readonly NodeType[] = [
  model,
  hardware,
  workload,
  engine,
  ggufQuantization,
  flashAttention,
  kvCacheType,
  prefixCaching,
  context,
  sinkWindow,
  sampling,
  draftSpeculation,
  promptLookup,
  parallelSequences,
  prefillChunk,
  threads,
  requestQueue,
  apiKey,
  deployment,
];
