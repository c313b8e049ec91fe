import { findGgufType } from '../../facts/gguf-types';
import { findModel } from '../../facts/models';
import type { Checkpoint } from '../../plan/plan';

const GIB = 2 ** 30;
/** Room for a second revision's index, tokenizer files and compile caches. */
const HEADROOM = 1.2;

/** Bits a weight of the files that are fetched; scales and zero points of 4-bit schemes (group 128) count half a bit. */
function bitsPerWeight({ format, source }: Checkpoint): number | null {
  const [container, type = ''] = format.split(':');
  if (container === 'gguf') return findGgufType(type)?.bitsPerWeight ?? null;
  if (source === 'online' || /^(bf16|bfloat16|fp16|float16)$/.test(type)) return 16;
  if (/int8|fp8|mxfp8/.test(type)) return 8.1;
  if (/int4|w4a16|nvfp4|mxfp4|nf4/.test(type)) return 4.5;
  return type === 'float32' ? 32 : null;
}

function checkpointBytes(checkpoint: Checkpoint): number | null {
  const params = findModel(checkpoint.model)?.paramsTotal ?? null;
  const bits = bitsPerWeight(checkpoint);
  return params === null || bits === null ? null : (params * bits) / 8;
}

/** Size of the volume that holds every checkpoint of a plan, GiB; null where a size is not known. */
export function cacheGib(checkpoints: readonly Checkpoint[]): number | null {
  let bytes = 0;
  for (const checkpoint of checkpoints) {
    const size = checkpointBytes(checkpoint);
    if (size === null) return null;
    bytes += size;
  }
  return Math.ceil((bytes * HEADROOM) / GIB) + 1;
}
