import { measurePoint, NOTE_PREFIX } from '@/server/core/metrics/measure-point';
import type { StampError } from '@/server/core/metrics/stamp-error';
import type { Plan } from '@/server/core/plan/plan';
import { planPhysics } from '@/server/core/run/plan-physics';
import type { AgentEventBody, ClaimedBlock } from '@/server/core/run/protocol';
import type { Point, TrialPhase } from '@/server/core/run/trial';
import type { Load, Workload } from '@/server/core/workload/workload';
import type { RunningEngine } from '../drivers/driver';
import type { EngineSample, LoadResult } from '../load/load-types';
import { readAllProcesses, readPssBytes } from '../telemetry/proc';
import { contentionNotes, summarizeTelemetry } from '../telemetry/summary';
import type { BlockTools } from './block-tools';

/** CPU and memory of a process group at this instant; nulls without a process of ours. */
export async function sampleGroup(pid: number | null): Promise<EngineSample> {
  if (pid === null) return { cpuMs: null, residentBytes: null, joules: null };
  const members = (await readAllProcesses()).filter((p) => p.group === pid || p.pid === pid);
  if (members.length === 0) return { cpuMs: null, residentBytes: null, joules: null };
  const pss = await Promise.all(members.map((p) => readPssBytes(p.pid)));
  return {
    cpuMs: members.reduce((sum, p) => sum + p.cpuMs + p.reapedChildrenCpuMs, 0),
    residentBytes: members.reduce((sum, p, i) => sum + (pss[i] ?? p.rssBytes), 0),
    joules: null,
  };
}

/** In words, for phases and reasons. */
export function describeLoad(load: Load): string {
  return load.mode === 'closed' ? `${load.concurrency} at a time` : `${load.ratePerS} requests/s, ${load.mode}`;
}

export interface MeasureContext {
  block: ClaimedBlock;
  plan: Plan;
  engine: RunningEngine;
  tools: BlockTools;
  emit(body: AgentEventBody): void;
  signal: AbortSignal;
}

export interface Measured {
  points: Point[];
  /** Output texts of measured requests, for the degenerate-output detector. */
  texts: string[];
  peakMemoryBytes: number | null;
}

/** Every workload at every load level, one point each, in the order of the experiment. */
export async function measurePoints(context: MeasureContext): Promise<Measured> {
  const measured: Measured = { points: [], texts: [], peakMemoryBytes: null };
  for (const workload of context.block.spec.workloads) {
    for (const [loadIndex, load] of workload.loads.entries()) {
      const stampError = await calibrateFor(context, load);
      const sampler = context.tools.startSampler(context.engine.pid);
      try {
        const result = await runOne(context, workload, load, loadIndex);
        const samples = await sampler.stop();
        const point = toPoint(
          context,
          workload,
          load,
          { ...result, client: { ...result.client, stampError } },
          samples,
        );
        measured.points.push(point);
        context.emit({ kind: 'point', point });
        const blob = await context.tools.encodeRecords(result.records);
        context.emit({ kind: 'records', workload: workload.id, loadIndex, blob });
        measured.texts.push(
          ...result.records.flatMap((r) => (r.phase === 'measure' && r.text !== null ? [r.text] : [])),
        );
        const peaks = [
          measured.peakMemoryBytes,
          result.usage?.peakMemoryBytes ?? null,
          ...samples.map((s) => s.engineMemoryBytes),
        ];
        measured.peakMemoryBytes = peaks.reduce((max, v) => (v === null ? max : Math.max(max ?? 0, v)), null);
      } finally {
        await sampler.stop();
      }
    }
  }
  return measured;
}

/** Once a level and host, on the idle engine's host. A host that cannot calibrate still measures, and says nothing of it. */
async function calibrateFor({ tools, signal, emit }: MeasureContext, load: Load): Promise<StampError | null> {
  try {
    return await tools.calibrate(load, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    const why = error instanceof Error ? error.message : String(error);
    emit({ kind: 'log', lines: [`the load client was not calibrated: ${why}`] });
    return null;
  }
}

function runOne(context: MeasureContext, workload: Workload, load: Load, loadIndex: number): Promise<LoadResult> {
  const { block, engine, plan, tools } = context;
  const component = plan.components[0];
  const known = tools.engines.find((e) => e.id === component?.engine);
  const detail = `${workload.title}, ${describeLoad(load)}`;
  let phase: TrialPhase | null = null;
  const enter = (next: TrialPhase): void => {
    if (phase === next) return;
    phase = next;
    context.emit({ kind: 'phase', phase: next, detail });
  };
  return tools.runLoad({
    url: engine.url,
    model: engine.model,
    apiKey: engine.apiKey,
    workload,
    load,
    loadIndex,
    seed: block.spec.seed,
    blockIndex: block.blockIndex,
    request: plan.request,
    maxRequests: null,
    onEngineHost: engine.pid !== null,
    counters:
      known === undefined || component?.endpoint !== null
        ? null
        : { url: `${engine.url}${known.metricsPath}`, names: known.metricNames },
    sample: () => sampleGroup(engine.pid),
    onSecond: (row) => context.emit({ kind: 'second', workload: workload.id, loadIndex, row }),
    onPhase: (p) => enter(p === 'sizing' || p === 'warming' ? 'warming' : 'measuring'),
    signal: context.signal,
  });
}

function toPoint(
  context: MeasureContext,
  workload: Workload,
  load: Load,
  result: LoadResult,
  samples: Parameters<typeof summarizeTelemetry>[0],
): Point {
  const { plan, tools } = context;
  const gpus = plan.components.reduce(
    (sum, c) => sum + (c.hardware.kind === 'gpu' ? c.hardware.count * c.replicas : 0),
    0,
  );
  const point = measurePoint({
    records: result.records,
    window: result.window,
    client: result.client,
    counters: result.counters,
    usage: result.usage,
    workload,
    load,
    gpus: gpus === 0 ? null : gpus,
    pricePerHourUsd: plan.pricePerHourUsd,
    physics: planPhysics(plan),
  });
  const summary = summarizeTelemetry(
    samples,
    result.zeroEpochMs + result.window.startMs,
    result.zeroEpochMs + result.window.endMs,
  );
  const notes = contentionNotes(summary, tools.cores).map((note) => NOTE_PREFIX + note);
  return { ...point, reasons: [...point.reasons, ...notes] };
}
