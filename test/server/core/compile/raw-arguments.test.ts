import { describe, expect, it } from 'vitest';
import { codes, compileDocument, node, planOf, serving } from '@/test/fixtures/pipelines';

const withRaw = (rawArgs: string, engine: Record<string, unknown> = { runtime: 'llama-server' }) =>
  serving(
    [
      node('engine', 'engine', { engine: 'llama.cpp', rawArgs, ...engine }),
      node('many', 'parallel-sequences', { sequences: 2 }),
      node('dep', 'deployment'),
    ],
    ['model.weights > many.serving', 'many.serving > dep.serving'],
  );
const found = (rawArgs: string, engine?: Record<string, unknown>) =>
  codes(compileDocument(withRaw(rawArgs, engine)).findings).filter((code) => code.startsWith('raw-'));

describe('raw arguments', () => {
  it('follow the arguments of the nodes word for word', () => {
    const plan = planOf(withRaw('--n-gpu-layers 99 -ot ".ffn_.*_exps.=CPU" --mlock'));
    expect(plan.argv?.slice(-5)).toEqual(['--n-gpu-layers', '99', '-ot', '.ffn_.*_exps.=CPU', '--mlock']);
    expect(plan.components[0]?.args.filter((arg) => arg.nodeId === 'engine')).toMatchObject([
      { flag: '--n-gpu-layers', value: '99', setting: null },
      { flag: '-ot', value: '.ffn_.*_exps.=CPU', setting: null },
      { flag: '--mlock', value: null, setting: null },
    ]);
  });

  it('change the plan hash', () => {
    expect(planOf(withRaw('--mlock')).planHash).not.toBe(planOf(withRaw('--no-mmap')).planHash);
  });

  it.each([
    ['-np 4', ['raw-argument-clash']],
    ['--parallel=4', ['raw-argument-clash']],
    ['--warp-drive 9', ['raw-argument-unknown']],
    ['stray', ['raw-argument-stray']],
    ['--draft 16', ['raw-argument-removed']],
    ['--chat-template-file /x.jinja', ['raw-argument-code']],
    ['--port 9000', ['raw-argument-launcher']],
    ['--api-key topsecret', ['raw-argument-secret']],
    ['--api-key $INFERLOOM_SECRET_KEY', []],
    [`--alias hf_${'a1B2'.repeat(6)}`, ['raw-argument-secret']],
    ['--mlock -ngl 99', []],
  ])('%s gives %j', (raw, expected) => {
    expect(found(raw)).toEqual(expected);
  });

  it('offer to take a clashing flag out', () => {
    const clash = compileDocument(withRaw('-np 4 --mlock')).findings.find((f) => f.code === 'raw-argument-clash');
    expect(clash?.fix?.edits).toEqual([{ op: 'set-param', nodeId: 'engine', field: 'rawArgs', value: '--mlock' }]);
    expect(clash).toMatchObject({ severity: 'error', nodeId: 'engine', field: 'rawArgs' });
  });

  it('are judged by the flags of the runtime', () => {
    expect(found('--queue-limit 3', { runtime: 'embedded' })).toEqual([]);
    expect(found('--mlock', { runtime: 'embedded' })).toEqual(['raw-argument-unknown']);
  });
});
