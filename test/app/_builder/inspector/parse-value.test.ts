import { describe, expect, it } from 'vitest';
import { paramsOf } from '@/app/_builder/catalog';
import { checkValue, parseList, parseValue, parseValues, rangeText } from '@/app/_builder/inspector/parse-value';
import { firstSweep } from '@/app/_builder/inspector/sweep-control';

const param = (type: string, name: string) => {
  const found = paramsOf(type).find((one) => one.name === name);
  if (!found) throw new Error(`no parameter ${type}.${name}`);
  return found;
};
const blocks = param('deployment', 'blocks');
const clients = param('workload', 'concurrency');

describe('what a person types', () => {
  it('becomes a number in the range, or says why not', () => {
    expect(parseValue('deployment', blocks, ' 6 ')).toEqual({ ok: true, value: 6 });
    expect(parseValue('deployment', blocks, '')).toEqual({ ok: true, value: undefined });
    expect(parseValue('deployment', blocks, '13').ok).toBe(false);
    expect(parseValue('deployment', blocks, '1.5').ok).toBe(false);
    expect(parseValue('deployment', blocks, '3x')).toEqual({ ok: false, message: '“3x” is not a number.' });
  });

  it('becomes the values of a sweep, each once', () => {
    expect(parseValues('workload', clients, '1, 2 4;4')).toEqual({ ok: true, value: [1, 2, 4] });
    expect(parseValues('workload', clients, '1, -2').ok).toBe(false);
  });

  it('leaves values of unknown types and fields unjudged', () => {
    expect(checkValue('from-the-future', 'warp', 9)).toBeNull();
    expect(checkValue('deployment', 'unheard-of', 9)).toBeNull();
    expect(checkValue('deployment', 'blocks', 'many')).not.toBeNull();
  });
});

it('a free list is text with commas, checked as a whole', () => {
  const secrets = param('gateway-api-keys', 'secrets');
  const parse = (text: string) => parseList('gateway-api-keys', secrets, text);
  const two = ['INFERLOOM_SECRET_A', 'INFERLOOM_SECRET_B'];
  expect(parse(' INFERLOOM_SECRET_A, INFERLOOM_SECRET_B,INFERLOOM_SECRET_A ')).toEqual({ ok: true, value: two });
  expect(parse(' , ')).toEqual({ ok: true, value: undefined });
  expect(parse('INFERLOOM_SECRET_A, sk-123')).toEqual({
    ok: false,
    message: 'a secret name starts with INFERLOOM_SECRET_',
  });
});

it('ranges and sweeps come from the declaration', () => {
  expect(rangeText(clients)).toBe('1–4,096');
  expect(firstSweep(clients, undefined)).toEqual({ $sweep: [4, 1, 2, 8, 16] });
  expect(firstSweep(clients, 3)).toEqual({ $sweep: [3, 1, 2, 4, 8, 16] });
});
