import { describe, expect, it } from 'vitest';
import { argvOf, codes, compileDocument, errorsOf, node, planOf, serving } from '@/test/fixtures/pipelines';

const dep = node('dep', 'deployment', { baseline: true });
const llamaServer = node('engine', 'engine', { engine: 'llama.cpp', runtime: 'llama-server' });

describe('settings', () => {
  it('lowers a chain to argv, with the node behind every flag', () => {
    const document = serving(
      [dep, node('fa', 'flash-attention'), node('np', 'parallel-sequences', { sequences: 2 })],
      ['model.weights > fa.serving', 'fa.serving > np.serving', 'np.serving > dep.serving'],
    );
    expect(argvOf(document)).toBe(
      'inferloom-engine --model inferloom-demo-f16.gguf --flash-attn on --ctx-size 512 --parallel 2',
    );
    const args = planOf(document).components[0]?.args.map((a) => [a.flag, a.setting, a.nodeId, a.isDefault]);
    expect(args).toEqual([
      ['--model', 'weightsFormat', 'model', false],
      ['--flash-attn', 'flashAttention', 'fa', false],
      ['--ctx-size', 'contextTokensPerSequence', null, false],
      ['--parallel', 'maxSequences', 'np', false],
    ]);
  });

  it('tells on, off and unset apart', () => {
    const withState = (params: Record<string, unknown> | null) => {
      const cache = node('apc', 'prefix-caching', params ?? {});
      return serving(
        [dep, params === null ? { ...cache, bypassed: true } : cache],
        ['model.weights > apc.serving', 'apc.serving > dep.serving'],
      );
    };
    expect(argvOf(withState({ state: 'on' }))).toContain('--cache-prompt');
    expect(argvOf(withState({ state: 'off' }))).toContain('--no-cache-prompt');
    expect(argvOf(withState(null))).not.toContain('cache-prompt');
    const { prefixCaching } = planOf(withState(null)).settings;
    expect(prefixCaching).toMatchObject({ asked: null, default: 'on', origin: 'default', field: null });
    expect(planOf(withState({ state: 'off' })).settings.prefixCaching).toMatchObject({
      asked: 'off',
      origin: 'apc',
      field: 'state',
    });
  });

  it('says where a node asks for what the engine does anyway, but not within a sweep', () => {
    const cached = (state: unknown) =>
      serving(
        [node('dep', 'deployment'), node('apc', 'prefix-caching', { state })],
        ['model.weights > apc.serving', 'apc.serving > dep.serving'],
      );
    const found = compileDocument(cached('on')).findings.filter((f) => f.code === 'already-default');
    expect(found).toMatchObject([{ severity: 'info', nodeId: 'apc', field: 'state' }]);
    expect(found[0]?.source).toContain('--cache-prompt');
    expect(codes(compileDocument(cached({ $sweep: ['on', 'off'] })).findings)).not.toContain('already-default');
  });

  it('refuses two nodes that set one setting of one scope differently, at both', () => {
    const twice = (second: string) =>
      serving(
        [dep, node('a', 'kv-cache-type', { key: 'Q8_0' }), node('b', 'kv-cache-type', { key: second })],
        ['model.weights > a.serving', 'a.serving > b.serving', 'b.serving > dep.serving'],
      );
    const { plans, findings } = compileDocument(twice('F16'));
    expect(errorsOf(findings)).toEqual(['setting-conflict@a', 'setting-conflict@b']);
    expect(plans).toEqual([]);
    expect(compileDocument(twice('Q8_0')).findings.filter((f) => f.severity === 'error')).toEqual([]);
  });

  it('keeps the draft in a scope of its own', () => {
    const document = serving(
      [
        dep,
        node('q8', 'gguf-quantization', { type: 'Q8_0' }),
        node('d', 'model', { model: 'inferloom-demo-draft' }),
        node('q4', 'gguf-quantization', { type: 'Q4_0' }),
        node('s', 'draft-speculation', { k: 2 }),
      ],
      [
        'model.weights > q8.weights',
        'q8.weights > s.serving',
        'd.weights > q4.weights',
        'q4.weights > s.draft',
        's.serving > dep.serving',
      ],
    );
    const plan = planOf(document);
    expect(plan.checkpoints.map((c) => [c.scope, c.model, c.format, c.nodeId])).toEqual([
      ['target', 'inferloom-demo', 'gguf:Q8_0', 'q8'],
      ['draft', 'inferloom-demo-draft', 'gguf:Q4_0', 'q4'],
    ]);
    expect(plan.settings['draft.weightsFormat']).toMatchObject({ asked: 'gguf:Q4_0', origin: 'q4' });
    expect(plan.argv?.join(' ')).toContain('--model-draft inferloom-demo-draft-q4_0.gguf');
  });

  it('asks for a draft where speculation has none, and offers the usual one', () => {
    const document = serving(
      [dep, node('s', 'draft-speculation')],
      ['model.weights > s.serving', 's.serving > dep.serving'],
    );
    const finding = compileDocument(document).findings.find((f) => f.code === 'draft-missing');
    expect(finding).toMatchObject({ severity: 'error', nodeId: 's', field: 'draft' });
    expect(finding?.fix?.label).toBe('Add inferloom-demo-draft as the draft');
  });

  it('sends sampling with requests and keeps it out of argv', () => {
    const document = serving(
      [dep, node('greedy', 'sampling', { temperature: 0.5, top_p: 0.9, top_k: null })],
      ['model.weights > greedy.serving', 'greedy.serving > dep.serving'],
    );
    const plan = planOf(document);
    expect(plan.request).toEqual({ temperature: 0.5, top_p: 0.9 });
    expect(plan.argv?.join(' ')).not.toMatch(/temp|top/);
  });

  it('sweeps of requests share an engine start', () => {
    const document = serving(
      [node('dep', 'deployment'), node('s', 'sampling', { temperature: { $sweep: [0, 1] } })],
      ['model.weights > s.serving', 's.serving > dep.serving'],
    );
    const [cold, hot] = compileDocument(document).plans.filter((p) => !p.isBaseline);
    expect(cold?.planHash).not.toBe(hot?.planHash);
    expect(cold?.launchHash).toBe(hot?.launchHash);
  });

  it('asks for the length that the workload needs, unless a node does', () => {
    const long = node('chat', 'workload', { inputTokens: 500, outputTokens: 100 });
    const plain = serving([dep, long], ['model.weights > dep.serving']);
    expect(planOf(plain).settings.contextTokensPerSequence).toMatchObject({
      asked: 768,
      origin: 'workload',
      default: 2048,
    });
    const set = serving(
      [dep, long, node('c', 'context', { tokensPerSequence: 1024 })],
      ['model.weights > c.serving', 'c.serving > dep.serving'],
    );
    expect(planOf(set).settings.contextTokensPerSequence).toMatchObject({ asked: 1024, origin: 'c' });
  });

  it('shows what an engine cannot do at the node, with the reason and its source', () => {
    const document = serving(
      [dep, llamaServer, node('queue', 'request-queue', { limit: 8 })],
      ['model.weights > dep.serving', 'queue.gateway > dep.gateway'],
    );
    const { findings, plans } = compileDocument(document);
    const refused = findings.find((f) => f.code === 'setting-unsupported');
    expect(refused).toMatchObject({ severity: 'error', nodeId: 'queue', field: 'limit' });
    expect(refused?.message).toContain('llama.cpp (llama-server)');
    expect(refused?.source).toBeTruthy();
    expect(plans).toEqual([]);
  });

  it('puts a key into the environment by its name, never into argv', () => {
    const document = serving(
      [dep, node('key', 'api-key', { secret: 'INFERLOOM_SECRET_DEMO' })],
      ['model.weights > dep.serving', 'key.gateway > dep.gateway'],
    );
    const plan = planOf(document);
    expect(Object.values(plan.components[0]?.env ?? {})).toEqual(['$INFERLOOM_SECRET_DEMO']);
    expect(JSON.stringify(plan.argv)).not.toContain('SECRET');
  });
});
