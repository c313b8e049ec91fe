import type { Dialect } from './dialect';
import { meanDtype, product } from './meaning';

export const lmdeploy: Dialect = {
  engine: 'lmdeploy',
  mentions: /lmdeploy/i,
  starts: [{ words: ['lmdeploy', 'serve', 'api_server'] }, { words: ['-m', 'lmdeploy', 'serve', 'api_server'] }],
  image: /lmdeploy/,
  imageWords: [],
  runtime: null,
  isEntryPoint: false,
  model: { flags: ['model_path'], revision: '--revision', positional: true, files: 'repository' },
  configFlags: [],
  launcher: ['--server-name', '--server-port'],
  added: [],
  keyFlags: ['--api-keys'],
  keyVariables: [],
  ranks: (reading) => product(reading, '--tp', '--dp', '--cp'),
  device: (reading) => (reading.value('--device') === 'cpu' ? 'cpu-local' : 'H100-SXM'),
  read(reading) {
    meanDtype(reading, '--dtype');
  },
  draft(reading) {
    const name = reading.value('--speculative-draft-model');
    return name === null ? null : { name, revision: null };
  },
};
