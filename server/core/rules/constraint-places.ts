import { SETTING_NAMES, type SettingName } from '../plan/settings';
import type { Constraint } from './constraints/tables';
import { variablesOf } from './constraints/variables';
import { argumentName, constraintName } from './context/arguments';
import { placeOf } from './judge';
import type { RuleContext } from './rule';

export interface Place {
  nodeId: string | null;
  field: string | null;
}
const NOWHERE: Place = { nodeId: null, field: null };

const isSetting = (name: string | null): name is SettingName => SETTING_NAMES.some((setting) => setting === name);

/** Node that asked for a setting; for raw text, the engine's field that holds it. */
function placeOfPart(ctx: RuleContext, part: { setting: string | null; nodeId: string | null }, raw: string): Place {
  if (isSetting(part.setting)) return placeOf(ctx, part.setting);
  return part.nodeId === ctx.engineNodeId ? { nodeId: ctx.engineNodeId, field: raw } : NOWHERE;
}

function placeOfArgument(ctx: RuleContext, field: string): Place {
  const { args, config } = ctx.component;
  const arg = args.find((entry) => argumentName(ctx, entry) === field);
  if (arg !== undefined) return placeOfPart(ctx, arg, 'rawArgs');
  const head = (path: string): string => constraintName(ctx.engine.id, path.split('.', 1)[0] ?? path);
  const entry = config.find(({ path }) => head(path) === field);
  return entry === undefined ? NOWHERE : placeOfPart(ctx, entry, 'rawConfig');
}

/** Entry of a block of the configuration file, as `kv_cache_config.dtype`. */
function placeOfEntry(ctx: RuleContext, variable: string): Place {
  const field = variable.split('.')[1] ?? '';
  const entry = ctx.component.config.find(({ path }) => path === variable || path.endsWith(`.${field}`));
  return entry === undefined ? NOWHERE : placeOfPart(ctx, entry, 'rawConfig');
}

/** Settings behind what the plan wants. */
const WISHES: Readonly<Record<string, SettingName>> = {
  spec: 'speculation',
  kv_eviction: 'sinkTokens',
  uses_priority: 'schedulingPolicy',
  needs_metrics: 'metricsEndpoint',
  needs_auth: 'apiKeySecret',
  tensor_parallel: 'tensorParallel',
  pipeline_parallel: 'pipelineParallel',
  expert_parallel: 'expertParallel',
  quantize_at_load: 'weightsFormat',
};

function placeOfWish(ctx: RuleContext, field: string): Place {
  const setting = Object.hasOwn(WISHES, field) ? WISHES[field] : undefined;
  const asked = setting === undefined ? NOWHERE : placeOf(ctx, setting);
  if (asked.nodeId !== null) return asked;
  const { gateway, scaling } = ctx.policies;
  if (field === 'needs_metrics' || field === 'autoscale_on_metrics') {
    return { nodeId: scaling?.nodeIds[0] ?? null, field: scaling === null ? null : 'metric' };
  }
  return field === 'needs_auth' || field === 'rate_limit'
    ? { nodeId: gateway?.nodeIds[0] ?? null, field: null }
    : NOWHERE;
}

const REQUEST_FIELDS: Readonly<Record<string, SettingName>> = { min_p: 'minP', use_beam_search: 'beams' };
const GENERATION_FIELDS: Readonly<Record<string, SettingName>> = { num_beams: 'beams' };
const LOADING_FIELDS: Readonly<Record<string, SettingName>> = {
  attn_implementation: 'attentionBackend',
  dtype: 'computeDtype',
  load_in_4bit: 'weightsFormat',
  load_in_8bit: 'weightsFormat',
};

function placeOfField(ctx: RuleContext, names: Readonly<Record<string, SettingName>>, field: string): Place {
  const setting = Object.hasOwn(names, field) ? names[field] : undefined;
  return setting === undefined ? NOWHERE : placeOf(ctx, setting);
}

function placeOfVariable(ctx: RuleContext, variable: string): Place {
  const [namespace = '', field = ''] = variable.split('.');
  switch (namespace) {
    case 'arg':
      return placeOfArgument(ctx, field);
    case 'spec':
      return placeOf(ctx, 'speculation');
    case 'w':
      return placeOfWish(ctx, field);
    case 'req':
      return placeOfField(ctx, REQUEST_FIELDS, field);
    case 'gen':
      return placeOfField(ctx, GENERATION_FIELDS, field);
    case 'cfg':
      return placeOfField(ctx, LOADING_FIELDS, field);
    case 'serve':
      return placeOfArgument(ctx, field);
    case 'quantize':
    case 'quant':
      return placeOf(ctx, 'weightsFormat');
    case 'draft':
      return { nodeId: ctx.models.draft?.nodeId ?? null, field: null };
    case 'model':
      return { nodeId: ctx.models.target?.nodeId ?? null, field: null };
    case 'hw':
      return { nodeId: ctx.hardware.nodeId, field: null };
    default:
      return placeOfEntry(ctx, variable);
  }
}

/** What the user chose comes before what a model or a device is: there it can be changed. */
const BLAMED_LAST = ['quant', 'draft', 'model', 'hw', 'build', 'backend'];
const BLAMED_FIRST = ['arg', 'kv_cache_config', 'spec', 'quantize', 'req', 'gen', 'cfg', 'w'];

function rank(variable: string): number {
  const namespace = variable.split('.', 1)[0] ?? '';
  const first = BLAMED_FIRST.indexOf(namespace);
  if (first >= 0) return first;
  const last = BLAMED_LAST.indexOf(namespace);
  return last < 0 ? BLAMED_FIRST.length : BLAMED_FIRST.length + 1 + last;
}

/** Node and field that a violated constraint is shown at; the engine where nothing else is to blame. */
export function placeOfConstraint(ctx: RuleContext, constraint: Constraint): Place {
  const variables = variablesOf(constraint).sort((a, b) => rank(a) - rank(b));
  for (const variable of variables) {
    const found = placeOfVariable(ctx, variable);
    if (found.nodeId !== null) return found;
  }
  return { nodeId: ctx.engineNodeId, field: null };
}
