import { contextCoversWorkload } from './context-covers-workload';
import { contextWithinModel } from './context-within-model';
import { draftSize } from './draft-size';
import { draftTokenizer } from './draft-tokenizer';
import { engineConstraints } from './engine-constraints';
import { ggufConversion } from './gguf-conversion';
import { idleDevices } from './idle-devices';
import { kvTypeBlocks } from './kv-type-blocks';
import { kvTypeMixed } from './kv-type-mixed';
import { prefixCachingWithoutPrefix } from './prefix-caching-without-prefix';
import { promptLookupRange } from './prompt-lookup-range';
import { quantizationBlocks } from './quantization-blocks';
import { quantizedValuesNeedFlash } from './quantized-values-need-flash';
import { queueLimitLoad } from './queue-limit-load';
import type { Rule } from './rule';
import { sequencesBelowConcurrency } from './sequences-below-concurrency';
import { sinkWindowFits } from './sink-window-fits';
import { speculationBeams } from './speculation-beams';
import { speculationConcurrency } from './speculation-concurrency';
import { speculationMinP } from './speculation-min-p';
import { tensorParallelHeads } from './tensor-parallel-heads';
import { threadsWithinCores } from './threads-within-cores';

/** Every rule, in the order in which its findings are listed. */
export const RULES: readonly Rule[] = [
  contextCoversWorkload,
  contextWithinModel,
  draftSize,
  draftTokenizer,
  engineConstraints,
  ggufConversion,
  idleDevices,
  kvTypeBlocks,
  kvTypeMixed,
  prefixCachingWithoutPrefix,
  promptLookupRange,
  quantizationBlocks,
  quantizedValuesNeedFlash,
  queueLimitLoad,
  sequencesBelowConcurrency,
  sinkWindowFits,
  speculationBeams,
  speculationConcurrency,
  speculationMinP,
  tensorParallelHeads,
  threadsWithinCores,
];
