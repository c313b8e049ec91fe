import { access } from 'node:fs/promises';
import path from 'node:path';
import type { Checkpoint } from '@/server/core/plan/plan';
import { QUANTIZATION_TYPES } from './file-type';
import { projectRoot } from './project-root';
import { quantizeFile } from './quantize';

/** Formats of the files that lie in `models`, by name. */
const BUNDLED_FORMAT = 'F16';

export interface PrepareOptions {
  cacheDir: string;
  log: (line: string) => void;
  signal: AbortSignal;
}

/** Where a bundled model lies; throws for a name that isn't there. */
export async function bundledModelPath(name: string): Promise<string> {
  if (!/^[a-z0-9-]+$/.test(name)) throw new Error(`bundled:${name} is not a name of a bundled model`);
  const file = path.join(projectRoot(), 'workers/embedded/models', `${name}-${BUNDLED_FORMAT.toLowerCase()}.gguf`);
  await access(file).catch(() => {
    throw new Error(`no bundled model ${name} (${file})`);
  });
  return file;
}

/** "gguf:Q4_K_M" → "Q4_K_M"; throws for what llama.cpp cannot read. */
function ggufType(checkpoint: Checkpoint): string {
  const [container, type] = checkpoint.format.split(':');
  if (container !== 'gguf' || !type)
    throw new Error(`${checkpoint.model}: format ${checkpoint.format}; the embedded engine reads GGUF files`);
  return type;
}

async function prepareOne(checkpoint: Checkpoint, options: PrepareOptions): Promise<string> {
  const type = ggufType(checkpoint);
  const { repo } = checkpoint;
  const bundled = repo.startsWith('bundled:');
  const source = bundled ? await bundledModelPath(repo.slice('bundled:'.length)) : path.resolve(repo);
  if (!bundled && !repo.endsWith('.gguf'))
    throw new Error(
      `${repo}: the embedded engine takes bundled models and .gguf files on this worker; it downloads nothing`,
    );
  await access(source).catch(() => {
    throw new Error(`no file ${source} on this worker`);
  });
  const isMade = checkpoint.source === 'recipe' || (bundled && type !== BUNDLED_FORMAT);
  if (!isMade || type === BUNDLED_FORMAT) return source;
  if (!(type in QUANTIZATION_TYPES))
    throw new Error(`${type} cannot be made here; possible: ${Object.keys(QUANTIZATION_TYPES).join(', ')}`);
  if (checkpoint.recipe?.options?.imatrix !== undefined)
    throw new Error('the embedded quantizer takes no importance matrix; make the file with llama-quantize');
  return quantizeFile({ source, type, ...options });
}

/** Makes or finds the GGUF file of each checkpoint; returns scope → path. */
export async function prepareCheckpoints(
  checkpoints: readonly Checkpoint[],
  options: PrepareOptions,
): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const checkpoint of checkpoints) files[checkpoint.scope] = await prepareOne(checkpoint, options);
  return files;
}
