import { describe, expect, it } from 'vitest';
import type { Arg, Component } from '@/server/core/plan/plan';
import { refusedRawFlags } from '@/workers/drivers/raw-flags';

const raw = (flag: string, value: string | null = null): Arg => ({
  flag,
  value,
  setting: null,
  scope: 'target',
  nodeId: 'engine',
  isDefault: false,
  note: null,
});
const component = (...args: Arg[]): Component => ({
  name: 'engine',
  role: 'engine',
  engine: 'llama.cpp',
  runtime: 'llama-server',
  engineVersion: 'b10573',
  image: null,
  endpoint: null,
  hardware: { id: 'cpu-local', kind: 'cpu', count: 1 },
  replicas: 1,
  argv: [],
  args,
  env: {},
  files: [],
  config: [],
});

describe('raw flags on a host', () => {
  it.each([
    ['a flag without risk', [raw('--mlock')], {}, []],
    ['code without the opt-in', [raw('--chat-template', '{{ x }}')], {}, [/--chat-template can run code/]],
    ['code with the opt-in', [raw('--chat-template', '{{ x }}')], { INFERLOOM_ALLOW_CODE_FLAGS: '1' }, []],
    ['an unknown flag', [raw('--log-file', '/etc/cron.d/x')], {}, [/--log-file is not in the facts/]],
    ['a path without roots', [raw('--lora', '/srv/a.gguf')], {}, [/--lora names a path outside/]],
    ['a path under a root', [raw('--lora', '/srv/loras/a.gguf')], { INFERLOOM_PATH_ROOTS: '/models:/srv/loras' }, []],
    [
      'a path that climbs out',
      [raw('--lora', '/srv/loras/../../etc/a')],
      { INFERLOOM_PATH_ROOTS: '/srv/loras' },
      [/outside/],
    ],
    [
      'a relative path that climbs out',
      [raw('--lora', '../a.gguf')],
      { INFERLOOM_PATH_ROOTS: '/srv/loras' },
      [/outside/],
    ],
    ['an alias', [raw('--lora=/etc/a')], { INFERLOOM_PATH_ROOTS: '/srv' }, [/outside/]],
  ])('%s', (_, args, host, wanted) => {
    const refused = refusedRawFlags(component(...args), host);
    expect(refused).toHaveLength(wanted.length);
    for (const [i, pattern] of wanted.entries()) expect(refused[i]).toMatch(pattern);
  });

  it('leaves the flags of nodes alone', () => {
    expect(refusedRawFlags(component({ ...raw('--model', '/any/where.gguf'), setting: 'weightsFormat' }), {})).toEqual(
      [],
    );
  });
});
