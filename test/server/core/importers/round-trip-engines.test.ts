import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { importText } from '@/server/core/importers/import-text';
import type { Plan } from '@/server/core/plan/plan';
import { exported } from '@/test/fixtures/export-form';
import { compileDocument } from '@/test/fixtures/pipelines';
import type { Place } from '@/test/fixtures/random-catalog';
import { type PlannedGraph, randomPlans } from '@/test/fixtures/random-plans';

const place = (engine: string, devices: readonly string[], runtime: string | null = null): Place => ({
  engine,
  runtime,
  devices,
  models: ['Llama-3.1-8B', 'Qwen3-8B'],
});

/** ROUND_TRIP_SEED=random (or a number) looks at other plans than the usual ones. */
const GIVEN = process.env.ROUND_TRIP_SEED ?? '42';
const SEED = GIVEN === 'random' ? {} : { seed: Number(GIVEN) };

interface Case {
  place: Place;
  forms: readonly string[];
  /** Plans that must come back. */
  plans: number;
}

const CASES: readonly Case[] = [
  {
    place: place('vllm', ['H100-SXM', 'L40S']),
    forms: ['vllm-serve', 'docker-compose', 'systemd-unit'],
    plans: 3,
  },
  {
    place: place('vllm', ['H100-SXM', 'L40S']),
    forms: [
      'kubernetes',
      'kserve-inference-service',
      'kserve-llm-inference-service',
      'ray-serve',
      'vllm-production-stack',
      'skypilot',
      'dynamo',
    ],
    plans: 4,
  },
  { place: place('sglang', ['H100-SXM']), forms: ['sglang-serve', 'kubernetes', 'systemd-unit', 'dynamo'], plans: 2 },
  {
    place: place('llama.cpp', ['RTX-4090', 'cpu-local'], 'llama-server'),
    forms: ['llama-server'],
    plans: 2,
  },
  { place: place('tgi', ['H100-SXM']), forms: ['tgi-launcher', 'kubernetes', 'systemd-unit'], plans: 2 },
  { place: place('lmdeploy', ['H100-SXM', 'L40S']), forms: ['lmdeploy-serve', 'kubernetes'], plans: 2 },
  { place: place('tensorrt-llm', ['H100-SXM']), forms: ['trtllm-serve', 'kubernetes'], plans: 2 },
  { place: place('transformers', ['H100-SXM']), forms: ['transformers-serve'], plans: 2 },
  { place: place('onnxruntime-genai', ['RTX-4090', 'cpu-local']), forms: ['onnxruntime-genai-build'], plans: 2 },
];

/** A folder or a bare word as the source of weights is told by no form. */
const isRepository = (repo: unknown): boolean => typeof repo !== 'string' || /^[\w.-]+\/[\w.-]+$/.test(repo);

/** What a file cannot tell: which weights a pruning made, what an importance matrix was. */
const isTold = ({ document, plan }: PlannedGraph): boolean =>
  // Transformers is told a GGUF file, not where it is from.
  !(plan.components[0]?.engine === 'transformers' && /gguf/.test(JSON.stringify(plan.checkpoints))) &&
  !document.nodes.some(
    ({ type, params }) => /prun|distil/.test(type) || typeof params.imatrix === 'string' || !isRepository(params.repo),
  );

/** Files that tell the whole, where a form writes several. */
const MAIN = ['kubernetes.yaml', 'ray-service.yaml', 'llm.service'];

/** The script or manifest; a configuration file beside it as a here-document in front, as people paste the two. */
function contentOf(plan: Plan, form: string): string | null {
  // Of pools, one is read.
  if (plan.components.length > 1) return null;
  const { files, findings } = exported(plan, form);
  // The form says itself that something is not in it.
  if (findings.some(({ code }) => code === 'not-in-manifest')) return null;
  const main =
    files.find(({ path }) => MAIN.includes(path)) ??
    files.find(({ path }) => path.endsWith('.sh')) ??
    files.find(({ path }) => /\.ya?ml$/.test(path));
  if (main === undefined) return null;
  const others = main.path.endsWith('.sh') ? files.filter((file) => file !== main) : [];
  return [...others.map(({ path, content }) => `cat > ${path} <<'EOF'\n${content}EOF\n`), main.content].join('');
}

const askedOf = (plan: Plan): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(plan.settings).flatMap(([name, { asked }]) => (asked === null ? [] : [[name, asked] as const])),
  );

const launchOf = ({ components, argv }: Plan): unknown => [
  [...(argv ?? [])].sort(),
  components[0]?.env,
  Object.fromEntries((components[0]?.config ?? []).map(({ path, value }) => [path, value])),
];

function importedPlan(text: string): Plan {
  const { pipeline, findings } = importText(text);
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  const { plans, findings: faults } = compileDocument(pipeline);
  const plan = plans.find(({ deploymentNodeId }) => deploymentNodeId !== null);
  if (plan === undefined) throw new Error(`no plan: ${JSON.stringify(faults)}\n${text}`);
  return plan;
}

/** The second file names another graph; from there on every file is the same, byte for byte. */
function expectRoundTrip(plan: Plan, first: string, form: string): void {
  const again = importedPlan(first);
  expect(launchOf(again)).toEqual(launchOf(plan));
  expect(again.request).toEqual(plan.request);
  expect(again.components[0]?.hardware).toEqual(plan.components[0]?.hardware);
  expect(askedOf(again)).toEqual(askedOf(plan));
  const second = contentOf(again, form);
  expect(second).not.toBeNull();
  expect(contentOf(importedPlan(second ?? ''), form)).toBe(second);
}

describe('plans of the whole catalogue', () => {
  it.each(CASES.map((one): [string, string, Case] => [one.place.engine, one.forms.join(', '), one]))(
    '%s: import(export(plan)) has the same settings, as %s',
    (_, __, { place: where, forms, plans }) => {
      fc.assert(
        fc.property(randomPlans(where), fc.constantFrom(...forms), (found, form) => {
          fc.pre(found !== null && isTold(found));
          const first = found === null ? null : contentOf(found.plan, form);
          fc.pre(first !== null);
          if (found !== null && first !== null) expectRoundTrip(found.plan, first, form);
        }),
        // A failure is told by its seed; making it smaller would compile for minutes.
        { numRuns: plans, endOnFailure: true, ...SEED },
      );
    },
    60_000,
  );
});
