import { shellWords } from '../engines/shell-words';
import { GGUF_QUANTIZATION_TYPES } from '../facts/gguf-types';
import type { ModelFacts } from '../facts/model-facts';
import { findModel, MODELS } from '../facts/models';
import type { Reading } from './reading';
import { keyOfName, techniqueOfCheckpoint, techniqueOfMadeName } from './weights-techniques';

/** A model node, and the weights technique behind it where its file is quantized. */
export interface ModelIntent {
  params: Record<string, unknown>;
  technique: { type: string; params: Record<string, unknown> } | null;
  /** Format that the engine reads, `safetensors:unknown` where nothing tells it. */
  format: string;
  /** Repository or path, as the engine is told. */
  name: string;
  revision: string | null;
}

const lastPart = (path: string): string => path.split('/').pop() ?? path;
const slug = (text: string): string => text.replace(/[^A-Za-z0-9._-]+/g, '-');
const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

interface Relative {
  facts: ModelFacts;
  /** Key of `quantizedRepos`. */
  key: string;
}

/** Model in whose table of quantized checkpoints a repository stands. */
function relativeOf(repo: string): Relative | null {
  for (const facts of MODELS) {
    const found = Object.entries(facts.quantizedRepos).find(([, repos]) => repos.some((r) => sameName(r, repo)));
    if (found !== undefined) return { facts, key: found[0] };
  }
  return null;
}

/** Endings by which publishers say how they quantized. */
const ENDING = /[-_.](?:awq|gptq|fp8|nvfp4|fp4|mxfp4|w8a8|w4a16|int[48]|quantized|bnb|hf)(?:[-_.].*)?$/i;

/** A relative by its name, `house/Qwen3-8B-AWQ`. */
function relativeByName(repo: string): Relative | null {
  const key = keyOfName(lastPart(repo));
  const base = lastPart(repo).replace(ENDING, '');
  const facts =
    key === null || base === lastPart(repo) ? null : (findModel(base) ?? findModel(base.replace(/^Meta-/, '')));
  return facts === null || key === null ? null : { facts, key };
}

const unknown = (name: string, reading: Reading, nodeId: string): void =>
  reading.say(
    'warning',
    'model-unknown-to-facts',
    `Nothing is known of ${name}; rules over it are not checked.`,
    nodeId,
  );

/** What a recipe of ours would have made, by the folder's name. */
function madeHere(name: string): ModelIntent | null {
  for (const facts of MODELS) {
    const own = slug(facts.id);
    if (!name.toLowerCase().startsWith(`${own.toLowerCase()}-`)) continue;
    const technique = techniqueOfMadeName(name.slice(own.length));
    if (technique === null) continue;
    const { type, params, format } = technique;
    return { params: { model: facts.id }, technique: { type: type.type, params }, format, name, revision: null };
  }
  return null;
}

function relative(
  { facts, key }: Relative,
  name: string,
  revision: string | null,
  reading: Reading,
  nodeId: string,
): ModelIntent {
  const technique = techniqueOfCheckpoint(name, key);
  if (technique === null) {
    const message = `${name} is taken for ${facts.id}: its facts hold, the checkpoint is the one named.`;
    reading.say('info', 'model-by-relative', message, nodeId);
    return { params: { model: facts.id, path: name }, technique: null, format: 'safetensors:unknown', name, revision };
  }
  const { type, params, format } = technique;
  const message = `${name} is read as ${type.title} of ${facts.id}.`;
  reading.say('info', 'model-by-relative', message, nodeId);
  return { params: { model: facts.id }, technique: { type: type.type, params }, format, name, revision };
}

/** Repository, folder or variable, as the engines of safetensors take it. */
export function modelOfRepository(
  name: string,
  revision: string | null,
  reading: Reading,
  nodeId = 'model',
): ModelIntent {
  const intent = { technique: null, format: 'safetensors:unknown', name, revision };
  if (/\.gguf$/i.test(name)) return modelOfGgufFile(name, [], reading, nodeId);
  const listed = relativeOf(name);
  const own = MODELS.find(({ repo, id }) => sameName(repo, name) || sameName(id, name)) ?? null;
  const pinned = revision === null ? {} : { revision };
  if (own !== null) return { ...intent, params: { model: own.id, ...pinned }, format: own.formats[0] ?? intent.format };
  if (listed !== null) return relative(listed, name, revision, reading, nodeId);
  const facts = findModel(name);
  if (facts !== null) {
    const message = `${name} is taken for ${facts.id}: its facts hold, the checkpoint is the one named.`;
    reading.say('info', 'model-by-relative', message, nodeId);
    return { ...intent, params: { model: facts.id, path: name } };
  }
  const made = madeHere(name);
  const named = made === null ? relativeByName(name) : null;
  if (made !== null) return made;
  if (named !== null) return relative(named, name, revision, reading, nodeId);
  unknown(name, reading, nodeId);
  const isRepository = /^[\w.-]+\/[\w.-]+$/.test(name);
  return {
    ...intent,
    params: isRepository ? { model: name, ...pinned } : { model: lastPart(name) || name, path: name },
  };
}

const TYPED_FILE =
  /^(.*?)[-._]((?:UD-)?(?:I?Q\d[A-Z0-9_]*|BF16|F16|F32|MXFP4))(?:-[0-9a-f]{8})?(?:-\d{5}-of-\d{5})?\.gguf$/i;
const isQuantization = (type: string): boolean => (GGUF_QUANTIZATION_TYPES as readonly string[]).includes(type);

/** Words of every preparing command, those of a nested script too. */
const spread = (preparation: readonly (readonly string[])[]): string[][] =>
  preparation.map((words) => words.flatMap((word) => (/\s/.test(word) ? shellWords(word) : [word])));

/** Last part of a file that a preparing command writes, and the command's name. */
function makes(preparation: readonly (readonly string[])[], tool: string, file: string): boolean {
  return spread(preparation).some((words) => {
    const at = words.findIndex((word) => lastPart(word) === tool);
    return at >= 0 && words.slice(at + 1).some((word) => lastPart(word) === file);
  });
}

/** What a preparing llama-quantize is told beyond the file and the type. */
function recipeParams(preparation: readonly (readonly string[])[], file: string): Record<string, unknown> {
  const words = spread(preparation).find((line) => line.some((word) => lastPart(word) === file)) ?? [];
  const imatrix = words[words.indexOf('--imatrix') + 1];
  return words.includes('--imatrix') && imatrix !== undefined ? { imatrix } : {};
}

/** The repository from which `hf download` fetches a file. */
function downloadedFrom(preparation: readonly (readonly string[])[], file: string): string | null {
  for (const words of spread(preparation)) {
    const at = words.findIndex(
      (word, i) => word === 'download' && /^(?:hf|huggingface-cli)$/.test(lastPart(words[i - 1] ?? '')),
    );
    const repo = words[at + 1];
    if (at > 0 && repo !== undefined && words.slice(at + 2).some((word) => lastPart(word) === file)) return repo;
  }
  return null;
}

/** Model whose file of that name our own exporters would make. */
function modelOfFile(base: string): ModelFacts | null {
  const key = base.toLowerCase();
  return MODELS.find((model) => slug(model.id).toLowerCase() === key) ?? findModel(base);
}

const gguf = (type: string, params: Record<string, unknown>): ModelIntent['technique'] => ({
  type: 'gguf-quantization',
  params: { type, ...params },
});

/** A name with the mark of a recipe's options says what made it. */
const madeByRecipe = (file: string): ModelIntent | null =>
  /-[0-9a-f]{8}\.gguf$/i.test(file) ? madeHere(file.replace(/\.gguf$/i, '')) : null;

/** GGUF file of llama.cpp, by what made it where the text says so. */
export function modelOfGgufFile(
  path: string,
  preparation: readonly (readonly string[])[],
  reading: Reading,
  nodeId: string,
): ModelIntent {
  const file = lastPart(path);
  const [, base = file.replace(/\.gguf$/i, ''), written = ''] = TYPED_FILE.exec(file) ?? [];
  const type = written.toUpperCase();
  const ours = madeByRecipe(file);
  if (ours !== null) return { ...ours, name: path };
  const intent = { technique: null, format: `gguf:${type || 'unknown'}`, name: path, revision: null };
  const facts = modelOfFile(base);
  const repo = downloadedFrom(preparation, file);
  if (repo !== null && isQuantization(type)) {
    const model = facts?.id ?? relativeOf(repo)?.facts.id ?? repo;
    return { ...intent, params: { model }, technique: gguf(type, { source: 'checkpoint', repo }) };
  }
  if (facts !== null && slug(facts.id).toLowerCase() === base.toLowerCase()) {
    const params = { model: facts.id };
    const quantized = isQuantization(type) && makes(preparation, 'llama-quantize', file);
    if (quantized) {
      return { ...intent, params, technique: gguf(type, { source: 'recipe', ...recipeParams(preparation, file) }) };
    }
    const isBundled = facts.repo.startsWith('bundled:') && facts.formats.includes(`gguf:${type}`);
    const isConverted = type === 'F16' && makes(preparation, 'convert_hf_to_gguf.py', file);
    if (isBundled || isConverted) return { ...intent, params };
  }
  if (facts === null) unknown(file, reading, nodeId);
  return { ...intent, params: { model: facts?.id ?? base, path } };
}

/** `user/repo:quant` of llama.cpp's `--hf-repo`; without a quant it takes Q4_K_M. */
export function modelOfGgufRepository(
  text: string,
  file: string | null,
  reading: Reading,
  nodeId: string,
): ModelIntent {
  const [repo = text, quant] = text.split(':');
  const written = file === null ? (quant ?? 'Q4_K_M') : (TYPED_FILE.exec(lastPart(file))?.[2] ?? 'unknown');
  const type = written.toUpperCase();
  const base = repo.replace(/-gguf$/i, '');
  const facts = relativeOf(repo)?.facts ?? findModel(base) ?? findModel(lastPart(base));
  if (facts === null) unknown(repo, reading, nodeId);
  const model = facts?.id ?? repo;
  const intent = { technique: null, format: `gguf:${type}`, name: repo, revision: null };
  if (file === null && isQuantization(type)) {
    return { ...intent, params: { model }, technique: gguf(type, { source: 'checkpoint', repo }) };
  }
  const path = file ?? `${slug(lastPart(base))}-${written}.gguf`;
  const message = `Put ${path} from ${repo} on the worker: no node fetches ${written} files.`;
  reading.say('warning', 'weights-by-hand', message, nodeId);
  return { ...intent, params: { model, path } };
}
