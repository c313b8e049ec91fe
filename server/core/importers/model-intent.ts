import { shellWords } from '../engines/shell-words';
import { GGUF_QUANTIZATION_TYPES } from '../facts/gguf-types';
import type { ModelFacts } from '../facts/model-facts';
import { findModel, MODELS } from '../facts/models';
import type { Reading } from './reading';

/** A model node, and the quantization node behind it where the file is made or fetched in a block format. */
export interface ModelIntent {
  params: Record<string, unknown>;
  quantization: Record<string, unknown> | null;
}

const plain = (params: Record<string, unknown>): ModelIntent => ({ params, quantization: null });
const lastPart = (path: string): string => path.split('/').pop() ?? path;
const slug = (text: string): string => text.replace(/[^A-Za-z0-9._-]+/g, '-');

/** Model in whose table of quantized checkpoints a repository stands. */
function modelOfQuantized(repo: string): ModelFacts | null {
  const key = repo.toLowerCase();
  return (
    MODELS.find((m) => Object.values(m.quantizedRepos).some((list) => list.some((r) => r.toLowerCase() === key))) ??
    null
  );
}

/** Repository, folder or variable, as vLLM takes it. */
export function modelOfRepository(
  name: string,
  revision: string | null,
  reading: Reading,
  nodeId = 'model',
): ModelIntent {
  const facts = findModel(name) ?? modelOfQuantized(name);
  const isOwn = facts !== null && [facts.repo.toLowerCase(), facts.id.toLowerCase()].includes(name.toLowerCase());
  if (isOwn) return plain({ model: facts.id, ...(revision === null ? {} : { revision }) });
  if (facts !== null) {
    const message = `${name} is taken for ${facts.id}: its facts hold, the checkpoint is the one named.`;
    reading.say('info', 'model-by-relative', message, nodeId);
    return plain({ model: facts.id, path: name });
  }
  reading.say(
    'warning',
    'model-unknown-to-facts',
    `Nothing is known of ${name}; rules over it are not checked.`,
    nodeId,
  );
  const isRepository = /^[\w.-]+\/[\w.-]+$/.test(name);
  if (isRepository) return plain({ model: name, ...(revision === null ? {} : { revision }) });
  return plain({ model: lastPart(name) || name, path: name });
}

const TYPED_FILE = /^(.*?)[-._]((?:UD-)?(?:I?Q\d[A-Z0-9_]*|BF16|F16|F32|MXFP4))(?:-\d{5}-of-\d{5})?\.gguf$/i;
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
  const facts = modelOfFile(base);
  const repo = downloadedFrom(preparation, file);
  if (repo !== null && isQuantization(type)) {
    const model = facts?.id ?? modelOfQuantized(repo)?.id ?? repo;
    return { params: { model }, quantization: { type, source: 'checkpoint', repo } };
  }
  if (facts !== null && slug(facts.id).toLowerCase() === base.toLowerCase()) {
    const quantized = isQuantization(type) && makes(preparation, 'llama-quantize', file);
    if (quantized) return { params: { model: facts.id }, quantization: { type, source: 'recipe' } };
    const isBundled = facts.repo.startsWith('bundled:') && facts.formats.includes(`gguf:${type}`);
    const isConverted = type === 'F16' && makes(preparation, 'convert_hf_to_gguf.py', file);
    if (isBundled || isConverted) return plain({ model: facts.id });
  }
  if (facts === null) {
    reading.say(
      'warning',
      'model-unknown-to-facts',
      `Nothing is known of ${file}; rules over it are not checked.`,
      nodeId,
    );
  }
  return plain({ model: facts?.id ?? base, path });
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
  const facts =
    modelOfQuantized(repo) ??
    findModel(repo.replace(/-gguf$/i, '')) ??
    findModel(lastPart(repo).replace(/-gguf$/i, ''));
  if (facts === null) {
    reading.say(
      'warning',
      'model-unknown-to-facts',
      `Nothing is known of ${repo}; rules over it are not checked.`,
      nodeId,
    );
  }
  const model = facts?.id ?? repo;
  if (file === null && isQuantization(type))
    return { params: { model }, quantization: { type, source: 'checkpoint', repo } };
  const path = file ?? `${slug(lastPart(repo).replace(/-gguf$/i, ''))}-${written}.gguf`;
  reading.say(
    'warning',
    'weights-by-hand',
    `Put ${path} from ${repo} on the worker: no node fetches ${written} files.`,
    nodeId,
  );
  return plain({ model, path });
}
