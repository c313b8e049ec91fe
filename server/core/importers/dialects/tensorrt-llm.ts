import type { Dialect } from './dialect';
import { product } from './meaning';

const DRAFT = ['speculative_config.speculative_model', 'speculative_config.speculative_model_dir'];

export const tensorrtLlm: Dialect = {
  engine: 'tensorrt-llm',
  mentions: /trtllm-serve|tensorrt[_-]?llm/i,
  starts: [
    { words: ['trtllm-serve', 'serve'] },
    { words: ['trtllm-serve', /^(?!disaggregated$|serve$|mm_embedding_serve$|disaggregated_mpi_worker$)/] },
    { words: ['-m', 'tensorrt_llm.commands.serve', 'serve'] },
    { words: ['-m', 'dynamo.trtllm'] },
  ],
  image: /tensorrt[-_]?llm|trtllm/,
  imageWords: [],
  runtime: null,
  isEntryPoint: false,
  model: { flags: ['model'], revision: '--revision', positional: true, files: 'repository' },
  configFlags: ['--config', '--extra_llm_api_options'],
  launcher: ['--host', '--port'],
  added: [],
  keyFlags: [],
  keyVariables: [],
  sameNames: [
    ['tensor_parallel_size', '--tp_size'],
    ['pipeline_parallel_size', '--pp_size'],
    ['context_parallel_size', '--cp_size'],
    ['moe_expert_parallel_size', '--ep_size'],
    ['max_batch_size', '--max_batch_size'],
    ['max_num_tokens', '--max_num_tokens'],
    ['max_seq_len', '--max_seq_len'],
    ['max_beam_width', '--max_beam_width'],
    ['kv_cache_config.dtype', '--kv_cache_dtype'],
    ['kv_cache_config.free_gpu_memory_fraction', '--free_gpu_memory_fraction'],
    ['enable_chunked_prefill', '--enable_chunked_prefill'],
    ['speculative_config.speculative_model', 'speculative_config.speculative_model_dir'],
  ],
  ranks: (reading) =>
    product(reading, '--tp_size', '--pp_size', '--cp_size') *
    product(reading, 'tensor_parallel_size', 'pipeline_parallel_size', 'context_parallel_size'),
  device: () => 'H100-SXM',
  draft(reading) {
    const name = DRAFT.map((path) => reading.value(path)).find((value) => value !== null) ?? null;
    return name === null ? null : { name, revision: null };
  },
};
