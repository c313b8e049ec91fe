import { NOTE_PREFIX } from '@/server/core/metrics/measure-point';
import { type Finding, finding } from '@/server/core/plan/finding';
import type { Plan } from '@/server/core/plan/plan';
import { exportedOnly, exportedOnlyMessage } from '@/server/core/run/exported-only';
import type { AgentEventBody, ClaimedBlock } from '@/server/core/run/protocol';
import type { EffectiveRow, TrialOutcome, TrialPhase } from '@/server/core/run/trial';
import type { RunningEngine } from '../drivers/driver';
import { LaunchError } from '../drivers/launch-error';
import type { BlockTools } from './block-tools';
import type { EngineSession } from './engine-session';
import { whileEngineLives } from './engine-watch';
import { evaluateQuality, needsQuality, referenceOf, unmeasuredQuality } from './evaluate-quality';
import { causeOfFailure } from './failure-cause';
import { createLogBatch } from './log-batch';
import { type Measured, measurePoints } from './measure-points';
import type { Reference } from './reference-cache';

export interface TrialContext {
  block: ClaimedBlock;
  plan: Plan;
  session: EngineSession;
  tools: BlockTools;
  emit(body: AgentEventBody): void;
  signal: AbortSignal;
  /** The next trial can go on with this engine. */
  keepEngine: boolean;
}

const emptyOutcome = (): TrialOutcome => ({
  state: 'succeeded',
  valid: false,
  reasons: [],
  points: [],
  effective: [],
  quality: null,
  engineStartMs: null,
  peakMemoryBytes: null,
  findings: [],
  cause: null,
  command: [],
  stamp: 'MEASURED',
});

/** What a trial ends with that never began. */
export const cancelledOutcome = (): TrialOutcome => ({
  ...emptyOutcome(),
  state: 'cancelled',
  reasons: ['cancelled before it began'],
});

/** One plan run once: from preparing to its outcome. Never throws for what a trial can fail with. */
export async function runTrial(context: TrialContext): Promise<TrialOutcome> {
  const outcome = emptyOutcome();
  const enter = (phase: TrialPhase, detail: string | null = null): void =>
    context.emit({ kind: 'phase', phase, detail });
  const log = createLogBatch((lines) => context.emit({ kind: 'log', lines }));
  try {
    const { engine, reference } = await startEngine(context, outcome, enter, log.push);
    await whileEngineLives(engine, context.signal, (signal) =>
      measureAndEvaluate({ ...context, signal }, engine, reference, outcome, enter),
    );
  } catch (error) {
    const tail = context.session.running()?.logTail() ?? [];
    if (context.signal.aborted) {
      outcome.state = 'cancelled';
      outcome.reasons.push('cancelled before it ended');
    } else {
      outcome.state = 'failed';
      outcome.cause = causeOfFailure(error, engineFile(context), context.plan, tail);
      outcome.reasons.push(outcome.cause.message);
    }
    outcome.valid = false;
  }
  enter('stopping', context.keepEngine && outcome.state === 'succeeded' ? 'the next trial goes on with it' : null);
  if (!context.keepEngine || outcome.state !== 'succeeded') {
    await context.session.stop().catch((error: unknown) => log.push(`stopping the engine: ${String(error)}`));
  }
  log.flush();
  return outcome;
}

const engineFile = (context: TrialContext) =>
  context.tools.engines.find((e) => e.id === context.plan.components[0]?.engine) ?? null;

/** A spec of an older or another server may hold what this agent does not run; measuring a part of it would be a lie. */
function refuseExportedOnly(plan: Plan): void {
  const only = exportedOnly(plan);
  if (only === null) return;
  throw new LaunchError('exported-only', exportedOnlyMessage(plan, only), { logTail: [], command: [] });
}

/** Prepares files, makes the baseline's reference where this trial will need it, and starts or reuses the engine. */
async function startEngine(
  context: TrialContext,
  outcome: TrialOutcome,
  enter: (phase: TrialPhase, detail?: string | null) => void,
  log: (line: string) => void,
): Promise<{ engine: RunningEngine; reference: Reference | null }> {
  const { plan, session, signal } = context;
  enter('preparing');
  refuseExportedOnly(plan);
  const driver = session.driverOf(plan);
  outcome.stamp = driver.stamp;
  const files = await driver.prepare(plan, log, signal);
  const reference = await missingReference(context, outcome, enter, log);
  signal.throwIfAborted();
  enter('starting', session.canReuse(plan) ? 'goes on with the running engine after a cache reset' : null);
  const { engine, isReused } = await session.acquire(plan, files, log, signal);
  outcome.stamp = engine.stamp ?? driver.stamp;
  outcome.engineStartMs = isReused ? null : engine.startMs;
  outcome.command = [...engine.command];
  return { engine, reference };
}

/**
 * The baseline's reference for a lossy plan that comes before the baseline in its block: its engine is started for
 * it alone, before the plan's own. Null where none is needed, or none could be made: then a finding says so.
 */
async function missingReference(
  context: TrialContext,
  outcome: TrialOutcome,
  enter: (phase: TrialPhase, detail?: string | null) => void,
  log: (line: string) => void,
): Promise<Reference | null> {
  const { block, plan, session, signal, tools } = context;
  const baseline = block.spec.arms[0];
  if (tools.quality === null || baseline === undefined) return null;
  if (plan.isBaseline || !needsQuality(plan, block.blockIndex)) return null;
  const known = tools.references.get(baseline.launchHash, tools.quality.textHash);
  if (known !== null) return known;
  enter('preparing', "the baseline's answers on the quality text");
  try {
    const files = await session.driverOf(baseline).prepare(baseline, log, signal);
    const { engine } = await session.acquire(baseline, files, log, signal);
    return await whileEngineLives(engine, signal, (s) => referenceOf(baseline, engine, tools, s));
  } catch (error) {
    if (signal.aborted) throw error;
    outcome.findings.push(qualityFinding(plan, `the baseline gave no reference: ${messageOf(error)}`));
    return null;
  } finally {
    if (!session.canReuse(plan)) await session.stop();
  }
}

async function measureAndEvaluate(
  context: TrialContext,
  engine: RunningEngine,
  reference: Reference | null,
  outcome: TrialOutcome,
  enter: (phase: TrialPhase, detail?: string | null) => void,
): Promise<void> {
  outcome.effective = await readEffective(context, engine, outcome, []);
  const measured = await measurePoints({ ...context, engine });
  outcome.points = measured.points;
  outcome.peakMemoryBytes = measured.peakMemoryBytes;
  enter('evaluating');
  outcome.effective = await readEffective(context, engine, outcome, outcome.effective);
  await evaluate(context, engine, reference, measured, outcome);
  judge(outcome);
}

/** Reads what the engine applied; sent on when it differs from what was known. A failure is a finding, not an end. */
async function readEffective(
  context: TrialContext,
  engine: RunningEngine,
  outcome: TrialOutcome,
  known: EffectiveRow[],
): Promise<EffectiveRow[]> {
  try {
    const rows = await engine.readEffective();
    if (JSON.stringify(rows) !== JSON.stringify(known)) context.emit({ kind: 'effective', rows });
    return rows;
  } catch (error) {
    const message = `what the engine applied could not be read: ${messageOf(error)}`;
    if (!outcome.findings.some((f) => f.code === 'effective-unread')) {
      outcome.findings.push(finding('warning', 'effective-unread', message));
    }
    return known;
  }
}

async function evaluate(
  context: TrialContext,
  engine: RunningEngine,
  reference: Reference | null,
  measured: Measured,
  outcome: TrialOutcome,
): Promise<void> {
  const { block, plan, tools, signal } = context;
  const degenerate = tools.detectDegenerate(measured.texts);
  outcome.quality = unmeasuredQuality(degenerate);
  if (degenerate !== null) {
    outcome.findings.push(finding('warning', 'degenerate-output', degenerate, { nodeId: plan.deploymentNodeId }));
  }
  if (tools.quality === null || !needsQuality(plan, block.blockIndex)) return;
  try {
    const against = plan.isBaseline ? await referenceOf(plan, engine, tools, signal) : reference;
    if (against !== null) outcome.quality = await evaluateQuality(engine, against, tools, degenerate, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    outcome.findings.push(qualityFinding(plan, messageOf(error)));
  }
}

/** A trial is valid if it has points and nothing speaks against any of them. */
function judge(outcome: TrialOutcome): void {
  const isSingle = outcome.points.length === 1;
  for (const point of outcome.points) {
    for (const reason of point.reasons) {
      if (!reason.startsWith(NOTE_PREFIX)) outcome.reasons.push(isSingle ? reason : `${point.workload}: ${reason}`);
    }
  }
  outcome.valid = outcome.points.length > 0 && outcome.points.every((p) => p.valid);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function qualityFinding(plan: Plan, message: string): Finding {
  return finding('warning', 'quality-not-verified', `quality not verified: ${message}`, {
    nodeId: plan.deploymentNodeId,
  });
}
