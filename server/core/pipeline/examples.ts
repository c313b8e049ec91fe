import type { Pipeline } from './document';
import cpuOnly from './examples/cpu-only.json';
import demo from './examples/demo.json';
import longContext from './examples/long-context.json';
import losslessQuick from './examples/lossless-quick.json';
import lowLoadInt4 from './examples/low-load-int4.json';
import maxSpeedFp8 from './examples/max-speed-fp8.json';
import maxSpeedW4a16 from './examples/max-speed-w4a16.json';
import offlineBatch from './examples/offline-batch.json';
import singleUserEdge from './examples/single-user-edge.json';
import { parsePipeline } from './parse';

/** What to expect, as others measured it or as arithmetic says; the run on your own hardware decides. */
export interface ExpectedEffect {
  text: string;
  source: { label: string; url: string };
}

export interface Example {
  id: string;
  title: string;
  summary: string;
  /** Why this combination, and what speaks against it. */
  why: string;
  expected: readonly ExpectedEffect[];
  /** File name in `examples/`. */
  file: string;
  pipeline: Pipeline;
}

const example = (entry: Omit<Example, 'file' | 'pipeline'>, document: unknown): Example => ({
  ...entry,
  file: `${entry.id}.json`,
  pipeline: parsePipeline(document).pipeline,
});

const QWEN_SPEED = {
  label: 'Qwen2.5 speed benchmark @a912d239c2',
  url: 'https://github.com/QwenLM/Qwen3/blob/a912d239c2/docs/source/benchmark/speed_benchmark.rst',
};
const MODELOPT = {
  label: 'TensorRT Model Optimizer, examples/benchmark.md @5a4242faf4',
  url: 'https://github.com/NVIDIA/TensorRT-Model-Optimizer/blob/5a4242faf4/examples/benchmark.md',
};
const TRTLLM_PERF = {
  label: 'TensorRT-LLM, perf-overview.md (0.10–0.11, copy @78f5c2936b)',
  url: 'https://github.com/okoge-kaz/TensorRT-LLM/blob/78f5c2936b/docs/source/performance/perf-overview.md',
};
const SPEC_BENCH = {
  label: 'Spec-Bench leaderboard @fd2c1cd7d2',
  url: 'https://github.com/hemingkx/Spec-Bench/blob/fd2c1cd7d2/Leaderboard.md',
};
const VLLM_SPECULATION = {
  label: 'vLLM blog, 2024-10-17',
  url: 'https://blog.vllm.ai/2024/10/17/spec-decode.html',
};
const VLLM_KV_FP8 = {
  label: 'vLLM blog, 2026-04-22 @c3a01c4a58',
  url: 'https://github.com/vllm-project/vllm-project.github.io/blob/c3a01c4a58/_posts/2026-04-22-fp8-kvcache.md',
};
const PERPLEXITY = {
  label: 'llama.cpp perplexity table (copy @8337e4cd)',
  url: 'https://github.com/ikawrakow/ik_llama.cpp/blob/8337e4cd3861406fc04e0854b1409cd1b027fbc9/examples/perplexity/README.md',
};

/** Pipelines to start from; `demo` is the one that a newcomer opens first. */
export const EXAMPLES: readonly Example[] = [
  example(
    {
      id: 'demo',
      title: 'Demo: five ways to serve a small model',
      summary:
        'The bundled demo model on llama.cpp in this machine: F16 as the baseline against quantized weights, a quantized KV cache with parallel sequences, no prefix cache, and a draft model.',
      why: 'It runs here without a GPU or a download, and shows a gain and a loss within minutes.',
      expected: [],
    },
    demo,
  ),
  example(
    {
      id: 'lossless-quick',
      title: 'Lossless and quick',
      summary:
        'vLLM as it starts, FlashAttention named, and the same without compilation and CUDA graphs: Llama 3.1 8B on an L40S.',
      why: 'What changes no number comes first. vLLM switches most of it on by itself: the comparison shows what that is worth, and that naming FlashAttention changes nothing where it is the choice already.',
      expected: [
        {
          text: 'A compiled server decodes a 7B model about twice as fast as layers run one by one: 84 against 40 tokens/s (vLLM and Transformers, Qwen2.5-7B in BF16 on an A100, one stream).',
          source: QWEN_SPEED,
        },
      ],
    },
    losslessQuick,
  ),
  example(
    {
      id: 'max-speed-fp8',
      title: 'Most speed on a big GPU: FP8',
      summary: 'TensorRT-LLM with FP8 weights and activations against BF16, Llama 3.1 8B on an H100, 64 clients.',
      why: 'From compute capability 8.9 on, FP8 doubles the arithmetic and halves the bytes at under 1 % loss; continuous batching keeps the GPU full. INT8 W8A8 and a choice of FlashAttention are left out: the PyTorch backend of TensorRT-LLM has neither.',
      expected: [
        {
          text: 'Output throughput 1.5–2.2 × that of 16 bits at full load (Llama-2-7B and Llama-3-8B on an H100); at a fixed batch it is about 1.3–1.4 ×.',
          source: TRTLLM_PERF,
        },
      ],
    },
    maxSpeedFp8,
  ),
  example(
    {
      id: 'max-speed-w4a16',
      title: 'Most speed on an A100: W4A16',
      summary: 'TensorRT-LLM with AWQ weights against BF16, Llama 3.1 8B on an A100, 16 clients.',
      why: 'An A100 has no FP8: 4-bit weights are what is left to cut the reads. They help while the batch is small and hurt when it is large, so watch where the two lines cross. INT8 W8A8 is refused on this backend.',
      expected: [
        {
          text: 'At one stream about the speed of 16 bits on twice the GPUs; at 64 streams less than half of it (Llama 3.1 70B on H200: 44 against 46 tokens/s, then 177 against 402).',
          source: MODELOPT,
        },
      ],
    },
    maxSpeedW4a16,
  ),
  example(
    {
      id: 'cpu-only',
      title: 'CPU only, with and without speculation',
      summary: "Llama 3.1 8B in Q4_K_M on llama.cpp on this worker's CPU, alone and with a 1B draft.",
      why: 'A CPU is bound by memory bandwidth: 4.9 bits a weight read three times faster than 16. Speculation may lose here, since checking several tokens costs arithmetic that a CPU has little of.',
      expected: [
        { text: 'Q4_K_M: perplexity 2.8 % above F16 (Llama-3-8B).', source: PERPLEXITY },
        {
          text: 'Speculation: from hardly anything to nearly twice the speed. The same drafts gave 1.06 × beside an RTX 5090 and 1.8 × beside an RTX 4090; on a CPU it can also lose.',
          source: { label: 'llama.cpp issue 28196', url: 'https://github.com/ggml-org/llama.cpp/issues/28196' },
        },
      ],
    },
    cpuOnly,
  ),
  example(
    {
      id: 'low-load-int4',
      title: 'Fastest at low load: INT4 with a small draft',
      summary: 'Llama 3.3 70B in AWQ on one H100, alone and with a 1B draft, one client.',
      why: 'One stream leaves the GPU idle between reads: a quarter of the bytes and several tokens for each read use that. A loss of 1–3 % is accepted. Do not carry it over to high load.',
      expected: [
        { text: 'A draft model gives 1.6–1.8 × at batch 1 (Vicuna 7B and 33B, greedy).', source: SPEC_BENCH },
        {
          text: '1.5 × at 1 request/s, but 1.4 × slower at high rates (Llama-3-70B, draft of 0.5B, four H100).',
          source: VLLM_SPECULATION,
        },
      ],
    },
    lowLoadInt4,
  ),
  example(
    {
      id: 'long-context',
      title: 'Long context: prefix caching and KV FP8',
      summary:
        'Llama 3.1 8B with 32,000-token prompts that share their document, on vLLM: no reuse, prefix caching, and an FP8 cache with it.',
      why: 'At such lengths the prompt is most of the work and the cache most of the memory. Reuse removes the first, 8 bits halve the second; below about 7,000 tokens an FP8 cache gains nothing on an H100.',
      expected: [
        {
          text: 'Prefill falls by the share of the prompt that is cached: 97 % here, once the first request has been read.',
          source: { label: 'SGLang paper (RadixAttention)', url: 'https://arxiv.org/abs/2312.07104' },
        },
        {
          text: 'KV FP8: 14.9 % more output tokens at 20,000-token prompts and 8 clients (Llama 3.1 8B, H100).',
          source: VLLM_KV_FP8,
        },
      ],
    },
    longContext,
  ),
  example(
    {
      id: 'offline-batch',
      title: 'Offline batch throughput',
      summary:
        'Qwen3 30B-A3B on an H100 with 512 requests at once: vLLM as it starts against FP8, a large batch and large steps.',
      why: 'Nobody waits for a single answer: fill the memory with sequences and the steps with prompt tokens. The same settings ruin TTFT under an online limit.',
      expected: [
        {
          text: 'FP8 weights and cache together: 2.1–3.8 × the output throughput of 16 bits where memory bounded the batch (Mixtral 8x7B, two H100).',
          source: TRTLLM_PERF,
        },
      ],
    },
    offlineBatch,
  ),
  example(
    {
      id: 'single-user-edge',
      title: 'Single user at the edge',
      summary: 'Qwen3 4B on llama.cpp on a laptop (Apple M3 Max): Q8_0 against Q4_K_M with a Q8_0 cache.',
      why: 'One stream, little memory, a battery: bytes read for each token decide over speed and energy alike.',
      expected: [
        {
          text: 'Up to 1.7 × the decode speed by size alone (8.5 against 4.9 bits a weight), for 2.8 % more perplexity (Llama-3-8B).',
          source: PERPLEXITY,
        },
      ],
    },
    singleUserEdge,
  ),
];
