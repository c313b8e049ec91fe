import { describe, expect, it } from 'vitest';
import { findNodeType } from '@/server/core/catalog/find-node-type';
import { validateParams } from '@/server/core/catalog/validate-params';
import { node } from '@/test/fixtures/pipelines';

const validate = (type: string, params: Record<string, unknown>) => {
  const nodeType = findNodeType(type);
  if (!nodeType) throw new Error(`no type ${type}`);
  return validateParams(nodeType, node('n', type, params));
};

describe('validateParams', () => {
  it('fills in defaults', () => {
    expect(validate('prompt-lookup', { k: 8 })).toEqual({ values: { k: 8, min: 2, max: 4 }, sweeps: [], findings: [] });
  });

  it.each([
    ['parallel-sequences', { sequences: 'many' }, 'sequences', 'a whole number from 1 to 4096'],
    ['parallel-sequences', { sequences: 1.5 }, 'sequences', 'a whole number from 1 to 4096'],
    ['flash-attention', { state: 'auto' }, 'state', 'one of on, off'],
    ['sampling', { temperature: 9 }, 'temperature', 'a number from 0 to 2'],
    ['deployment', { baseline: 'yes' }, 'baseline', 'true or false'],
    ['api-key', { secret: 'sk-123' }, 'secret', 'a secret name starts with INFERLOOM_SECRET_'],
    ['engine', { engine: 'endpoint', url: 'file:///etc/passwd' }, 'url', 'a text'],
  ])('%s %o: names node, field and what is allowed', (type, params, field, words) => {
    const { findings, values } = validate(type, params);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ severity: 'error', code: 'invalid-param', nodeId: 'n', field });
    expect(findings[0]?.message).toContain(words);
    expect(findings[0]?.fix?.edits).toEqual([{ op: 'set-param', nodeId: 'n', field, value: values[field] }]);
  });

  it('validates every value of a sweep and drops repeats', () => {
    const { sweeps, findings } = validate('draft-speculation', { k: { $sweep: [2, 4, 2, 0] } });
    expect(sweeps).toEqual([{ field: 'k', kind: 'launch', values: [2, 4] }]);
    expect(findings.map((f) => [f.code, f.field])).toEqual([['invalid-param', 'k']]);
  });

  it('takes a sweep of one value as the value', () => {
    expect(validate('context', { tokensPerSequence: { $sweep: [512] } })).toEqual({
      values: { tokensPerSequence: 512 },
      sweeps: [],
      findings: [],
    });
  });

  it.each([
    ['workload', { inputTokens: { $sweep: [1, 2] } }],
    ['context', { tokensPerSequence: { $sweep: [] } }],
  ])('%s %o: refuses the sweep', (type, params) => {
    expect(validate(type, params).findings.map((f) => f.code)).toEqual(['invalid-sweep']);
  });

  it.each([
    ['engine', { url: 'http://x' }, ['url']],
    ['engine', { engine: 'endpoint', url: 'http://x', version: '1' }, ['version']],
    ['gguf-quantization', { repo: 'a/b' }, ['repo']],
    ['gguf-quantization', { repo: 'a/b', source: 'checkpoint' }, []],
    ['workload', { ratePerS: 7 }, ['ratePerS']],
    ['workload', { mode: 'poisson', ratePerS: 7, concurrency: 4 }, []],
    ['model', { path: '/m.gguf', revision: 'v1' }, ['revision']],
  ])('%s %j: %j have no effect', (type, params, fields) => {
    const found = validate(type, params).findings;
    expect(found.map((f) => [f.severity, f.code])).toEqual(fields.map(() => ['info', 'param-without-effect']));
    expect(found.map((f) => f.field)).toEqual(fields);
  });

  it('warns of parameters that the type does not have, also where they are named like a method', () => {
    const { findings } = validate('context', { tokens: 4, constructor: 1 });
    expect(findings.map((f) => [f.severity, f.code, f.field])).toEqual([
      ['warning', 'unknown-param', 'tokens'],
      ['warning', 'unknown-param', 'constructor'],
    ]);
  });
});
