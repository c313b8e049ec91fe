import { describe, expect, it } from 'vitest';
import { buildReport } from '@/server/core/run/build-report';
import { reportSchema } from '@/server/core/run/report';
import type { ReportTrial } from '@/server/core/run/report-trial';
import type { EffectiveRow } from '@/server/core/run/trial';
import { context, point, quality, run, spec, trial } from '@/test/fixtures/report-trials';

describe('buildReport', () => {
  it('tells winner, draw and loser in a sentence, and crowns one', () => {
    const report = buildReport(spec, run(), context);
    expect(reportSchema.parse(report)).toEqual(report);
    expect(report.sentence).toMatch(
      /^Q4_K_M gives 2\.25× the baseline's output tokens\/s \(\d\.\d\d–\d\.\d\d\), TTFT p50 −37 %, within the quality budget; /,
    );
    expect(report.sentence).toContain('no cache gives 0.50× the baseline');
    expect(report.sentence).toMatch(/draft makes no significant difference\.$/);
    expect(report.best).toMatchObject({ deployment: 'q4', metric: 'outputTokensPerS' });
    const [base, q4] = report.deployments;
    expect(base?.isBaseline).toBe(true);
    expect(base?.results[0]?.comparison).toEqual({});
    expect(q4?.results[0]?.comparison.outputTokensPerS?.verdict).toBe('faster');
    expect(q4?.results[0]?.trust).toEqual({ grade: 'A', reasons: [] });
    expect(q4?.quality?.klDivergence).toBe(0.02);
  });

  it('combines blocks so that the ratio of figures is the ratio of the verdict', () => {
    const [base, q4] = buildReport(spec, run(), context).deployments;
    const figure = (d: typeof base): number => d?.results[0]?.metrics.outputTokensPerS?.value ?? Number.NaN;
    const change = q4?.results[0]?.comparison.outputTokensPerS?.changePercent ?? Number.NaN;
    expect((figure(q4) / figure(base) - 1) * 100).toBeCloseTo(change, 9);
    expect(q4?.results[0]?.metrics.outputTokensPerS).toMatchObject({ interval: 'blocks', n: 3 });
  });

  it('gives no crown over the quality budget or without a quality figure', () => {
    const over = buildReport(spec, run(0.5), context);
    expect(over.best).toBeNull();
    expect(over.sentence).toContain('over the quality budget');
    const unknown = buildReport(spec, run(null), context);
    expect(unknown.best).toBeNull();
    expect(unknown.sentence).toContain('quality not verified');
  });

  it('blames a technique for degenerate output only where the baseline’s is sane', () => {
    const looping = (arms: number[]) =>
      run().map((t) =>
        arms.includes(t.arm) && t.block === 0 && t.outcome
          ? { ...t, outcome: { ...t.outcome, quality: quality(0.02, '9 of 20 answers repeat one phrase') } }
          : t,
      );
    expect(buildReport(spec, looping([1]), context).best).toBeNull();
    expect(buildReport(spec, looping([1]), context).sentence).toContain('its output is degenerate');
    expect(buildReport(spec, looping([0, 1]), context).best?.deployment).toBe('q4');
  });

  it('never says faster with one block', () => {
    const report = buildReport(
      { ...spec, blocks: 1 },
      run().filter((t) => t.block === 0),
      context,
    );
    expect(JSON.stringify(report)).not.toMatch(/faster|slower/);
    expect(report.sentence).toContain('One block so far');
    expect(report.sentence).toContain('Q4_K_M output tokens/s +125 %');
    expect(report.best).toBeNull();
    expect(report.deployments[1]?.results[0]?.trust.grade).toBe('C');
  });

  it('keeps superseded trials in the history and out of the figures', () => {
    const old = trial(1, 0, point(1, 9999), { superseded: true, trialId: 'old' });
    const later = run().map((t) => (t.block === 0 ? { ...t, attempt: 2 } : t));
    const report = buildReport(spec, [old, ...later], context);
    expect(report.deployments[1]?.results[0]?.metrics).toEqual(
      buildReport(spec, run(), context).deployments[1]?.results[0]?.metrics,
    );
    expect(report.deployments[1]?.results[0]?.trials.map((t) => [t.block, t.attempt, t.superseded])).toEqual([
      [0, 1, true],
      [0, 2, false],
      [1, 1, false],
      [2, 1, false],
    ]);
  });

  it('leaves invalid points out, with their reason, and compares the blocks that remain', () => {
    const bad = point(1000, 1, { valid: false, reasons: ['not possible: x', 'note: the host was busy: 9 on 2 cores'] });
    const trials = run().map((t) => (t.arm === 1 && t.block === 2 ? trial(1, 2, bad) : t));
    const report = buildReport(spec, trials, context);
    const result = report.deployments[1]?.results[0];
    expect(result?.metrics.outputTokensPerS?.n).toBe(2);
    expect(result?.comparison.outputTokensPerS).toMatchObject({ verdict: 'too noisy', moreBlocks: 1 });
    expect(result?.trust).toMatchObject({ grade: 'B' });
    expect(result?.trust.reasons.join()).toContain('not possible: x');
    expect(report.notes.join()).toContain('1 of 12 trials');
    expect(report.notes.join()).toContain('the host was busy');
  });

  it('counts a measurement that met a busy host once, whatever made it busy', () => {
    const busy = ['note: the host was busy: 1-minute load 5.4 on 2 cores', 'note: the host was busy: 9 % stolen'];
    const trials = run().map((t) =>
      t.arm === 1 && t.block === 2 ? trial(1, 2, point(1000, 1, { reasons: busy })) : t,
    );
    const note = buildReport(spec, trials, context).notes.find((text) => text.startsWith('the host was busy'));
    expect(note).toMatch(/\(1 of \d+ measurements met a busy host\)$/);
  });

  it('works on unfinished trials and on none', () => {
    const queued: ReportTrial = {
      trialId: 'q',
      arm: 0,
      block: 0,
      attempt: 1,
      state: 'measuring',
      superseded: false,
      outcome: null,
    };
    const report = buildReport(spec, [queued], context);
    expect(report.deployments[0]?.results[0]?.trust.grade).toBe('invalid');
    expect(report.deployments[0]?.results[0]?.trials[0]?.state).toBe('measuring');
    expect(report.sentence).toContain('No block');
    expect(reportSchema.parse(buildReport(spec, [], context)).best).toBeNull();
  });

  it('shows the worst state of a setting, and one simulated trial stamps the whole', () => {
    const row = (state: EffectiveRow['state']): EffectiveRow => ({
      nodeId: 'n',
      setting: 'kv',
      asked: 1,
      got: 2,
      state,
      evidence: null,
    });
    const trials = run();
    trials[1] = trial(1, 0, point(225, 126), {}, { effective: [row('applied')], stamp: 'SIMULATED' });
    trials[5] = trial(1, 1, point(227, 127), {}, { effective: [row('changed')] });
    const report = buildReport(spec, trials, context);
    expect(report.deployments[1]?.effective).toEqual([row('changed')]);
    expect(report.stamp).toBe('SIMULATED');
  });

  it('says that a demo model shows the method', () => {
    expect(buildReport({ ...spec, demo: true }, run(), context).notes[0]).toBe(
      'demo model: shows the method, not your gain',
    );
  });
});
