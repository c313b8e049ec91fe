import { readFileSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { type ReadModel, readConfigJson } from '@/server/core/facts/read-config-json';
import { readGgufModel } from '@/server/core/facts/read-gguf-header';
import { describeModel } from '@/server/services/describe-model';
import { formatFinding } from './pipeline-file';
import { ExitError, printJson, type Verb } from './verb';

const HEADER_BYTES = 64 * 2 ** 20;

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The header is at the start; a model of many gigabytes is not read whole. */
async function readStart(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const buffer = new Uint8Array(Math.min(size, HEADER_BYTES));
    const { bytesRead } = await file.read(buffer, 0, buffer.byteLength, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function describeFile(path: string): Promise<ReadModel> {
  try {
    if (path.toLowerCase().endsWith('.gguf')) return readGgufModel(await readStart(path));
    return readConfigJson(path === '-' ? readFileSync(0, 'utf8') : await readFile(path, 'utf8'));
  } catch (error) {
    throw new ExitError(2, `cannot read ${path}: ${reason(error)}`);
  }
}

function read(source: string, revision: string | null, hubUrl: string | undefined): Promise<ReadModel> {
  // On one's own machine the own networks may be meant.
  const options = { allowPrivate: true, ...(hubUrl === undefined ? {} : { hubUrl }) };
  if (/^https?:\/\//.test(source)) return describeModel({ url: source }, options);
  if (source.startsWith('hf:')) return describeModel({ repo: source.slice(3), revision }, options);
  return describeFile(source);
}

export const describeVerb: Verb = {
  name: 'describe',
  summary: 'reads the facts of a model of your own, for the parameter "facts" of its node',
  describe(command) {
    command
      .argument('<source>', 'config.json or GGUF file, - for standard input, a URL of either, or hf:owner/name')
      .option('--revision <name>', 'commit or tag of a Hugging Face repository')
      .option('--hub <url>', 'a mirror in place of https://huggingface.co')
      .action(async (source: string, options: { revision?: string; hub?: string }) => {
        const { own, findings } = await read(source, options.revision ?? null, options.hub);
        if (own !== null) printJson(own);
        for (const found of findings) process.stderr.write(`${formatFinding(found)}\n`);
        if (own === null) process.exitCode = 1;
      });
  },
};
