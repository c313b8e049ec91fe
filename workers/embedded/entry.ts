import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { projectRoot } from './project-root';

export interface Entry {
  script: string;
  execArgv: string[];
  env: Record<string, string>;
}

/**
 * How a child of this program is started: in development the TypeScript source through tsx; from a bundle the
 * bundle beside it (`.build/engine.mjs`, `.build/quantize.mjs`).
 */
export function entryOf(child: 'engine' | 'quantize'): Entry {
  const here = fileURLToPath(import.meta.url);
  if (!here.endsWith('.ts')) return { script: path.join(path.dirname(here), `${child}.mjs`), execArgv: [], env: {} };
  const source = child === 'engine' ? 'main.ts' : 'quantize-main.ts';
  const tsx = createRequire(here).resolve('tsx');
  return {
    script: path.join(path.dirname(here), source),
    execArgv: ['--import', pathToFileURL(tsx).href],
    env: { TSX_TSCONFIG_PATH: path.join(projectRoot(here), 'tsconfig.json') },
  };
}

/** A child's environment starts empty: paths, language and temporary folder, never a token. */
export function childEnvironment(host: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const env: Record<string, string> = { NODE_LLAMA_CPP_SKIP_DOWNLOAD: 'true' };
  for (const name of ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TMPDIR', 'LD_LIBRARY_PATH', 'CUDA_VISIBLE_DEVICES']) {
    const value = host[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}

/**
 * One native worker thread. node-llama-cpp samples the sequences of a step in parallel tasks, and the first read of
 * the logits after a decode puts their rows in order without a lock: with several threads, steps of unequal length
 * (prefill beside decoding, drafts) now and then gave tokens of another row. Decoding has its own threads.
 */
export const ENGINE_ENVIRONMENT = { UV_THREADPOOL_SIZE: '1' };
