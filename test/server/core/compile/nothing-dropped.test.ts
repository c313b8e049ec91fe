import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { z } from 'zod';
import { findNodeType } from '@/server/core/catalog/find-node-type';
import { validateParams } from '@/server/core/catalog/validate-params';
import { compilePipeline } from '@/server/core/compile/compile-pipeline';
import { engineDefaults, isDefault, type LoweredSettings, lowerSettings } from '@/server/core/compile/lower-settings';
import { type ResolvedArm, resolveArm } from '@/server/core/compile/resolve-arm';
import { ENGINES } from '@/server/core/engines/index';
import { activeGraph } from '@/server/core/pipeline/bypass';
import type { Pipeline } from '@/server/core/pipeline/document';
import { expandDeployment } from '@/server/core/pipeline/expand';
import { canonicalText } from '@/server/core/plan/canonical';
import type { Component } from '@/server/core/plan/plan';
import { type AskedSetting, settingSchemas } from '@/server/core/plan/settings';
import { RULES } from '@/server/core/rules/index';
import { type Place, randomGraph } from '@/test/fixtures/random-catalog';

const GPUS = ['H100-SXM', 'A100-80GB-SXM', 'RTX-4090', 'B200-SXM', 'MI300X', 'T4'];
const MODELS = ['Llama-3.1-8B', 'Qwen3-30B-A3B', 'DeepSeek-V3'];
const places: Place[] = ENGINES.flatMap((engine): Place[] => {
  if (engine.id === 'endpoint') return [];
  const runtimes = engine.runtimes.length > 0 ? engine.runtimes.map((r) => r.id) : [null];
  return runtimes.map((runtime) => {
    if (runtime === 'embedded')
      return { engine: engine.id, runtime, devices: ['cpu-local'], models: ['inferloom-demo'] };
    return { engine: engine.id, runtime, devices: [...GPUS, 'cpu-local'], models: MODELS };
  });
});

/** The arm `dep` with its parts looked up; null where something of it is refused before any setting is lowered. */
function resolvedArm(document: Pipeline): ResolvedArm | null {
  const graph = activeGraph(document);
  const params = new Map(
    document.nodes.flatMap((n) => {
      const type = findNodeType(n.type);
      return type ? [[n.id, validateParams(type, n)] as const] : [];
    }),
  );
  const deployment = document.nodes.find((n) => n.id === 'dep');
  const [arm] = deployment ? expandDeployment({ graph, params, deployment }, 1).arms : [];
  return arm ? resolveArm(arm, ENGINES, []).resolved : null;
}

/** Values of the settings that are words. */
const WORDS = [
  'float32',
  'bfloat16',
  'FP8',
  'F16',
  'Q8_0',
  'first-come',
  'priority',
  'recompute',
  'never',
  'triton',
  'xgrammar',
  'guidance',
];

/** What an engine gets, without remarks. */
const given = ({ args, env, config, request }: LoweredSettings): string =>
  canonicalText([args.map((a) => [a.flag, a.value]), env, config.map((e) => [e.path, e.value]), request]);

const lower = (arm: ResolvedArm): LoweredSettings => lowerSettings(arm, engineDefaults(arm));

/** The arm without what the engine refuses: what is left makes a plan. Null where the weights are refused. */
function accepted(arm: ResolvedArm): ResolvedArm | null {
  let left = arm;
  for (;;) {
    const refused = lower(left).findings.filter((f) => f.severity === 'error');
    const asked = left.asked.copy();
    for (const setting of left.asked.list()) {
      const isRefused = refused.some((f) => f.nodeId === setting.nodeId && f.message.includes(setting.name));
      if (isRefused && setting.name === 'weightsFormat') return null;
      if (isRefused) asked.remove(setting);
    }
    if (asked.list().length === left.asked.list().length) return left;
    left = { ...left, asked };
  }
}

/** A checkpoint is seen by its name; that it is pruned says itself. */
function isCheckpointSeen(asked: AskedSetting, arm: ResolvedArm, lowered: LoweredSettings): boolean {
  if (asked.name !== 'weightsFormat' && asked.name !== 'weightsSparsity') return false;
  // TGI starts from the heads, which name their model themselves.
  if (lowered.args.some((arg) => arg.setting === 'weightsFormat' && arg.scope === asked.scope)) return true;
  const checkpoint = arm.checkpoints.find((c) => c.scope === asked.scope);
  const names = [checkpoint?.repo, checkpoint?.fileName].filter((name) => name !== undefined);
  return names.some((name) => given(lowered).includes(JSON.stringify(name).slice(1, -1)));
}

/** Whether a setting is seen anywhere: by its name, by a change of what the engine gets, or by a finding. */
function isSeen(asked: AskedSetting, arm: ResolvedArm, lowered: LoweredSettings): boolean {
  if (isDefault(asked, engineDefaults(arm)) || isCheckpointSeen(asked, arm, lowered)) return true;
  const own = [...lowered.args, ...lowered.config].some((e) => e.setting === asked.name && e.scope === asked.scope);
  if (own || lowered.findings.some((f) => f.nodeId === asked.nodeId && f.message.includes(asked.name))) return true;
  const without = arm.asked.copy();
  without.remove(asked);
  return given(lower({ ...arm, asked: without })) !== given(lowered) || isOnlyWay(asked, arm, lowered);
}

/** Whether other values are refused or give something else: then what was asked is what the engine does in any case. */
function isOnlyWay(asked: AskedSetting, arm: ResolvedArm, lowered: LoweredSettings): boolean {
  const { value } = asked;
  const schema: z.ZodType = settingSchemas[asked.name];
  const others = [
    value === 'on' ? 'off' : 'on',
    value !== true,
    Number(value) + 1,
    Number(value) * 64,
    Number(value) * 1e6,
    ...WORDS,
  ];
  const valid = others.filter((other) => other !== value && schema.safeParse(other).success);
  return valid.some((other) => {
    const changed = arm.asked.copy();
    changed.set({ ...asked, value: other as never });
    const result = lower({ ...arm, asked: changed });
    return given(result) !== given(lowered) || result.findings.length > lowered.findings.length;
  });
}

function at(document: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document);
}

/** Every argument stands in argv, every entry in the file. */
function expectWhole({ argv, args, config, files }: Component): void {
  for (const { flag, value } of args) {
    expect(argv).toContain(flag);
    if (value !== null) expect(argv).toContain(value);
  }
  if (config.length === 0) return;
  const document = parse(files[0]?.content ?? '');
  for (const { path, value } of config) expect(canonicalText(at(document, path))).toBe(canonicalText(value));
}

const title = ({ engine, runtime }: Place): string => (runtime === null ? engine : `${engine} (${runtime})`);

describe('nothing is dropped on the way to a plan', () => {
  it.each(places.map((place) => [title(place), place] as const))('%s', { timeout: 60_000 }, (_, place) => {
    fc.assert(
      fc.property(randomGraph(place), (document) => {
        const whole = resolvedArm(document);
        const arm = whole && accepted(whole);
        if (arm === null) return;
        const lowered = lower(arm);
        expect(lowered.findings.filter((f) => f.severity === 'error').map((f) => f.message)).toEqual([]);
        const dropped = arm.asked.list().filter((asked) => !isSeen(asked, arm, lowered));
        expect(dropped.map((asked) => [asked.scope, asked.name, asked.value])).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });

  it.each(places.map((place) => [title(place), place] as const))(
    '%s: plans are whole and the same twice',
    {
      timeout: 60_000,
    },
    (_, place) => {
      const options = { engines: ENGINES, rules: RULES };
      fc.assert(
        fc.property(randomGraph(place, 5), (document) => {
          const compiled = compilePipeline(document, options);
          expect(canonicalText(compilePipeline(structuredClone(document), options))).toBe(canonicalText(compiled));
          const plan = compiled.plans.find((p) => p.deployment === 'dep');
          const isRefused = compiled.findings.some((f) => f.severity === 'error');
          if (plan === undefined) expect(isRefused).toBe(true);
          for (const component of plan?.components ?? []) expectWhole(component);
          for (const [name, value] of Object.entries(plan?.policies ?? {})) {
            if (value !== null)
              expect([name, value.nodeIds.every((id) => plan?.nodeIds.includes(id))]).toEqual([name, true]);
          }
        }),
        { numRuns: 15 },
      );
    },
  );
});
