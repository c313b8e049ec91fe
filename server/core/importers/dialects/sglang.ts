import type { Dialect } from './dialect';
import { meanDtype, product } from './meaning';

const DRAFT = '--speculative-draft-model-path';
/** Methods whose draft stands in a repository of its own. */
const DRAFTED = /^(?:EAGLE3?|STANDALONE|DFLASH|DSPARK)$/i;

export const sglang: Dialect = {
  engine: 'sglang',
  mentions: /sglang/i,
  starts: [
    { words: ['sglang', 'serve'] },
    { words: ['-m', 'sglang.launch_server'] },
    { words: ['-m', 'sglang.srt.entrypoints.http_server'] },
    { words: ['sglang.launch_server'] },
    { words: ['-m', 'dynamo.sglang'] },
  ],
  image: /sglang/,
  imageWords: ['serve'],
  runtime: null,
  isEntryPoint: false,
  model: { flags: ['--model-path'], revision: '--revision', positional: false, files: 'repository' },
  configFlags: [],
  launcher: ['--host', '--port'],
  added: ['--enable-metrics'],
  keyFlags: ['--api-key'],
  keyVariables: [],
  // Ranks of data-parallel attention lie on the devices of the tensor-parallel group.
  ranks: (reading) =>
    product(reading, '--tp-size', '--pp-size') *
    (reading.peek('--enable-dp-attention') === null ? product(reading, '--dp-size') : 1),
  device: (_, { image }) =>
    /rocm/.test(image ?? '') ? 'MI300X' : /xeon|cpu/.test(image ?? '') ? 'cpu-local' : 'H100-SXM',
  read(reading) {
    meanDtype(reading, '--dtype');
  },
  draft(reading) {
    const name = reading.value(DRAFT);
    const method = reading.value('--speculative-algorithm') ?? '';
    return name === null || !DRAFTED.test(method) ? null : { name, revision: null };
  },
};
