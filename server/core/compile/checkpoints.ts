import type { Engine } from '../engines/engine';
import type { Participant } from '../pipeline/expand';
import { type Finding, finding } from '../plan/finding';
import type { Checkpoint } from '../plan/plan';
import type { AskedSetting } from '../plan/settings';
import type { ResolvedModel } from './resolve-models';

const containerOf = (format: string): string => format.split(':', 1)[0] ?? format;
const typeOf = (format: string): string => format.slice(containerOf(format).length + 1);
const slug = (text: string): string => text.replace(/[^A-Za-z0-9._-]+/g, '-');

/** Format that the engine loads without anybody asking: the model's own, converted where only the container differs. */
export function nativeFormat(model: ResolvedModel, engine: Engine): string {
  const containers = engine.weightFormats.map(containerOf);
  const own = model.formats.find((format) => containers.includes(containerOf(format)));
  if (own !== undefined) return own;
  // llama.cpp's converter reads a Hugging Face checkpoint and writes F16.
  return containers.includes('gguf') ? 'gguf:F16' : (model.formats[0] ?? 'safetensors:unknown');
}

/** GGUF files of the bundled models and of recipes are named MODEL-TYPE.gguf, lower case as the demo files are. */
function fileNameOf(model: ResolvedModel, format: string): string {
  if (containerOf(format) === 'gguf') return `${slug(model.id)}-${typeOf(format).toLowerCase()}.gguf`;
  return model.repo.startsWith('bundled:') ? slug(model.id) : model.repo;
}

type Made = { checkpoint: Checkpoint | null; findings: Finding[] };

/** The model's own file, or a plain conversion of it. */
function nativeCheckpoint(model: ResolvedModel, format: string): Checkpoint {
  const { scope, id, repo, revision, path, nodeId } = model;
  const shared = { scope, model: id, revision, format, nodeId };
  if (path !== null) return { ...shared, repo: path, source: 'checkpoint', recipe: null, fileName: path };
  const fileName = fileNameOf(model, format);
  if (model.formats.includes(format)) return { ...shared, repo, source: 'checkpoint', recipe: null, fileName };
  const fromFormat = model.formats[0] ?? 'safetensors:unknown';
  const recipe = { tool: 'convert_hf_to_gguf.py', fromFormat, toType: typeOf(format) };
  return { ...shared, repo, source: 'recipe', recipe, fileName };
}

function downloaded(model: ResolvedModel, asked: AskedSetting<'weightsFormat'>, repo: string | null): Made {
  const container = containerOf(asked.value);
  const known = model.facts?.quantizedRepos[container.toUpperCase()] ?? [];
  const from = repo ?? known[0];
  if (from === undefined) {
    const message = `No repository with ${container.toUpperCase()} files of ${model.id} is known; name one, or make the file from the unquantized model.`;
    const fix = {
      label: 'Make it with llama-quantize',
      edits: [{ op: 'set-param' as const, nodeId: asked.nodeId, field: 'source', value: 'recipe' }],
    };
    return {
      checkpoint: null,
      findings: [finding('error', 'checkpoint-unknown', message, { nodeId: asked.nodeId, field: 'repo', fix })],
    };
  }
  const base = (from.split('/').pop() ?? from).replace(/-gguf$/i, '');
  const checkpoint: Checkpoint = {
    scope: model.scope,
    model: model.id,
    repo: from,
    revision: null,
    format: asked.value,
    source: 'checkpoint',
    recipe: null,
    fileName: `${slug(base)}-${typeOf(asked.value)}.gguf`,
    nodeId: asked.nodeId,
  };
  return { checkpoint, findings: [] };
}

const UNQUANTIZED = ['F16', 'F32', 'BF16', 'bfloat16', 'float16', 'float32', 'unknown'];

function recipe(model: ResolvedModel, asked: AskedSetting<'weightsFormat'>, tool: string): Made {
  const from = model.formats[0] ?? 'safetensors:unknown';
  if (!UNQUANTIZED.includes(typeOf(from))) {
    const message = `${model.path ?? model.id} is ${from} already; quantizing it again adds loss on loss. Start from an unquantized file.`;
    return {
      checkpoint: null,
      findings: [finding('error', 'requantization', message, { nodeId: asked.nodeId, field: asked.field })],
    };
  }
  const checkpoint: Checkpoint = {
    scope: model.scope,
    model: model.id,
    repo: model.path ?? model.repo,
    revision: model.revision,
    format: asked.value,
    source: 'recipe',
    recipe: { tool, fromFormat: from, toType: typeOf(asked.value) },
    fileName: fileNameOf(model, asked.value),
    nodeId: asked.nodeId,
  };
  return { checkpoint, findings: [] };
}

/** The checkpoint of one scope: the format that a weights technique asked for, else the model's own. */
export function checkpointOf(
  model: ResolvedModel,
  asked: AskedSetting<'weightsFormat'> | null,
  technique: Participant | null,
  engine: Engine,
): Made {
  const request = technique?.type.checkpoint?.(technique.params as never);
  if (!asked || !request) return { checkpoint: nativeCheckpoint(model, nativeFormat(model, engine)), findings: [] };
  if (request.source === 'checkpoint') return downloaded(model, asked, request.repo);
  return recipe(model, asked, request.tool ?? 'llama-quantize');
}
