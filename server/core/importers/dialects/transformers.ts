import type { Dialect } from './dialect';
import { meanDtype } from './meaning';

export const transformers: Dialect = {
  engine: 'transformers',
  mentions: /\btransformers(?:-cli)? serve\b|from_pretrained/i,
  starts: [{ words: ['transformers', 'serve'] }, { words: ['transformers-cli', 'serve'] }],
  image: /huggingface\/transformers/,
  imageWords: [],
  runtime: null,
  isEntryPoint: false,
  model: { flags: ['force_model', '--force-model', 'model'], revision: null, positional: true, files: 'repository' },
  configFlags: [],
  launcher: ['--host', '--port'],
  added: [],
  keyFlags: [],
  keyVariables: [],
  ranks: () => 1,
  device: (reading) => (reading.value('--device') === 'cpu' ? 'cpu-local' : 'H100-SXM'),
  read(reading) {
    meanDtype(reading, '--dtype');
  },
  draft(reading) {
    const name = reading.value('assistant_model') ?? reading.value('--assistant-model');
    return name === null ? null : { name, revision: null };
  },
};
