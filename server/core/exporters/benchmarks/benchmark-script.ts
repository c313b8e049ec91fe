import { type Finding, finding } from '../../plan/finding';
import type { Plan } from '../../plan/plan';
import type { Load, Workload } from '../../workload/workload';
import { oneLine } from '../comment';
import type { ExportInput } from '../exporter';
import { besideServerHead, type Upstream, upstreamOf, upstreamUrl } from '../gateways/upstream';
import { word } from '../shell-script';

/** Seed of a benchmark that repeats no run. */
const SEED = 42;

/** Seed of the prompts and arrivals of the measured run, so that a repetition draws the same; else a fixed one. */
export const seedOf = ({ trial }: ExportInput): { seed: number; note: string } =>
  trial?.seed === undefined
    ? { seed: SEED, note: `seed ${SEED}: no run of this plan is known` }
    : { seed: trial.seed, note: `seed ${trial.seed}, that of the measured run` };

/** Prompt tokens that differ from request to request; the rest is the shared prefix. Tools want one at least. */
export const uniqueTokens = ({ inputTokens, prefixTokens }: Workload): number =>
  Math.max(1, inputTokens - prefixTokens);

export const loadName = (load: Load): string =>
  load.mode === 'closed' ? `closed-${load.concurrency}` : `${load.mode}-${load.ratePerS}`;

export const loadText = (load: Load): string =>
  load.mode === 'closed' ? `${load.concurrency} clients, closed loop` : `${load.ratePerS} requests/s, ${load.mode}`;

export const workloadLine = (workload: Workload): string =>
  `Workload ${workload.title} (${workload.role}): ${workload.inputTokens} prompt tokens (${workload.prefixTokens} shared), ${workload.outputTokens} output tokens, ${workload.warmupS} s warm-up, ${workload.windowS} s window`;

/** Where the server that is measured answers, and under what name; the address may be overridden. */
function targetLines(upstream: Upstream): string[] {
  return [
    `default_url=${word(upstreamUrl(upstream))}`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: bash fills it in
    'base_url="${BASE_URL:-$default_url}"',
  ];
}

/** Name of a tokenizer: a repository, since the tools count tokens by themselves. */
export function tokenizerOf(plan: Plan): string | null {
  const target = plan.checkpoints.find(({ scope }) => scope === 'target');
  return target === undefined || /^bundled:|\.gguf$/i.test(target.repo) ? null : target.repo;
}

export interface BenchmarkParts {
  input: ExportInput;
  about: readonly string[];
  lines: (upstream: Upstream) => readonly string[];
}

/** The script, or the error that there is no traffic to make. */
export function benchmarkScript({ input, about, lines }: BenchmarkParts): {
  script: string | null;
  findings: Finding[];
} {
  if (input.workloads.length === 0) {
    const message = `No workload is known for ${input.plan.deployment}: a benchmark needs one.`;
    return { script: null, findings: [finding('error', 'no-workload', message)] };
  }
  const { upstream, launch } = upstreamOf(input);
  const head = [...besideServerHead(input, { ...launch, findings: [] }, upstream), ...about];
  const script = [
    '#!/usr/bin/env bash',
    ...head.map((line) => `# ${oneLine(line)}`),
    'set -euo pipefail',
    ...targetLines(upstream),
    ...lines(upstream),
    '',
  ].join('\n');
  return { script, findings: [] };
}
