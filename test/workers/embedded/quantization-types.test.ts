import { expect, it } from 'vitest';
import { GGUF_QUANTIZATION_TYPES, IMATRIX_TYPES } from '@/server/core/facts/gguf-types';
import { QUANTIZATION_TYPES } from '@/workers/embedded/file-type';

it('the embedded quantizer makes every type on offer that needs no importance matrix', () => {
  const offered = GGUF_QUANTIZATION_TYPES.filter((type) => !IMATRIX_TYPES.includes(type));
  expect(Object.keys(QUANTIZATION_TYPES).sort()).toEqual([...offered, 'F32', 'BF16'].sort());
});
