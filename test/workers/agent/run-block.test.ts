import { describe, expect, it } from 'vitest';
import type { Engine } from '@/server/core/engines/engine';
import type { Plan } from '@/server/core/plan/plan';
import type { TrialOutcome } from '@/server/core/run/trial';
import type { BlockTools, QualityTool } from '@/workers/agent/block-tools';
import { runBlock } from '@/workers/agent/run-block';
import { LaunchError } from '@/workers/drivers/launch-error';
import { aBlock, aLoadResult, aPlan, FakeDriver, fakeTools, shortEvent } from './fixtures';

const baseline = aPlan('baseline');

async function run(
  block: ReturnType<typeof aBlock>,
  driver: FakeDriver,
  tools: BlockTools = fakeTools(),
  signal: AbortSignal = new AbortController().signal,
): Promise<{ outcomes: TrialOutcome[]; events: string[] }> {
  const events: string[] = [];
  const outcomes = await runBlock({
    block,
    drivers: [driver],
    tools,
    emit: (trialId, body) => events.push(shortEvent(trialId, body)),
    signal,
  });
  return { outcomes: [...outcomes.values()], events };
}

describe('runBlock', () => {
  it('takes each trial through its phases and measures every load of every workload', async () => {
    const block = aBlock([baseline, aPlan('b')]);
    const workload = block.spec.workloads[0];
    if (workload)
      workload.loads = [
        { mode: 'closed', concurrency: 1 },
        { mode: 'poisson', ratePerS: 2 },
      ];
    const driver = new FakeDriver();
    const { outcomes, events } = await run(block, driver);
    expect(events.filter((e) => e.startsWith('t0'))).toEqual([
      't0 phase preparing',
      't0 phase starting',
      't0 phase warming',
      't0 phase measuring',
      't0 point',
      't0 records',
      't0 phase warming',
      't0 phase measuring',
      't0 point',
      't0 records',
      't0 phase evaluating',
      't0 phase stopping',
      't0 log',
    ]);
    expect(outcomes.map((o) => [o.state, o.points.length])).toEqual([
      ['succeeded', 2],
      ['succeeded', 2],
    ]);
    expect(outcomes[0]?.points[0]?.metrics.cpuMsPerOutputToken?.value).toBeCloseTo(500 / 200, 6);
    expect(driver.happened).toEqual([
      'prepare baseline',
      'start baseline',
      'stop baseline',
      'prepare b',
      'start b',
      'stop b',
    ]);
  });

  it('runs no plan of which it could run a part only', async () => {
    const [component] = baseline.components;
    if (component === undefined) throw new Error('no component');
    const replicated = aPlan('b', { components: [{ ...component, replicas: 2 }] });
    const driver = new FakeDriver();
    const { outcomes } = await run(aBlock([baseline, replicated]), driver);
    expect(outcomes.map((o) => o.state)).toEqual(['succeeded', 'failed']);
    expect(outcomes[1]?.cause).toMatchObject({ code: 'exported-only', message: expect.stringMatching(/Export it/) });
    expect(driver.happened).not.toContain('prepare b');
  });

  it('lets adjacent trials of one launchHash share an engine after a cache reset', async () => {
    const twins = [baseline, aPlan('b', { launchHash: 'launch-baseline' }), aPlan('c')];
    const driver = new FakeDriver();
    const { outcomes } = await run(aBlock(twins), driver);
    expect(driver.happened.filter((h) => !h.startsWith('prepare'))).toEqual([
      'start baseline',
      'reset',
      'stop baseline',
      'start c',
      'stop c',
    ]);
    expect(outcomes.map((o) => o.engineStartMs)).toEqual([5, null, 5]);
  });

  it('starts afresh where the engine cannot reset its caches', async () => {
    const driver = new FakeDriver();
    driver.canReset = false;
    await run(aBlock([baseline, aPlan('b', { launchHash: 'launch-baseline' })]), driver);
    expect(driver.happened.filter((h) => h.startsWith('start'))).toEqual(['start baseline', 'start b']);
  });

  it("names an engine's death mid-trial, goes on with the others, and never reuses the dead engine", async () => {
    const driver = new FakeDriver();
    let calls = 0;
    const tools = fakeTools({
      runLoad: (options) => {
        if (calls++ > 0) return Promise.resolve(aLoadResult());
        setTimeout(() => driver.endEngine({ code: null, signal: 'SIGKILL' }), 1);
        return new Promise((_, reject) =>
          options.signal?.addEventListener('abort', () => reject(options.signal?.reason)),
        );
      },
    });
    const { outcomes } = await run(aBlock([baseline, aPlan('b', { launchHash: 'launch-baseline' })]), driver, tools);
    expect(outcomes[0]).toMatchObject({
      state: 'failed',
      valid: false,
      cause: { code: 'engine-ended', message: 'the engine was ended by signal SIGKILL', logTail: ['last words'] },
    });
    expect(outcomes[1]).toMatchObject({ state: 'succeeded', engineStartMs: 5 });
  });

  it("turns a failed launch into a cause with the node and field that asked, by the engine's patterns", async () => {
    const settings: Plan['settings'] = {
      kvCacheKeyType: { asked: 'Q4_0', default: 'F16', defaultSource: null, origin: 'kv', field: 'keyType' },
    };
    const plan = aPlan('b', { settings, nodeIds: ['b', 'kv'] });
    const engine = {
      id: 'fake',
      failures: [
        { pattern: /something went wrong/, code: 'other', message: 'other', setting: null },
        {
          pattern: /type .* not supported/,
          code: 'kv-type',
          message: 'the KV type does not work',
          setting: 'kvCacheKeyType',
        },
      ],
    } as unknown as Engine;
    const driver = new FakeDriver();
    driver.failStart = (p) =>
      p.deployment === 'b'
        ? new LaunchError('engine-exited', 'the engine ended while starting (code 1)', {
            logTail: ['something went wrong', 'type Q4_0 not supported', 'bye'],
            command: [],
          })
        : null;
    const { outcomes } = await run(aBlock([baseline, plan]), driver, fakeTools({ engines: [engine] }));
    expect(outcomes[1]?.cause).toEqual({
      code: 'kv-type',
      message: 'the KV type does not work',
      nodeId: 'kv',
      field: 'keyType',
      logTail: ['something went wrong', 'type Q4_0 not supported', 'bye'],
    });
  });

  it('ends the trial at hand and those after it when cancelled, and leaves no engine', async () => {
    const controller = new AbortController();
    const driver = new FakeDriver();
    const tools = fakeTools({
      runLoad: (options) => {
        setTimeout(() => controller.abort(), 1);
        return new Promise((_, reject) =>
          options.signal?.addEventListener('abort', () => reject(options.signal?.reason)),
        );
      },
    });
    const { outcomes } = await run(aBlock([baseline, aPlan('b')]), driver, tools, controller.signal);
    expect(outcomes.map((o) => o.state)).toEqual(['cancelled', 'cancelled']);
    expect(driver.happened.filter((h) => h.startsWith('start'))).toEqual(['start baseline']);
    expect(driver.happened).toContain('stop baseline');
  });

  it('carries the reasons of an invalid point to the trial, notes not', async () => {
    const late = aLoadResult();
    const tools = fakeTools({
      runLoad: async () => ({ ...late, client: { ...late.client, sent: 40, scheduled: 50, warmupStable: false } }),
    });
    const block = aBlock([baseline]);
    const workload = block.spec.workloads[0];
    if (workload) workload.loads = [{ mode: 'constant', ratePerS: 50 }];
    const { outcomes } = await run(block, new FakeDriver(), tools);
    expect(outcomes[0]?.valid).toBe(false);
    expect(outcomes[0]?.reasons).toHaveLength(1);
    expect(outcomes[0]?.points[0]?.reasons.some((r) => r.startsWith('note: '))).toBe(true);
  });

  it('flags degenerate output on every trial without calling the numbers invalid', async () => {
    const tools = fakeTools({ detectDegenerate: (texts) => `${texts.length} answers repeat themselves` });
    const { outcomes } = await run(aBlock([baseline], { blockIndex: 2 }), new FakeDriver(), tools);
    expect(outcomes[0]).toMatchObject({
      valid: true,
      quality: { degenerate: '50 answers repeat themselves', tokens: 0 },
    });
    expect(outcomes[0]?.findings.map((f) => f.code)).toEqual(['degenerate-output']);
  });
});

describe('quality in a block', () => {
  const quality: QualityTool = {
    textHash: 'h',
    makeReference: async (server) => `answers of ${server.model}`,
    evaluate: async (server, reference) => ({
      perplexity: 10,
      klDivergence: server.model === 'baseline' ? 0.001 : 0.2,
      top1Agreement: reference === 'answers of baseline' ? 0.9 : 0,
      noiseFloor: null,
      tokens: 100,
    }),
  };
  const lossy = aPlan('q4', { loss: '1-to-3-percent' });

  it('measures baseline and lossy arms in the first block, over the noise floor', async () => {
    const driver = new FakeDriver();
    const { outcomes } = await run(aBlock([baseline, lossy, aPlan('exact')]), driver, fakeTools({ quality }));
    expect(outcomes.map((o) => o.quality?.klDivergence)).toEqual([0.001, 0.2, null]);
    expect(outcomes[1]?.quality).toMatchObject({ noiseFloor: 0.001, top1Agreement: 0.9 });
    expect(driver.happened.filter((h) => h === 'start baseline')).toHaveLength(1);
  });

  it('starts the baseline for its reference where a lossy arm comes first, and keeps the reference', async () => {
    const driver = new FakeDriver();
    const block = aBlock([baseline, lossy], {
      trials: [
        { trialId: 't1', arm: 1 },
        { trialId: 't0', arm: 0 },
      ],
    });
    const { outcomes } = await run(block, driver, fakeTools({ quality }));
    expect(driver.happened.filter((h) => !h.startsWith('prepare'))).toEqual([
      'start baseline',
      'stop baseline',
      'start q4',
      'stop q4',
      'start baseline',
      'stop baseline',
    ]);
    expect(outcomes[0]?.quality?.klDivergence).toBe(0.2);
  });

  it('runs none in later blocks', async () => {
    const { outcomes } = await run(
      aBlock([baseline, lossy], { blockIndex: 1 }),
      new FakeDriver(),
      fakeTools({ quality }),
    );
    expect(outcomes.map((o) => o.quality?.perplexity)).toEqual([null, null]);
  });

  it('says so where the baseline gives no reference, and measures the arm all the same', async () => {
    const driver = new FakeDriver();
    driver.failStart = (plan) => (plan.isBaseline ? new Error('no memory') : null);
    const block = aBlock([baseline, lossy], { trials: [{ trialId: 't1', arm: 1 }] });
    const { outcomes } = await run(block, driver, fakeTools({ quality }));
    expect(outcomes[0]).toMatchObject({ state: 'succeeded', valid: true, quality: { klDivergence: null } });
    expect(outcomes[0]?.findings[0]).toMatchObject({ code: 'quality-not-verified' });
    expect(outcomes[0]?.findings[0]?.message).toContain('no memory');
  });
});
