import { llamaCpp as engine } from '../../engines/llama-cpp';
import type { Invocation } from '../importer';
import type { Mark } from '../mark';
import { onOff } from '../on-off';
import type { Reading } from '../reading';
import type { Dialect } from './dialect';

const GPU_FLAGS = ['--gpu-layers', '--main-gpu', '--tensor-split', '--split-mode', '--n-cpu-moe', '--cpu-moe'];

/** Whether a command computes on a GPU, as far as it says. */
function usesGpu(reading: Reading, { devices, image }: Invocation): boolean {
  if (reading.value('--gpu-layers') === '0' || reading.value('--device') === 'none') return false;
  return (
    (devices !== null && devices !== 0) ||
    /cuda|rocm|vulkan|musa|intel/i.test(image ?? '') ||
    GPU_FLAGS.some((name) => reading.peek(name) !== null)
  );
}

/** `-fa` alone is how builds before 2025-09 switched it on. */
function readFlash(reading: Reading): void {
  const flash = reading.peek('--flash-attn');
  if (flash === null) return;
  if (flash.value === null) {
    const message = `${flash.written} without a value is the form of earlier builds; read as on.`;
    reading.say('info', 'flag-old-form', message);
  }
  const state = flash.value === null ? 'on' : onOff(flash.value);
  if (state !== null) reading.mean('--flash-attn', state);
}

/** A length that does not divide is what a sequence gets times the sequences, as llama-server rounds it. */
function readContext(reading: Reading, { runtime }: Invocation): void {
  const total = reading.integer('--ctx-size');
  const known = engine.defaults({ runtime, modelMaxTokens: null }).maxSequences?.value;
  const sequences = reading.integer('--parallel') ?? Number(known ?? 1);
  if (total === null || sequences < 1 || total % sequences === 0) return;
  const each = Math.floor(total / sequences);
  const message = `--ctx-size ${total} over ${sequences} sequences is ${each} tokens each, ${each * sequences} together.`;
  reading.say('warning', 'context-rounded', message, 'context');
  reading.mean('--ctx-size', String(each * sequences));
}

const argument = (name: string, value: string): Mark => ({
  kind: 'arg',
  words: [],
  written: name,
  name,
  value,
  spelling: null,
  fact: null,
});

/** A draft model alone means draft-simple; one cache type leaves the other at F16. */
function readImplied(reading: Reading): void {
  const hasDraft = ['--spec-draft-model', '--spec-draft-hf'].some((name) => reading.peek(name) !== null);
  if (hasDraft && reading.peek('--spec-type') === null) {
    reading.say('info', 'speculation-implied', 'A draft model is given: read as --spec-type draft-simple.');
    reading.imply(argument('--spec-type', 'draft-simple'));
  }
  for (const [given, other] of [
    ['--cache-type-k', '--cache-type-v'],
    ['--cache-type-v', '--cache-type-k'],
  ] as const) {
    if (reading.peek(given) !== null && reading.peek(other) === null) reading.imply(argument(other, 'f16'));
  }
}

export const llamaCpp: Dialect = {
  engine: 'llama.cpp',
  mentions: /llama-server|llama[._-]?cpp|inferloom-engine/i,
  starts: [
    { words: [/^llama(?:-cpp)?-server$/], runtime: 'llama-server' },
    { words: ['inferloom-engine'], runtime: 'embedded' },
  ],
  image: /llama[._-]?cpp|llama-server/,
  imageWords: ['--server', '-s'],
  runtime: 'llama-server',
  isEntryPoint: true,
  model: { flags: ['--model'], revision: null, positional: false, files: 'gguf' },
  configFlags: [],
  launcher: ['--host', '--port'],
  added: ['--metrics'],
  keyFlags: ['--api-key'],
  keyVariables: ['LLAMA_API_KEY'],
  ranks: () => 1,
  device: (reading, invocation) => (usesGpu(reading, invocation) ? 'RTX-4090' : 'cpu-local'),
  read(reading, invocation) {
    readFlash(reading);
    readContext(reading, invocation);
    readImplied(reading);
  },
};
