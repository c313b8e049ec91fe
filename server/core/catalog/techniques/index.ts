import type { NodeType } from '../node-type';
import { apiKey } from './api-key';
import { context } from './context';
import { draftSpeculation } from './draft-speculation';
import { flashAttention } from './flash-attention';
import { ggufQuantization } from './gguf-quantization';
import { kvCacheType } from './kv-cache-type';
import { parallelSequences } from './parallel-sequences';
import { prefillChunk } from './prefill-chunk';
import { prefixCaching } from './prefix-caching';
import { promptLookup } from './prompt-lookup';
import { requestQueue } from './request-queue';
import { sampling } from './sampling';
import { sinkWindow } from './sink-window';
import { threads } from './threads';

/** Every technique, in the order of the palette. */
export const TECHNIQUES: readonly NodeType[] = [
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
];
