import type { Dialect } from './dialect';

export const onnxruntimeGenai: Dialect = {
  engine: 'onnxruntime-genai',
  mentions: /onnxruntime_genai/i,
  starts: [{ words: ['-m', 'onnxruntime_genai.models.builder'] }],
  image: /onnxruntime-genai/,
  imageWords: [],
  runtime: null,
  isEntryPoint: false,
  model: { flags: ['--model_name', '-m', '--input', '-i'], revision: null, positional: false, files: 'repository' },
  configFlags: [],
  configName: /^genai_config(?:\.overlay)?\.json$/,
  launcher: [],
  added: [],
  keyFlags: [],
  keyVariables: [],
  ranks: () => 1,
  device: (reading) => {
    const provider = reading.value('--execution_provider') ?? reading.value('-e') ?? 'cpu';
    return provider === 'cpu' ? 'cpu-local' : 'RTX-4090';
  },
};
