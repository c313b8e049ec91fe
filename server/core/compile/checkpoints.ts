import type { CheckpointRequest } from '../catalog/node-type';
import type { Engine } from '../engines/engine';
import type { Participant } from '../pipeline/expand';
import { hashOf } from '../plan/canonical';
import { type Finding, finding } from '../plan/finding';
import type { Checkpoint } from '../plan/plan';
import type { AskedSetting } from '../plan/settings';
import { containerOf, isUnquantized, typeOf } from './formats';
import type { ResolvedModel } from './resolve-models';

const slug = (text: string): string => text.replace(/[^A-Za-z0-9._-]+/g, '-');

/** Format that the engine loads without anybody asking: the model's own, converted where only the container differs. */
export function nativeFormat(model: ResolvedModel, engine: Engine): string {
  const containers = engine.weightFormats.map(containerOf);
  const own = model.formats.find((format) => containers.includes(containerOf(format)));
  if (own !== undefined) return own;
  // llama.cpp's converter reads a Hugging Face checkpoint and writes F16.
  return containers.includes('gguf') ? 'gguf:F16' : (model.formats[0] ?? 'safetensors:unknown');
}

type Recipe = NonNullable<Checkpoint['recipe']>;
type Step = NonNullable<Recipe['before']>[number];

/**
 * GGUF files of the bundled models and of recipes are named MODEL-TYPE.gguf, lower case as the demo files are; other
 * recipes write a folder MODEL-TYPE. A recipe with options of its own has them in its name, as a short hash.
 */
function fileNameOf(model: ResolvedModel, format: string, recipe: Recipe | null): string {
  const special = recipe !== null && (recipe.options !== undefined || recipe.before !== undefined);
  const mark = special ? `-${hashOf([recipe.tool, recipe.options, recipe.before]).slice(0, 8)}` : '';
  const made = `${slug(model.id)}-${typeOf(format).toLowerCase()}${mark}`;
  if (containerOf(format) === 'gguf') return `${made}.gguf`;
  if (recipe !== null) return made;
  return model.repo.startsWith('bundled:') ? slug(model.id) : model.repo;
}

type Made = { checkpoint: Checkpoint | null; findings: Finding[] };

const none = (code: string, message: string, where: Partial<Finding>): Made => ({
  checkpoint: null,
  findings: [finding('error', code, message, where)],
});

const stepsOf = (before: readonly Step[]): Pick<Recipe, 'before'> =>
  before.length === 0 ? {} : { before: [...before] };

/** The model's own file, or a plain conversion of it. */
function nativeCheckpoint(model: ResolvedModel, format: string, before: readonly Step[]): Checkpoint {
  const { scope, id, repo, revision, path, nodeId } = model;
  const shared = { scope, model: id, revision, format, nodeId };
  const fromFormat = model.formats[0] ?? 'safetensors:unknown';
  const isMade = path === null && !model.formats.includes(format);
  const [last, ...earlier] = [...before].reverse();
  if (!isMade && last === undefined) {
    const fileName = path ?? fileNameOf(model, format, null);
    return { ...shared, repo: path ?? repo, source: 'checkpoint', recipe: null, fileName };
  }
  const recipe: Recipe =
    isMade || last === undefined
      ? { tool: 'convert_hf_to_gguf.py', fromFormat, toType: typeOf(format), ...stepsOf(before) }
      : { tool: last.tool, fromFormat, toType: typeOf(format), options: last.options, ...stepsOf(earlier.reverse()) };
  const fileName = fileNameOf(model, format, recipe);
  return { ...shared, repo: path ?? repo, source: 'recipe', recipe, fileName };
}

/** Repositories that the facts know to hold the format, best first. */
function knownRepos(model: ResolvedModel, format: string, { knownAs, knownMatching }: CheckpointRequest): string[] {
  const keys = knownAs ?? [containerOf(format).toUpperCase()];
  const repos = keys.flatMap((key) => model.facts?.quantizedRepos[key] ?? []);
  return knownMatching === undefined ? repos : repos.filter((repo) => knownMatching.test(repo));
}

/** Other sources of the same node that give a file, as quick fixes go: the recipe, else the engine at load. */
function otherSource(technique: Participant): { source: string; label: string } | null {
  for (const [source, label] of [
    ['recipe', 'Make it from the unquantized model'],
    ['online', 'Let the engine quantize it at load'],
  ] as const) {
    const params = { ...technique.params, source };
    const isValid = technique.type.params.safeParse(params).success;
    if (isValid && technique.type.checkpoint?.(params as never).source === source) return { source, label };
  }
  return null;
}

function downloaded(
  model: ResolvedModel,
  asked: AskedSetting<'weightsFormat'>,
  request: CheckpointRequest,
  technique: Participant,
): Made {
  const { nodeId } = asked;
  const from = request.repo ?? knownRepos(model, asked.value, request)[0];
  if (from === undefined) {
    const isGguf = containerOf(asked.value) === 'gguf';
    const what = isGguf ? 'GGUF files' : `${typeOf(asked.value)} weights`;
    const message = `No repository with ${what} of ${model.id} is known; name one, or make the file from the unquantized model.`;
    const other = otherSource(technique);
    const label = isGguf && other?.source === 'recipe' ? 'Make it with llama-quantize' : (other?.label ?? '');
    const edits = [{ op: 'set-param' as const, nodeId, field: 'source', value: other?.source }];
    return none('checkpoint-unknown', message, { nodeId, field: 'repo', fix: other && { label, edits } });
  }
  const base = (from.split('/').pop() ?? from).replace(/-gguf$/i, '');
  const fileName = containerOf(asked.value) === 'gguf' ? `${slug(base)}-${typeOf(asked.value)}.gguf` : from;
  const shared = { scope: model.scope, model: model.id, repo: from, revision: null, format: asked.value };
  return {
    checkpoint: { ...shared, source: 'checkpoint', recipe: null, fileName, nodeId },
    findings: [],
  };
}

/** Made here by a tool, or by the engine while it loads; both start from unquantized weights. */
function made(
  model: ResolvedModel,
  asked: AskedSetting<'weightsFormat'>,
  request: CheckpointRequest,
  before: readonly Step[],
): Made {
  const { nodeId, field, value: format } = asked;
  const from = model.formats[0] ?? 'safetensors:unknown';
  if (!isUnquantized(from)) {
    const message = `${model.path ?? model.id} is ${from} already; quantizing it again adds loss on loss. Start from an unquantized file.`;
    return none('requantization', message, { nodeId, field });
  }
  const repo = model.path ?? model.repo;
  const shared = { scope: model.scope, model: model.id, repo, revision: model.revision, format };
  if (request.source === 'online') {
    const fileName = model.path ?? fileNameOf(model, from, null);
    return { checkpoint: { ...shared, source: 'online', recipe: null, fileName, nodeId }, findings: [] };
  }
  const options = Object.keys(request.options ?? {}).length > 0 ? { options: { ...request.options } } : {};
  const tool = request.tool ?? 'llama-quantize';
  const recipe: Recipe = { tool, fromFormat: from, toType: typeOf(format), ...options, ...stepsOf(before) };
  const fileName = fileNameOf(model, format, recipe);
  return { checkpoint: { ...shared, source: 'recipe', recipe, fileName, nodeId }, findings: [] };
}

interface Pruned {
  model: ResolvedModel;
  before: Step[];
  /** Node of the last recipe step. */
  nodeId: string | null;
}

/** What techniques do that keep the model's format: another repository in its place, or a step before the others. */
function pruned(model: ResolvedModel, techniques: readonly Participant[]): Pruned {
  const result: Pruned = { model, before: [], nodeId: null };
  for (const { type, params, node } of techniques) {
    const request = type.checkpoint?.(params as never);
    if (request === undefined) continue;
    if (request.source === 'recipe') {
      result.before.push({ tool: request.tool ?? 'unknown', options: { ...request.options } });
      result.nodeId = node.id;
    } else if (request.repo !== null) {
      result.model = { ...result.model, repo: request.repo, revision: null, path: null, nodeId: node.id };
    }
  }
  return result;
}

/**
 * The checkpoint of one scope: the format that a weights technique asked for, else the model's own. `techniques`: all
 * of the scope's nodes that say where weights come from, in the order of the chain.
 */
export function checkpointOf(
  own: ResolvedModel,
  asked: AskedSetting<'weightsFormat'> | null,
  techniques: readonly Participant[],
  engine: Engine,
): Made {
  const technique = techniques.find((p) => p.node.id === asked?.nodeId);
  const request = technique?.type.checkpoint?.(technique.params as never);
  const others = techniques.filter((p) => p !== technique);
  const { model, before, nodeId } = pruned(own, others);
  if (!asked || !request || !technique) {
    return { checkpoint: nativeCheckpoint(model, nativeFormat(model, engine), before), findings: [] };
  }
  if (before.length > 0 && request.source !== 'recipe') {
    const how = request.source === 'online' ? 'quantizes the original at load' : 'downloads other weights';
    const message = `"${nodeId}" makes pruned weights here, and "${asked.nodeId}" ${how}: the pruning would be lost. Let both be made here, or name a repository with the result.`;
    return none('recipe-lost', message, { nodeId: asked.nodeId, field: 'source' });
  }
  if (request.source === 'checkpoint') return downloaded(model, asked, request, technique);
  return made(model, asked, request, before);
}
