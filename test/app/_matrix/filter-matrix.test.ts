import { describe, expect, it } from 'vitest';
import { ALL, cellState, filterMatrix, generationsOf } from '@/app/_matrix/filter-matrix';
import type { MatrixShape } from '@/app/_matrix/matrix-messages';
import { receive } from '@/app/_matrix/use-matrix';
import type { MatrixRow } from '@/server/core/matrix/matrix';

const shape: MatrixShape = {
  kind: 'shape',
  columns: [
    { id: 'vllm', title: 'vLLM' },
    { id: 'tgi', title: 'TGI' },
  ],
  techniques: [
    { type: 'awq', title: 'AWQ', aliases: [], family: 'compression', familyTitle: 'Compression' },
    { type: 'prefix-caching', title: 'Prefix caching', aliases: ['APC'], family: 'kv-cache', familyTitle: 'KV cache' },
    { type: 'gptq', title: 'GPTQ', aliases: [], family: 'compression', familyTitle: 'Compression' },
  ],
  generations: [{ id: '8.0', title: 'Ampere', device: 'A30', kind: 'gpu' }],
};
const row = (over: Partial<MatrixRow>): MatrixRow => ({
  technique: 'awq',
  title: 'AWQ',
  family: 'compression',
  engine: 'vllm',
  runtime: null,
  support: 'partly',
  how: null,
  reason: null,
  source: null,
  gpus: { '7.0': 'no', '8.0': 'yes' },
  cells: {},
  ...over,
});
const all = { query: '', family: ALL, engine: ALL, generation: ALL };

describe('the matrix page', () => {
  it('groups techniques by family and filters families and engines', () => {
    const { groups, columns } = filterMatrix(shape, all);
    expect(groups.map(({ title, techniques }) => [title, techniques.map((t) => t.type)])).toEqual([
      ['Compression', ['awq', 'gptq']],
      ['KV cache', ['prefix-caching']],
    ]);
    expect(columns).toHaveLength(2);
    const filtered = filterMatrix(shape, { ...all, family: 'kv-cache', engine: 'tgi' });
    expect(filtered.groups.map((g) => g.family)).toEqual(['kv-cache']);
    expect(filtered.columns.map((c) => c.id)).toEqual(['tgi']);
  });

  it('finds techniques by any of their names', () => {
    const found = (query: string) =>
      filterMatrix(shape, { ...all, query }).groups.flatMap(({ techniques }) => techniques.map(({ type }) => type));
    expect(found('apc')).toEqual(['prefix-caching']);
    expect(found(' Prefix-cach ')).toEqual(['prefix-caching']);
    expect(found('q')).toEqual(['awq', 'gptq']);
    expect(found('caching nothing')).toEqual([]);
  });

  it('shows one generation, and where the engine does not run at all', () => {
    const runsOn = generationsOf([row({}), row({ gpus: { '7.0': 'no', '8.0': 'no' } })]);
    expect(runsOn).toEqual(['8.0']);
    expect(cellState(row({}), ALL, runsOn)).toBe('partly');
    expect(cellState(row({}), '8.0', runsOn)).toBe('yes');
    expect(cellState(row({ gpus: { '8.0': 'no' } }), '8.0', runsOn)).toBe('no');
    expect(cellState(row({}), '7.0', runsOn)).toBe('absent');
  });

  it('takes columns as they come', () => {
    const start = receive({ shape: null, cells: new Map(), failure: null }, shape);
    const next = receive(start, { kind: 'rows', column: 'vllm', rows: [row({})] });
    expect(next.shape).toBe(shape);
    expect(next.cells.get('vllm')?.get('awq')?.support).toBe('partly');
    expect(start.cells.size).toBe(0);
  });
});
