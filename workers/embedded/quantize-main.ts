import fs from 'node:fs';
import { parseArgs } from 'node:util';
import koffi from 'koffi';
import { QUANTIZATION_TYPES } from './file-type';
import { findLlamaLibrary } from './llama-library';

/** Layout of llama_model_quantize_params in the version that QUANTIZE_ABI names. */
const QUANTIZE_ABI = '0.4.0';
const FIELDS = {
  nthread: 'int32',
  ftype: 'int32',
  output_tensor_type: 'int32',
  token_embedding_type: 'int32',
  allow_requantize: 'bool',
  quantize_output_tensor: 'bool',
  only_copy: 'bool',
  pure: 'bool',
  keep_split: 'bool',
  dry_run: 'bool',
  imatrix: 'void*',
  kv_overrides: 'void*',
  tt_overrides: 'void*',
  prune_layers: 'void*',
  max_buf_size: 'size_t',
};

const PR_SET_PDEATHSIG = 1;
const SIGKILL = 9;

/** The quantizer blocks its thread and cannot watch a pipe: on Linux the kernel ends it with its parent. */
function dieWithParent(): void {
  if (process.platform !== 'linux') return;
  koffi.load('libc.so.6').func('int prctl(int, unsigned long)')(PR_SET_PDEATHSIG, SIGKILL);
}

/** Writes `to` as `type` from the F16, BF16 or F32 file `from`. A process of its own: a native crash ends only it. */
function quantize(from: string, to: string, type: string, threads: number): void {
  const library = findLlamaLibrary();
  if (library.version !== QUANTIZE_ABI)
    throw new Error(`llama.cpp library ${library.version}: quantizing is written for ${QUANTIZE_ABI}`);
  const ftype = QUANTIZATION_TYPES[type];
  if (ftype === undefined)
    throw new Error(`unknown type ${type}; known: ${Object.keys(QUANTIZATION_TYPES).join(', ')}`);
  koffi.struct('quantize_params', FIELDS);
  const llama = koffi.load(library.llama);
  const ggml = koffi.load(library.ggml);
  llama.func('void llama_backend_init()')();
  ggml.func('void ggml_backend_load_all_from_path(const char*)')(library.folder);
  const defaults = llama.func('quantize_params llama_model_quantize_default_params()')();
  const run = llama.func('uint32_t llama_model_quantize(const char*, const char*, const quantize_params*)');
  const code: number = run(from, to, { ...defaults, nthread: threads, ftype });
  if (code !== 0) throw new Error(`llama_model_quantize answered ${code}`);
}

const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    to: { type: 'string' },
    type: { type: 'string' },
    threads: { type: 'string', default: '1' },
  },
});
try {
  dieWithParent();
  quantize(String(values.from), String(values.to), String(values.type), Number(values.threads));
} catch (error) {
  fs.writeSync(2, `quantize: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
