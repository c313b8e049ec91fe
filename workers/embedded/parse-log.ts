/** What llama.cpp says about one model and its context. Null: it said nothing about it. */
export interface LogFacts {
  fileType: string | null;
  /** Tensor type (lower case) → number of tensors. */
  tensorTypes: Record<string, number>;
  flashAttention: 'on' | 'off' | null;
  cacheTypeK: string | null;
  cacheTypeV: string | null;
  /** Bytes of the K and V buffers together. */
  kvCacheBytes: number | null;
  computeBufferBytes: number | null;
  modelBufferBytes: number | null;
  contextTokens: number | null;
  contextTokensPerSequence: number | null;
  sequences: number | null;
  batchTokens: number | null;
  ubatchTokens: number | null;
  /** Facts by name → the log line that each was read from. */
  evidence: Record<string, string>;
}

const MIB = 1024 * 1024;

const PATTERNS: { name: keyof LogFacts; pattern: RegExp; read: (m: RegExpMatchArray) => unknown }[] = [
  { name: 'fileType', pattern: /print_info: file type\s+= (.+)$/, read: (m) => m[1]?.trim() },
  { name: 'sequences', pattern: /llama_context: n_seq_max\s+= (\d+)/, read: (m) => Number(m[1]) },
  { name: 'contextTokens', pattern: /llama_context: n_ctx\s+= (\d+)/, read: (m) => Number(m[1]) },
  { name: 'contextTokensPerSequence', pattern: /llama_context: n_ctx_seq\s+= (\d+)/, read: (m) => Number(m[1]) },
  { name: 'batchTokens', pattern: /llama_context: n_batch\s+= (\d+)/, read: (m) => Number(m[1]) },
  { name: 'ubatchTokens', pattern: /llama_context: n_ubatch\s+= (\d+)/, read: (m) => Number(m[1]) },
  { name: 'cacheTypeK', pattern: /llama_kv_cache: size.* K \((\w+)\)/, read: (m) => m[1] },
  { name: 'cacheTypeV', pattern: /llama_kv_cache: size.* V \((\w+)\)/, read: (m) => m[1] },
  { name: 'kvCacheBytes', pattern: /llama_kv_cache: size =\s*([\d.]+) MiB/, read: (m) => Number(m[1]) * MIB },
  { name: 'computeBufferBytes', pattern: /compute buffer size =\s*([\d.]+) MiB/, read: (m) => Number(m[1]) * MIB },
  { name: 'modelBufferBytes', pattern: /model buffer size =\s*([\d.]+) MiB/, read: (m) => Number(m[1]) * MIB },
];

/** `auto` is resolved later in the log, by a line of its own. */
function flashAttentionOf(line: string): 'on' | 'off' | null {
  const set = /llama_context: flash_attn\s+= (\w+)/.exec(line)?.[1];
  if (set === 'enabled' || set === '1') return 'on';
  if (set === 'disabled' || set === '0') return 'off';
  if (/resolve_fused_ops: Flash Attention enabled/i.test(line)) return 'on';
  if (/Flash Attention.*(disabled|not supported)/i.test(line)) return 'off';
  return null;
}

/** Reads llama.cpp's own log lines of a model load and a context creation. */
export function parseEngineLog(lines: readonly string[]): LogFacts {
  const found: Record<string, unknown> = {};
  const evidence: Record<string, string> = {};
  const tensorTypes: Record<string, number> = {};
  for (const line of lines) {
    for (const { name, pattern, read } of PATTERNS) {
      const match = pattern.exec(line);
      if (!match) continue;
      found[name] = read(match);
      evidence[name] = line;
    }
    const tensors = /llama_model_loader: - type\s+(\w+):\s+(\d+) tensors/.exec(line);
    if (tensors?.[1]) {
      tensorTypes[tensors[1]] = Number(tensors[2]);
      evidence.tensorTypes = [evidence.tensorTypes, line].filter(Boolean).join('; ');
    }
    const flash = flashAttentionOf(line);
    if (flash) {
      found.flashAttention = flash;
      evidence.flashAttention = line;
    }
  }
  const value = <K extends keyof LogFacts>(name: K): LogFacts[K] => (found[name] ?? null) as LogFacts[K];
  return {
    fileType: value('fileType'),
    tensorTypes,
    flashAttention: value('flashAttention'),
    cacheTypeK: value('cacheTypeK'),
    cacheTypeV: value('cacheTypeV'),
    kvCacheBytes: value('kvCacheBytes'),
    computeBufferBytes: value('computeBufferBytes'),
    modelBufferBytes: value('modelBufferBytes'),
    contextTokens: value('contextTokens'),
    contextTokensPerSequence: value('contextTokensPerSequence'),
    sequences: value('sequences'),
    batchTokens: value('batchTokens'),
    ubatchTokens: value('ubatchTokens'),
    evidence,
  };
}
