import type { Dialect } from './dialect';

const DRAFT = ['speculative_config.speculative_model', 'speculative_config.speculative_model_dir'];

export const tensorrtLlm: Dialect = {
  engine: 'tensorrt-llm',
  mentions: /trtllm-serve|tensorrt[_-]?llm/i,
  starts: [
    { words: ['trtllm-serve', 'serve'] },
    { words: ['trtllm-serve', /^(?!disaggregated$|serve$|mm_embedding_serve$|disaggregated_mpi_worker$)/] },
    { words: ['-m', 'tensorrt_llm.commands.serve', 'serve'] },
  ],
  image: /tensorrt[-_]?llm|trtllm/,
  imageWords: [],
  runtime: null,
  isEntryPoint: false,
  model: { flags: ['model'], revision: '--revision', positional: true, files: 'repository' },
  configFlags: ['--config', '--extra_llm_api_options'],
  launcher: ['--host', '--port'],
  keyFlags: [],
  keyVariables: [],
  deviceFlags: [
    ['--tp_size', 'tensor_parallel_size'],
    ['--pp_size', 'pipeline_parallel_size'],
    ['--cp_size', 'context_parallel_size'],
  ],
  device: () => 'H100-SXM',
  draft(reading) {
    const name = DRAFT.map((path) => reading.value(path)).find((value) => value !== null) ?? null;
    return name === null ? null : { name, revision: null };
  },
};
