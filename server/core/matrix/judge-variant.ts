import { findNodeType } from '../catalog/find-node-type';
import type { NodeType } from '../catalog/node-type';
import { type ArmResult, compileArm } from '../compile/compile-arm';
import type { Engine } from '../engines/engine';
import type { Arm, Participant } from '../pipeline/expand';
import type { Finding } from '../plan/finding';
import type { Plan } from '../plan/plan';
import type { Scope, SettingName } from '../plan/settings';
import { engineConstraints } from '../rules/engine-constraints';
import type { Generation } from './generations';
import { companionsOf, type Variant } from './variants';

export type Support = 'yes' | 'partly' | 'no';

export interface Verdict {
  support: Support;
  /** Arguments, variables, entries or fields that it becomes; null where it is refused. */
  how: string | null;
  /** Why not, or on what condition; null where there is neither. */
  reason: string | null;
  source: string | null;
}

/** One column: an engine, or one of its runtimes. */
export interface MatrixEngine {
  engine: Engine;
  runtime: string | null;
}

/** Models that stand for all: dense in BF16 and in FP16, mixture of experts, latent attention with MTP, MXFP4. */
const MODELS = ['Llama-3.1-8B', 'Llama-2-7B', 'Qwen3-30B-A3B', 'DeepSeek-V3', 'gpt-oss-20b'];
/** For what only a mixture of experts has. */
const WITH_EXPERTS = ['Qwen3-30B-A3B', 'DeepSeek-V3'];
const OF_EXPERTS: readonly string[] = ['expertParallel', 'attentionDataParallel', 'cpuExpertLayers'];

const modelsFor = ({ type, params }: Variant): readonly string[] =>
  Object.keys(type.apply(params as never)).some((name) => OF_EXPERTS.includes(name)) ? WITH_EXPERTS : MODELS;

const TECHNIQUE = 'technique';
const NOTHING_TO_SET = 'nothing to set: the engine or the checkpoint has it already';

function participant(
  id: string,
  type: string | NodeType,
  params: Record<string, unknown>,
  scope: Scope = 'target',
): Participant[] {
  const found = typeof type === 'string' ? findNodeType(type) : type;
  const parsed = found?.params.safeParse(params);
  return found && parsed?.success
    ? [{ node: { id, type: found.type, params }, type: found, scope, params: parsed.data }]
    : [];
}

/** Devices that the parallel settings of the nodes multiply to, or that the pools take. */
function deviceCount(variants: readonly Variant[]): number {
  const pools = variants.flatMap(({ type, params }) => type.policy?.(params as never).disaggregation ?? []);
  const inPools = pools.flatMap(({ prefill, decode }) => [prefill, decode]);
  if (inPools.length > 0) {
    return inPools.reduce((sum, pool) => sum + (pool ? pool.replicas * pool.devices : 0), 0);
  }
  const asked = variants.map(({ type, params }) => type.apply(params as never));
  const size = (name: 'tensorParallel' | 'pipelineParallel' | 'dataParallel' | 'contextParallel'): number =>
    Math.max(1, ...asked.map((settings) => settings[name]?.value ?? 1));
  return size('tensorParallel') * size('pipelineParallel') * size('dataParallel') * size('contextParallel');
}

const DEPLOYMENT = { id: 'deployment', type: 'deployment', params: {} };

function armWith(
  nodes: readonly Participant[],
  { engine, runtime }: MatrixEngine,
  generation: Generation,
  model: string,
  count: number,
): Arm {
  const participants = [
    ...participant('model', 'model', { model }),
    ...nodes,
    ...participant('hardware', 'hardware', { device: generation.device, count }),
    ...participant('engine', 'engine', { engine: engine.id, ...(runtime === null ? {} : { runtime }) }),
    ...participant('deployment', 'deployment', {}),
  ];
  return { id: 'deployment', deployment: DEPLOYMENT, participants, unknownNodeIds: [], choices: [] };
}

const armOfEngine = (column: MatrixEngine, generation: Generation, model: string): Arm =>
  armWith([], column, generation, model, 1);

function armOf(
  variant: Variant,
  companions: readonly Variant[],
  column: MatrixEngine,
  generation: Generation,
  model: string,
): Arm {
  const needsDraft = variant.type.inputs.some((port) => port.scope === 'draft');
  const nodes = [
    ...(needsDraft ? participant('draft', 'model', { model: 'example/draft' }, 'draft') : []),
    ...companions.flatMap((companion, at) => participant(`companion-${at}`, companion.type, companion.params)),
    ...participant(TECHNIQUE, variant.type, variant.params),
  ];
  return armWith(nodes, column, generation, model, deviceCount([variant, ...companions]));
}

const isOurs = ({ nodeId }: { nodeId: string | null }): boolean => nodeId === TECHNIQUE;

/** What stands for a checkpoint or an adapter of the user's own, written as such. */
const named = (words: string): string =>
  words.replaceAll('example/draft', 'DRAFT').replaceAll('example/example', 'CHECKPOINT');

/** What the technique became, in the words of the engine. */
function wordsOf(plan: Plan): string {
  const components = plan.components.flatMap(({ args, config }) => [
    ...args.filter(isOurs).map(({ flag, value }) => (value === null ? flag : `${flag} ${value}`)),
    ...config.filter(isOurs).map(({ path, value }) => `${path}: ${JSON.stringify(value)}`),
  ]);
  return named([...new Set(components)].join(' '));
}

/** "TensorRT-LLM: flashAttention "on": the reason." → the reason; of a constraint only the engine's name goes. */
function bare({ code, message }: Finding): string {
  const before = code.startsWith('setting-') ? /^.+?: \w+ (?:"[^"]*"|[^\s"{[]+|[{[].*[}\]]): / : /^.+?: /;
  return message
    .replace(code.startsWith('setting-') || code === 'engine-constraint' ? before : /^$/, '')
    .replace(/\.$/, '');
}

const CONDITIONS = ['setting-caution', 'engine-constraint'];

const verdictOf = (support: Support, how: string | null, finding: Finding | undefined): Verdict => ({
  support,
  how,
  reason: finding ? bare(finding) : null,
  source: finding?.source ?? null,
});

/** Variables and request fields carry no node: those that are new beside the plan without the technique. */
function looseWords(plan: Plan, base: Plan | null): string[] {
  const fresh = (own: Record<string, unknown>, before: Record<string, unknown> | undefined) =>
    Object.entries(own).filter(([name, value]) => before?.[name] !== value);
  const env = plan.components.flatMap((c, at) =>
    fresh(c.env, base?.components[at]?.env).map(([n, v]) => `${n}=${String(v)}`),
  );
  const request = fresh(plan.request, base?.request).map(
    ([name, value]) => `${name}: ${JSON.stringify(value)} (request)`,
  );
  const policies = plan.policies.gateway !== null || plan.policies.routing !== null || plan.policies.scaling !== null;
  return [...env, ...request, ...(policies ? ['around the engine'] : [])];
}

const AS = { isBaseline: true, synthesized: false };

/** Compiles an arm on the matrix's own terms: the engine's constraints judge, rules over workloads do not. */
const compile = (arm: Arm, engine: Engine): ArmResult =>
  compileArm(arm, { engines: [engine], rules: [engineConstraints] }, [], AS);

/** Arms without their technique, which many cells share: what is said anyway. */
export class BaseArms {
  readonly #known = new Map<string, ArmResult>();

  /** The arm with the technique's node left out, and the draft that only it reads. */
  of(arm: Arm, { engine, runtime }: MatrixEngine): ArmResult {
    const participants = arm.participants.filter((p) => p.node.id !== TECHNIQUE && p.scope !== 'draft');
    const key = JSON.stringify([engine.id, runtime, participants.map(({ node }) => [node.type, node.params])]);
    const known = this.#known.get(key);
    if (known) return known;
    const result = compile({ ...arm, participants }, engine);
    this.#known.set(key, result);
    return result;
  }
}

function judgeWith(arm: Arm, column: MatrixEngine, bases: BaseArms): Verdict & { isOfModel: boolean } {
  const { plan, findings } = compile(arm, column.engine);
  const errors = findings.filter((f) => f.severity === 'error');
  const own = errors.filter(isOurs);
  if (errors.length > 0 || plan === null) {
    const [error] = own.length > 0 ? own : errors;
    // A constraint speaks of this model; an error elsewhere would be there without the technique.
    const isOfModel = own.length === 0 || own.every((f) => f.code === 'engine-constraint');
    return { ...verdictOf('no', null, error), isOfModel };
  }
  const base = bases.of(arm, column);
  const said = new Set(base.findings.map((f) => f.message));
  const condition = findings.find(
    (f) => f.severity === 'warning' && CONDITIONS.includes(f.code) && !said.has(f.message),
  );
  const words = [wordsOf(plan), ...looseWords(plan, base.plan)].filter(Boolean).join(' ');
  return { ...verdictOf(condition ? 'partly' : 'yes', words || NOTHING_TO_SET, condition), isOfModel: false };
}

/** A setting that the engine refuses whatever its value: nothing needs to be compiled to know. */
function flatRefusal({ type, params }: Variant, { engine }: MatrixEngine): Verdict | null {
  for (const name of Object.keys(type.apply(params as never)) as SettingName[]) {
    const lowering = engine.lowering[name];
    if (typeof lowering === 'function') continue;
    return { support: 'no', how: null, reason: lowering.unsupported, source: lowering.source };
  }
  return null;
}

/** By the first model that the engine does not refuse for being what it is. */
function judgeBeside(
  variant: Variant,
  companions: readonly Variant[],
  column: MatrixEngine,
  generation: Generation,
  bases: BaseArms,
): Verdict {
  let first: Verdict | null = null;
  for (const model of modelsFor(variant)) {
    const { isOfModel, ...verdict } = judgeWith(armOf(variant, companions, column, generation, model), column, bases);
    if (verdict.support !== 'no' || !isOfModel) return verdict;
    first ??= verdict;
  }
  return first ?? { support: 'no', how: null, reason: 'there is no model to judge with', source: null };
}

/** One variant on one device; engines differ in what they want beside it, so that it may also stand alone. */
export function judgeVariant(
  variant: Variant,
  column: MatrixEngine,
  generation: Generation,
  bases: BaseArms = new BaseArms(),
): Verdict {
  const flat = flatRefusal(variant, column);
  if (flat !== null) return flat;
  const companions = companionsOf(variant);
  const verdict = judgeBeside(variant, companions, column, generation, bases);
  if (verdict.support !== 'no' || companions.length === 0) return verdict;
  const alone = judgeBeside(variant, [], column, generation, bases);
  return alone.support === 'no' ? verdict : alone;
}

/** Why the engine does not run on the generation at all, whatever the model; null where it does. */
export function refusalOf(column: MatrixEngine, generation: Generation): Verdict | null {
  const results = MODELS.map((model) => compile(armOfEngine(column, generation, model), column.engine));
  if (results.some(({ plan, findings }) => plan !== null && !findings.some((f) => f.severity === 'error'))) return null;
  return verdictOf(
    'no',
    null,
    results[0]?.findings.find((f) => f.severity === 'error'),
  );
}
