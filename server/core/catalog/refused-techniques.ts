import type { Family } from './node-type';

/**
 * A technique that people look for and that is no node: a node would set nothing. `why` says which kind of no it is:
 * no engine here offers it; every engine does it anyway; it is a property of the model; it belongs elsewhere.
 */
export interface RefusedTechnique {
  id: string;
  title: string;
  /** Other names under which people look for it. */
  aliases: readonly string[];
  family: Family;
  why: 'no-engine' | 'always-on' | 'property-of-model' | 'elsewhere';
  /** Half a sentence, read after the words of `why`. */
  reason: string;
  /** Node types that come closest. */
  instead: readonly string[];
  sources: readonly string[];
}

/** Engines read for the word "none": vLLM @017e9f4448, SGLang 0.5.18, TensorRT-LLM 1.2–1.3, TGI 3.3, llama.cpp b10573, LMDeploy 0.16, Transformers 5.17, ONNX Runtime GenAI 0.15. */
export const REFUSED_TECHNIQUES: readonly RefusedTechnique[] = [
  {
    id: 'h2o',
    title: 'H2O (heavy-hitter eviction)',
    aliases: ['heavy hitters', 'KV eviction', 'token dropping'],
    family: 'kv-cache',
    why: 'no-engine',
    reason:
      'it needs the attention scores of every step, which fused kernels never write; its code patches an old Transformers and keeps no pages. TensorRT-LLM alone drops tokens, by other methods',
    instead: ['kv-eviction', 'kv-cache-type', 'kv-offload'],
    sources: ['https://arxiv.org/abs/2306.14048', 'https://github.com/FMInference/H2O'],
  },
  {
    id: 'snapkv',
    title: 'SnapKV, PyramidKV',
    aliases: ['prompt compression of the cache', 'KV eviction', 'observation window'],
    family: 'kv-cache',
    why: 'no-engine',
    reason: 'it removes tokens from each head apart, which pages shared by all heads cannot hold',
    instead: ['kv-eviction', 'kv-cache-type'],
    sources: ['https://arxiv.org/abs/2404.14469', 'https://github.com/FasterDecoding/SnapKV'],
  },
  {
    id: 'streaming-llm',
    title: 'StreamingLLM outside llama.cpp',
    aliases: ['attention sinks', 'SinkCache', 'sink tokens'],
    family: 'kv-cache',
    why: 'no-engine',
    reason:
      'vLLM, SGLang, TGI and LMDeploy have no sinks but those trained into a model, TensorRT-LLM ignores sink_token_length on its PyTorch backend, and Transformers removed SinkCache; llama.cpp comes close with its context shift, which is the node "Attention-sink window"',
    instead: ['sink-window'],
    sources: [
      'https://arxiv.org/abs/2309.17453',
      'https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md',
    ],
  },
  {
    id: 'quest',
    title: 'Quest (query-aware pages)',
    aliases: ['sparse attention', 'page selection'],
    family: 'kv-cache',
    why: 'no-engine',
    reason:
      'picking pages for each query needs its own kernels; SGLang has its like for single models only, chosen by the model',
    instead: ['kv-eviction', 'kv-offload'],
    sources: ['https://arxiv.org/abs/2406.10774', 'https://github.com/mit-han-lab/Quest'],
  },
  {
    id: 'kivi',
    title: 'KIVI (2-bit KV cache)',
    aliases: ['INT2 KV', '2-bit cache', 'quanto cache'],
    family: 'kv-cache',
    why: 'no-engine',
    reason:
      'no server has a 2-bit cache: Transformers has one in its library, not in its server; 4 bits are the least elsewhere',
    instead: ['kv-cache-type'],
    sources: ['https://arxiv.org/abs/2402.02750', 'https://huggingface.co/docs/transformers/kv_cache'],
  },
  {
    id: 'lookahead-decoding',
    title: 'Lookahead decoding (Jacobi)',
    aliases: ['Jacobi', 'lookahead', 'parallel decoding'],
    family: 'decoding',
    why: 'no-engine',
    reason:
      'only the old TensorRT engine path up to 1.2 served it, and llama.cpp has it as an example beside the server; with no draft it accepts little (1.64 tokens a step in Spec-Bench)',
    instead: ['prompt-lookup', 'suffix-decoding', 'eagle-3'],
    sources: ['https://arxiv.org/abs/2402.02057', 'https://github.com/hemingkx/Spec-Bench'],
  },
  {
    id: 'redrafter',
    title: 'ReDrafter',
    aliases: ['recurrent drafter'],
    family: 'decoding',
    why: 'no-engine',
    reason: 'only the old TensorRT engine path up to 1.2 had it, at build time',
    instead: ['eagle-3', 'mtp'],
    sources: ['https://arxiv.org/abs/2403.09919'],
  },
  {
    id: 'early-exit',
    title: 'Self-speculation by early exit (LayerSkip)',
    aliases: ['LayerSkip', 'self-speculative decoding', 'assistant_early_exit'],
    family: 'decoding',
    why: 'no-engine',
    reason: 'Transformers has it in generate(), but no server takes it as a setting',
    instead: ['mtp', 'prompt-lookup'],
    sources: ['https://arxiv.org/abs/2404.16710', 'https://huggingface.co/docs/transformers/generation_strategies'],
  },
  {
    id: 'w4a4-int',
    title: 'INT4 weights and activations (QuaRot, Atom, QServe)',
    aliases: ['W4A4', 'W4A8KV4', 'QoQ', 'QuaRot', 'Atom', 'SpinQuant'],
    family: 'compression',
    why: 'no-engine',
    reason: 'their kernels live in research servers; on Blackwell NVFP4 does the same in hardware',
    instead: ['nvfp4', 'int8-w8a8', 'awq'],
    sources: ['https://arxiv.org/abs/2404.00456', 'https://github.com/mit-han-lab/omniserve'],
  },
  {
    id: 'two-bit-codebooks',
    title: '2-bit codebooks (AQLM, QuIP#)',
    aliases: ['AQLM', 'QuIP', 'VPTQ', 'vector quantization', '2-bit weights'],
    family: 'compression',
    why: 'no-engine',
    reason: 'only Transformers still loads them, far below the speed of 16 bits; llama.cpp has 2-bit types of its own',
    instead: ['gguf-quantization'],
    sources: ['https://arxiv.org/abs/2401.06118', 'https://github.com/Vahe1994/AQLM'],
  },
  {
    id: 'llm-pruner-recipe',
    title: 'LLM-Pruner as a recipe',
    aliases: ['LLM-Pruner', 'Taylor pruning', 'width pruning by recipe'],
    family: 'compression',
    why: 'no-engine',
    reason:
      'it writes a pickled PyTorch module whose layers differ in width, which no engine loads; published pruned models and dropped layers do load',
    instead: ['structured-pruning'],
    sources: ['https://arxiv.org/abs/2305.11627', 'https://github.com/horseee/LLM-Pruner'],
  },
  {
    id: 'flash-attention-1',
    title: 'FlashAttention 1',
    aliases: ['FA1', 'flash attention v1'],
    family: 'attention',
    why: 'no-engine',
    reason: 'versions 2, 3 and 4 took its place; engines pick the one made for the GPU',
    instead: ['flash-attention', 'attention-backend'],
    sources: ['https://arxiv.org/abs/2205.14135', 'https://github.com/Dao-AILab/flash-attention'],
  },
  {
    id: 'static-batching',
    title: 'Static batching',
    aliases: ['batch until all are done', 'offline batch'],
    family: 'serving',
    why: 'no-engine',
    reason:
      'a server that waited until the longest answer of a batch is done would waste the others; all of them refill the batch at each step',
    instead: ['parallel-sequences', 'dynamic-batching'],
    sources: ['https://www.usenix.org/conference/osdi22/presentation/yu'],
  },
  {
    id: 'paged-attention',
    title: 'PagedAttention',
    aliases: ['paging', 'paged KV cache', 'block table'],
    family: 'kv-cache',
    why: 'always-on',
    reason:
      'vLLM, SGLang, TensorRT-LLM, TGI and LMDeploy always keep the cache in pages; only the size of a page can be set. llama.cpp keeps slots in one buffer',
    instead: ['kv-block-size', 'static-kv-cache'],
    sources: ['https://arxiv.org/abs/2309.06180'],
  },
  {
    id: 'continuous-batching',
    title: 'Continuous batching',
    aliases: ['in-flight batching', 'iteration-level scheduling'],
    family: 'serving',
    why: 'always-on',
    reason: 'every server here batches at each step; what can be set is how many sequences share it',
    instead: ['parallel-sequences', 'chunked-prefill'],
    sources: ['https://www.usenix.org/conference/osdi22/presentation/yu'],
  },
  {
    id: 'sse-streaming',
    title: 'SSE streaming',
    aliases: ['streaming', 'server-sent events', 'token stream'],
    family: 'gateway',
    why: 'always-on',
    reason:
      'each request asks for it (stream: true), and every engine and gateway here passes it on; what can be set is how often a message is sent',
    instead: ['stream-interval'],
    sources: ['https://html.spec.whatwg.org/multipage/server-sent-events.html'],
  },
  {
    id: 'grouped-query-attention',
    title: 'MQA, GQA, MLA',
    aliases: ['multi-query attention', 'grouped-query attention', 'multi-head latent attention', 'KV heads'],
    family: 'kv-cache',
    why: 'property-of-model',
    reason:
      'how many heads share keys and values is trained in; choose a model that has it, its cache is smaller by that factor',
    instead: ['model', 'attention-data-parallel'],
    sources: [
      'https://arxiv.org/abs/2305.13245',
      'https://arxiv.org/abs/1911.02150',
      'https://arxiv.org/abs/2405.04434',
    ],
  },
  {
    id: 'nsight-systems',
    title: 'Nsight Systems',
    aliases: ['nsys', 'profiler', 'timeline'],
    family: 'serving',
    why: 'elsewhere',
    reason:
      'it wraps the process instead of being a setting of the engine: start the exported command under `nsys profile`',
    instead: ['torch-profiler'],
    sources: ['https://docs.nvidia.com/nsight-systems/UserGuide/index.html'],
  },
  {
    id: 'prompt-compression',
    title: 'Prompt compression (LLMLingua)',
    aliases: ['LLMLingua', 'prompt pruning', 'context compression'],
    family: 'gateway',
    why: 'elsewhere',
    reason: 'it rewrites what the application sends, before the request exists',
    instead: ['prefix-caching'],
    sources: ['https://arxiv.org/abs/2310.05736'],
  },
];

const WORDS: Readonly<Record<RefusedTechnique['why'], string>> = {
  'no-engine': 'no engine offers it, because',
  'always-on': 'no node needed:',
  'property-of-model': 'a property of the model:',
  elsewhere: 'no part of a plan:',
};

/** "H2O (heavy-hitter eviction): no engine offers it, because …" */
export const refusalSentence = ({ title, why, reason }: RefusedTechnique): string =>
  `${title}: ${WORDS[why]} ${reason}.`;
