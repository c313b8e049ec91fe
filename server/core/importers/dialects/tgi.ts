import type { Dialect } from './dialect';
import { product } from './meaning';

export const tgi: Dialect = {
  engine: 'tgi',
  mentions: /text-generation-(?:launcher|inference)/i,
  starts: [{ words: ['text-generation-launcher'] }],
  image: /text-generation-inference/,
  imageWords: [],
  runtime: null,
  isEntryPoint: true,
  model: { flags: ['--model-id'], revision: '--revision', positional: false, files: 'repository' },
  configFlags: [],
  launcher: ['--hostname', '--port'],
  added: [],
  keyFlags: ['--api-key'],
  keyVariables: [],
  ranks: (reading) => product(reading, '--num-shard'),
  device: (_, { image }) =>
    /rocm/.test(image ?? '') ? 'MI300X' : /intel-cpu/.test(image ?? '') ? 'cpu-local' : 'H100-SXM',
};
