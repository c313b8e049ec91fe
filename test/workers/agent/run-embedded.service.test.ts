import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Plan } from '@/server/core/plan/plan';
import { runBlock } from '@/workers/agent/run-block';
import { type ExperimentRun, type RunExperimentOptions, runExperiment } from '@/workers/agent/run-experiment';
import { createBlockTools } from '@/workers/agent/tools';
import type { Driver, RunningEngine } from '@/workers/drivers/driver';
import { createDriverEnvironment } from '@/workers/drivers/environment';
import { createDrivers } from '@/workers/drivers/index';
import { signalGroup } from '@/workers/drivers/owned-processes';
import { createSecretSource } from '@/workers/drivers/secrets';
import { aBlock } from './fixtures';
import { tinySpec } from './tiny-pipeline';

let workDir: string;
let engines: RunningEngine[];
beforeEach(async () => {
  workDir = await mkdtemp(path.join(tmpdir(), 'inferloom-run-'));
  engines = [];
});
afterEach(async () => {
  for (const { pid } of engines) expect(pid !== null && signalGroup(pid, 0)).toBe(false);
  await rm(workDir, { recursive: true, force: true });
});

/** The real tools but for the calibration of the client, which has a test of its own. */
const tools = () => ({ ...createBlockTools(workDir), calibrate: async () => null });

/** The real drivers, each engine noted, each plan changed on its way to the engine. */
function drivers(change: (plan: Plan) => Plan = (plan) => plan): Driver[] {
  const environment = createDriverEnvironment(workDir, createSecretSource({}, {}), process.env);
  return createDrivers(environment).map((driver) => ({
    ...driver,
    start: async (plan, ...rest) => {
      const engine = await driver.start(change(plan), ...rest);
      engines.push(engine);
      return engine;
    },
  }));
}

const run = (options: Partial<RunExperimentOptions> = {}): Promise<ExperimentRun> =>
  runExperiment({
    spec: tinySpec(),
    drivers: drivers(),
    tools: tools(),
    signal: new AbortController().signal,
    maxMs: null,
    ...options,
  });

const outcomesOf = (result: ExperimentRun, deployment: string) =>
  result.trials.filter((t) => tinySpec().arms[t.arm]?.deployment === deployment).map((t) => t.outcome);

describe('a run on the embedded engine', { timeout: 180_000 }, () => {
  it('measures real tokens, reads what the engine applied, and compares quality with the baseline', async () => {
    const result = await run();
    const baseline = outcomesOf(result, 'base').at(-1);
    const small = outcomesOf(result, 'small').at(-1);
    for (const outcome of [baseline, small]) {
      expect(outcome).toMatchObject({ state: 'succeeded', stamp: 'MEASURED', cause: null });
      const metrics = outcome?.points[0]?.metrics ?? {};
      expect(metrics.outputTokensPerS?.value).toBeGreaterThan(1);
      expect(metrics.cpuMsPerOutputToken?.value).toBeGreaterThan(0);
      expect(outcome?.peakMemoryBytes).toBeGreaterThan(20e6);
    }
    expect(small?.effective).toContainEqual(
      expect.objectContaining({ nodeId: 'kv', setting: 'kvCacheKeyType', got: 'Q8_0', state: 'applied' }),
    );
    expect(baseline?.quality?.perplexity).toBeGreaterThan(1);
    expect(baseline?.quality?.klDivergence).toBeCloseTo(0, 6);
    expect(small?.quality?.klDivergence).toBeGreaterThan(0);
    expect(small?.quality?.noiseFloor).toBe(baseline?.quality?.klDivergence);
  });

  it('reads "changed" when the engine is forced to another KV type behind the agent\'s back', async () => {
    const forced = (plan: Plan): Plan => ({
      ...plan,
      components: plan.components.map((c) => ({ ...c, argv: c.argv.map((w) => (/^q8_0$/i.test(w) ? 'q5_1' : w)) })),
    });
    const spec = tinySpec();
    const outcomes = await runBlock({
      block: aBlock([], { spec, blockIndex: 1, trials: [{ trialId: 't', arm: 1 }] }),
      drivers: drivers(forced),
      tools: tools(),
      emit: () => {},
      signal: new AbortController().signal,
    });
    const outcome = outcomes.get('t');
    expect(outcome).toMatchObject({ state: 'succeeded', cause: null });
    const rows = outcome?.effective.filter((row) => row.nodeId === 'kv') ?? [];
    expect(rows.map((r) => [r.setting, r.asked, r.got, r.state])).toEqual([
      ['kvCacheKeyType', 'Q8_0', 'Q5_1', 'changed'],
      ['kvCacheValueType', 'Q8_0', 'Q5_1', 'changed'],
    ]);
  });

  it('ends a trial whose engine is killed -9 with its cause and runs the block again', async () => {
    let kills = 0;
    const again: string[] = [];
    const result = await run({
      onEvent: (trial, body) => {
        const pid = engines.at(-1)?.pid;
        if (body.kind !== 'phase' || body.phase !== 'measuring' || trial.attempt > 1 || kills > 0 || pid == null)
          return;
        kills++;
        setTimeout(() => signalGroup(pid, 'SIGKILL'), 300);
      },
      onBlockAgain: (_block, reason) => again.push(reason),
    });
    const first = result.trials.filter((t) => t.attempt === 1);
    expect(first[0]?.outcome).toMatchObject({
      state: 'failed',
      cause: { code: 'engine-ended', message: 'the engine was ended by signal SIGKILL' },
    });
    expect(first.every((t) => t.superseded)).toBe(true);
    expect(again).toEqual(['failed: the engine was ended by signal SIGKILL']);
    expect(result.trials.filter((t) => t.attempt === 2).map((t) => t.state)).toEqual(['succeeded', 'succeeded']);
  });
});
