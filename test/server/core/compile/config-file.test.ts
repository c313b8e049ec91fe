import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { configClashes, configFileOf } from '@/server/core/compile/config-file';
import type { Engine } from '@/server/core/engines/engine';
import { llamaCpp } from '@/server/core/engines/llama-cpp';
import type { ConfigEntry } from '@/server/core/plan/plan';

const entry = (path: string, value: unknown, setting = 'maxSequences'): ConfigEntry => {
  return { path, value, setting, scope: 'target', nodeId: `n-${setting}`, note: null };
};
const engine: Engine = { ...llamaCpp, configFile: { path: '/config/a.yaml', flag: '--config', format: 'yaml' } };

describe('the configuration file of an engine', () => {
  it('nests dotted paths in the order of the entries, in YAML and JSON', () => {
    const entries = [
      entry('max_batch_size', 8),
      entry('kv_cache_config.dtype', 'fp8'),
      entry('kv_cache_config.enable_block_reuse', false),
    ];
    const file = configFileOf(engine, entries);
    expect(file).toEqual({
      path: '/config/a.yaml',
      content: 'max_batch_size: 8\nkv_cache_config:\n  dtype: fp8\n  enable_block_reuse: false\n',
    });
    const json = configFileOf({ ...engine, configFile: { path: 'a.json', flag: '--c', format: 'json' } }, entries);
    expect(JSON.parse(json?.content ?? '')).toEqual(parse(file?.content ?? ''));
  });

  it('is left out without entries, and for an engine without one', () => {
    expect(configFileOf(engine, [])).toBeNull();
    expect(configFileOf(llamaCpp, [entry('a', 1)])).toBeNull();
  });

  it('keeps text that YAML would read as something else, and repeats shared values', () => {
    const shared = ['no', '1e3', ': #', '*a'];
    const content = configFileOf(engine, [entry('a', shared), entry('b', shared)])?.content ?? '';
    expect(parse(content)).toEqual({ a: shared, b: shared });
    expect(content).not.toContain('&');
  });

  it.each([
    ['equal', [entry('a.b', 1), entry('a.b', 1)], 0],
    ['different', [entry('a.b', 1), entry('a.b', 2)], 1],
    ['one inside a value', [entry('a', 1), entry('a.b', 2)], 1],
    ['one inside a block', [entry('a', { c: 1 }), entry('a.b', 2)], 0],
    ['neighbours', [entry('a.b', 1), entry('a.bc', 2)], 0],
  ])('%s entries: %#', (_, entries, count) => {
    expect(configClashes(entries)).toHaveLength(count);
  });
});
