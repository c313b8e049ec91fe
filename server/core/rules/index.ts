import { contextCoversWorkload } from './context-covers-workload';
import { contextWithinModel } from './context-within-model';
import { cpuOffloadCost } from './cpu-offload-cost';
import { draftSize } from './draft-size';
import { draftTokenizer } from './draft-tokenizer';
import { engineConstraints } from './engine-constraints';
import { expertParallelSplit } from './expert-parallel-split';
import { fitInMemory } from './fit-in-memory';
import { gatewayLimitsWorkload } from './gateway-limits-workload';
import { ggufConversion } from './gguf-conversion';
import { idleDevices } from './idle-devices';
import { kvTypeBlocks } from './kv-type-blocks';
import { kvTypeMixed } from './kv-type-mixed';
import { measuredQuality } from './measured-quality';
import { mtpLayers } from './mtp-layers';
import { numberFormatDevice } from './number-format-device';
import { objectiveMismatch } from './objective-mismatch';
import { prefixCachingOff } from './prefix-caching-off';
import { prefixCachingWithoutPrefix } from './prefix-caching-without-prefix';
import { promptLookupRange } from './prompt-lookup-range';
import { quantizationBlocks } from './quantization-blocks';
import { quantizedTwice } from './quantized-twice';
import { quantizedValuesNeedFlash } from './quantized-values-need-flash';
import { queueLimitLoad } from './queue-limit-load';
import { ranksWithinDevices } from './ranks-within-devices';
import type { Rule } from './rule';
import { scalingMetric } from './scaling-metric';
import { sequencesBelowConcurrency } from './sequences-below-concurrency';
import { sinkWindowFits } from './sink-window-fits';
import { speculationBeams } from './speculation-beams';
import { speculationConcurrency } from './speculation-concurrency';
import { speculationMinP } from './speculation-min-p';
import { speculatorForTarget } from './speculator-for-target';
import { tensorParallelHeads } from './tensor-parallel-heads';
import { threadsWithinCores } from './threads-within-cores';

/** Every rule, in the order in which its findings are listed. */
export const RULES: readonly Rule[] = [
  contextCoversWorkload,
  contextWithinModel,
  cpuOffloadCost,
  draftSize,
  draftTokenizer,
  engineConstraints,
  expertParallelSplit,
  fitInMemory,
  gatewayLimitsWorkload,
  ggufConversion,
  idleDevices,
  kvTypeBlocks,
  kvTypeMixed,
  measuredQuality,
  mtpLayers,
  numberFormatDevice,
  objectiveMismatch,
  prefixCachingOff,
  prefixCachingWithoutPrefix,
  promptLookupRange,
  quantizationBlocks,
  quantizedTwice,
  quantizedValuesNeedFlash,
  queueLimitLoad,
  ranksWithinDevices,
  scalingMetric,
  sequencesBelowConcurrency,
  sinkWindowFits,
  speculationBeams,
  speculationConcurrency,
  speculationMinP,
  speculatorForTarget,
  tensorParallelHeads,
  threadsWithinCores,
];
