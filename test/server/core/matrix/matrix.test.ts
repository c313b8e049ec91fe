import { describe, expect, it } from 'vitest';
import { TECHNIQUES } from '@/server/core/catalog/techniques/index';
import { ENGINES } from '@/server/core/engines/index';
import { HARDWARE } from '@/server/core/facts/hardware';
import { GENERATIONS } from '@/server/core/matrix/generations';
import { MATRIX_ENGINES, type MatrixRow, matrixOf } from '@/server/core/matrix/matrix';
import { variantsOf } from '@/server/core/matrix/variants';

const rows = matrixOf();
const row = (technique: string, engine: string): MatrixRow => {
  const found = rows.find((r) => r.technique === technique && r.engine === engine);
  if (!found) throw new Error(`no row ${technique} × ${engine}`);
  return found;
};

const SIGNS = { yes: '+', partly: '~', no: '-' } as const;
const signs = ({ gpus }: MatrixRow): string =>
  Object.values(gpus)
    .map((s) => SIGNS[s])
    .join('');

describe('the matrix', () => {
  it('has a verdict for every technique, engine and generation', () => {
    expect(MATRIX_ENGINES.map(({ engine }) => engine.id)).toEqual(
      ENGINES.map(({ id }) => id).filter((id) => id !== 'endpoint'),
    );
    expect(rows).toHaveLength(TECHNIQUES.length * MATRIX_ENGINES.length);
    for (const { technique, engine, cells, gpus } of rows) {
      expect(Object.keys(gpus), technique).toEqual(GENERATIONS.map(({ id }) => id));
      for (const [id, { support, how, reason }] of Object.entries(cells)) {
        const where = `${technique} × ${engine} × ${id}`;
        if (support === 'yes') expect(how, where).toBeTruthy();
        else expect(reason?.length ?? 0, where).toBeGreaterThan(8);
        if (support === 'no') expect(how, where).toBeNull();
      }
    }
  });

  it('gives each technique variants whose parameters are valid', () => {
    for (const type of TECHNIQUES) {
      const variants = variantsOf(type);
      expect(variants.length, type.type).toBeGreaterThan(0);
      for (const { params } of variants.flat()) expect(type.params.safeParse(params).success, type.type).toBe(true);
    }
  });

  it('stands for every NVIDIA and AMD device of the table', () => {
    for (const { id, vendor, computeCapability, kind } of HARDWARE) {
      if (kind === 'cpu' || (vendor !== 'nvidia' && vendor !== 'amd') || computeCapability === null) continue;
      expect(
        GENERATIONS.map((g) => g.id),
        id,
      ).toContain(computeCapability);
    }
  });

  it.each<[string, string, string, 'yes' | 'partly' | 'no', RegExp | null]>([
    ['awq', 'tensorrt-llm', '8.0', 'yes', null],
    ['awq', 'tensorrt-llm', '10.0', 'partly', /on Blackwell prefer NVFP4/],
    ['nvfp4', 'tensorrt-llm', '9.0', 'no', /starts with Blackwell/],
    ['int8-w8a8', 'tensorrt-llm', '9.0', 'no', /SmoothQuant/],
    ['flash-attention', 'tensorrt-llm', '9.0', 'no', /no choice of FlashAttention/],
    ['prompt-lookup', 'tensorrt-llm', '9.0', 'partly', /down to one token/],
    ['expert-parallel', 'tensorrt-llm', '10.0', 'yes', null],
    ['prefix-caching', 'tensorrt-llm', '7.5', 'no', /compute capability 8\.0/],
    ['prefix-caching', 'tensorrt-llm', 'gfx942', 'no', /NVIDIA GPUs only/],
    ['prefix-caching', 'tgi', '7.5', 'no', /needs flashinfer/],
    ['gptq', 'tgi', '8.0', 'yes', null],
    ['medusa', 'tgi', '8.0', 'yes', null],
    ['eagle-3', 'tgi', '9.0', 'no', /only Medusa/],
    ['w4a16', 'onnxruntime-genai', 'cpu', 'yes', null],
    ['tensor-parallel', 'onnxruntime-genai', '9.0', 'no', /one device/],
    ['kv-block-size', 'onnxruntime-genai', '9.0', 'yes', null],
    ['gguf-quantization', 'llama.cpp', 'cpu', 'yes', null],
    ['gguf-quantization', 'vllm', '9.0', 'no', /GGUF/],
    ['prompt-lookup', 'llama.cpp', 'cpu', 'yes', null],
    ['attention-data-parallel', 'tensorrt-llm', '9.0', 'yes', null],
  ])('%s × %s on %s: %s', (technique, engine, generation, support, reason) => {
    const cell = row(technique, engine).cells[generation];
    expect(cell?.support, cell?.reason ?? cell?.how ?? '').toBe(support);
    if (reason) expect(cell?.reason).toMatch(reason);
  });

  it('names a source with every refusal of a lowering', () => {
    const refused = rows.flatMap(({ cells }) => Object.values(cells)).filter((c) => c.support === 'no');
    expect(refused.filter(({ source }) => source !== null).length / refused.length).toBeGreaterThan(0.9);
  });

  it('is as it was, in short', async () => {
    const head = ['technique', ...GENERATIONS.map(({ id }) => id)].join(' ');
    const blocks = MATRIX_ENGINES.map(({ engine }) => {
      const own = rows.filter((r) => r.engine === engine.id);
      return [`# ${engine.id}`, ...own.map((r) => `${r.technique} ${r.support} ${signs(r)}`)].join('\n');
    });
    await expect(`${head}\n${blocks.join('\n')}\n`).toMatchFileSnapshot('../../../golden/matrix.txt');
  });
});
