import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AgentEventBody } from '@/server/core/run/protocol';
import { appendBatch } from '@/server/services/appends';
import { claimBlock } from '@/server/services/claims';
import { measureEndpoints } from '@/server/services/endpoints';
import { findEvidence } from '@/server/services/evidence';
import { listExamples } from '@/server/services/examples';
import { startExperiment } from '@/server/services/experiment-start';
import { getExperiment, getSeconds, getTrial, listExperiments } from '@/server/services/experiments';
import { createPipeline, savePipeline } from '@/server/services/pipelines';
import type { Scope } from '@/server/services/scope';
import { agentEvents, outcome } from '@/test/fixtures/experiment';
import { secondRow } from '@/test/fixtures/stream-events';
import { claim, finish, held, trialOf } from '@/test/support/agent';
import { openTestDatabase, type TestDatabase } from '@/test/support/database';
import { makeExperiment, makeTeam, makeWorker } from '@/test/support/team';

let database: TestDatabase;
let team: Scope;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database?.drop());
beforeEach(async () => {
  team = await makeTeam();
});

const demo = () => listExamples().find((example) => example.id === 'demo')?.document;
const input = { revision: null, blocks: null, seed: null, deployments: null };

describe('start', () => {
  it('freezes the stored document: later edits change nothing of the run', async () => {
    const pipeline = await createPipeline(team, { name: 'demo', document: demo() });
    const result = await startExperiment(team, { ...input, pipelineId: pipeline.id, seed: 11, blocks: 2 });
    if (!result.started) throw new Error(JSON.stringify(result.findings));
    const before = await getExperiment(team, result.experimentId);
    await savePipeline(team, { id: pipeline.id, revision: 1, document: { version: 1, nodes: [], edges: [] } });
    const worker = await makeWorker(team);
    const block = await claim(worker);
    expect(block.spec).toEqual(before.spec);
    expect(before.spec.seed).toBe(11);
    expect(before.spec.arms[0]?.isBaseline).toBe(true);
    expect(before.trials).toHaveLength(2 * before.spec.arms.length);
    expect(before.trials.every((trial) => trial.state === 'queued')).toBe(true);
    expect([before.number, before.demo, before.report]).toEqual([1, true, null]);
  });

  it('starts nothing where findings forbid it, and says which', async () => {
    const pipeline = await createPipeline(team, { name: 'empty', document: { version: 1, nodes: [], edges: [] } });
    const result = await startExperiment(team, { ...input, pipelineId: pipeline.id });
    expect(result.started).toBe(false);
    expect(!result.started && result.findings.map((finding) => finding.code)).toContain('no-deployment');
    expect((await listExperiments(team, { limit: 10 })).items).toEqual([]);
  });

  it('refuses a revision that nobody looked at', async () => {
    const pipeline = await createPipeline(team, { name: 'demo', document: demo() });
    await savePipeline(team, { id: pipeline.id, revision: 1, document: demo() });
    await expect(startExperiment(team, { ...input, pipelineId: pipeline.id, revision: 1 })).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  it('numbers experiments within the team, also when several start at once', async () => {
    await Promise.all(Array.from({ length: 5 }, () => makeExperiment(team)));
    const { items } = await listExperiments(team, { limit: 10 });
    expect(items.map((experiment) => experiment.number).sort()).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('measuring endpoints', () => {
  const target = { label: 'Mine', url: 'https://api.example.com/v1', model: 'm', apiKey: 'sk-hush' };
  const load = { inputTokens: 64, outputTokens: 16, concurrency: 2, blocks: 1, windowS: 5 };

  it('makes a pipeline whose key travels as a secret and stands nowhere else', async () => {
    const result = await measureEndpoints(team, {
      targets: [target, { ...target, label: 'Theirs', apiKey: null }],
      ...load,
    });
    if (!result.started) throw new Error(JSON.stringify(result.findings));
    const experiment = await getExperiment(team, result.experimentId);
    expect(JSON.stringify([experiment, await team.db.auditEntry.findMany()])).not.toContain('sk-hush');
    expect(experiment.spec.arms.map((arm) => arm.isBaseline)).toEqual([true, false]);
    const worker = await makeWorker(team, 'w', { engines: {} });
    const block = await claimBlock(worker.scope, worker.workerId);
    expect(Object.values(block?.secrets ?? {})).toEqual(['sk-hush']);
    const [name] = Object.keys(block?.secrets ?? {});
    expect(block?.spec.arms[0]?.components[0]?.endpoint).toEqual({ url: target.url, model: 'm', apiKeySecret: name });
  });

  it('again leaves one secret, and nothing at all where findings forbid it', async () => {
    await measureEndpoints(team, { targets: [target], ...load });
    await measureEndpoints(team, { targets: [target], ...load });
    expect(await team.db.secret.count()).toBe(1);
    const other = await makeTeam();
    const refused = await measureEndpoints(other, { targets: [target], ...load, blocks: 99 }).catch(() => null);
    if (refused?.started === false) expect(await other.db.secret.count()).toBe(0);
  });
});

describe('a measured trial', () => {
  it('shows its seconds while it runs and after, its phases, log tail, and serves as evidence', async () => {
    const { experimentId } = await makeExperiment(team, { blocks: 1 });
    const worker = await makeWorker(team);
    const block = await claim(worker);
    const trialId = trialOf(block, 0);
    const rows = [0, 1, 2].map((t) => secondRow(t));
    const bodies: AgentEventBody[] = [
      { kind: 'phase', phase: 'measuring', detail: null },
      { kind: 'log', lines: ['ready'] },
      ...rows.map((row): AgentEventBody => ({ kind: 'second', workload: 'chat', loadIndex: 0, row })),
    ];
    await appendBatch(worker.scope, { ...held(worker, block), events: agentEvents(trialId, bodies) });
    const expected = [{ trialId, workload: 'chat', loadIndex: 0, rows }];
    expect(await getSeconds(team, trialId)).toEqual(expected);
    const planHash = block.spec.arms[block.trials[0]?.arm ?? 0]?.planHash ?? '';
    expect(await findEvidence(team, planHash)).toBeNull();
    await finish(worker, block, 0, outcome(), 5);
    expect(await getSeconds(team, trialId)).toEqual(expected);
    const trial = await getTrial(team, trialId);
    expect(trial).toMatchObject({ experimentId, logTail: ['ready'], state: 'succeeded', worker: 'worker' });
    expect(trial.phases.map((phase) => phase.phase)).toEqual(['measuring']);
    expect(await findEvidence(team, planHash)).toMatchObject({
      trialId,
      plan: { planHash },
      host: { fingerprint: 'host-a' },
    });
    expect(await findEvidence(await makeTeam(), planHash)).toBeNull();
  });

  it('is no evidence when it was simulated or invalid', async () => {
    await makeExperiment(team, { blocks: 1 });
    const worker = await makeWorker(team);
    const block = await claim(worker);
    await finish(worker, block, 0, outcome({ stamp: 'SIMULATED' }));
    await finish(worker, block, 1, outcome({ stamp: 'SIMULATED' }));
    for (const arm of block.spec.arms) expect(await findEvidence(team, arm.planHash)).toBeNull();
  });
});
