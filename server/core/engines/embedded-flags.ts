/** One argument that the embedded engine parses. `type` decides how its value reads; `setting` null: set by the agent. */
export interface EmbeddedFlag {
  name: string;
  type: 'text' | 'count' | 'non-negative' | 'on-off-auto' | 'kv-type' | 'spec-type' | 'flag';
  /** What the engine does without it; null: the argument is required or means "absent". */
  default: string | number | null;
  does: string;
}

const flag = (
  name: string,
  type: EmbeddedFlag['type'],
  value: EmbeddedFlag['default'],
  does: string,
): EmbeddedFlag => ({
  name,
  type,
  default: value,
  does,
});

/**
 * The whole command line of `inferloom-engine`: what the llama.cpp table emits for the runtime `embedded`, and what
 * the agent adds. The names are llama-server's except `--queue-limit` and `--spec-ngram-simple-min-match`, which
 * llama-server does not have. The API key comes by LLAMA_API_KEY, so that it shows in no list of processes.
 */
export const EMBEDDED_FLAGS: readonly EmbeddedFlag[] = [
  flag('--model', 'text', null, 'GGUF file of the target.'),
  flag('--model-draft', 'text', null, 'GGUF file of the draft.'),
  flag('--ctx-size', 'non-negative', 0, 'Tokens over all sequences; 0: what the model was made for.'),
  flag('--parallel', 'count', 1, 'Sequences decoded together, at most 256.'),
  flag('--batch-size', 'count', 2048, 'With --ubatch-size: prompt tokens of one step, the smaller of the two.'),
  flag('--ubatch-size', 'count', 512, 'See --batch-size.'),
  flag('--flash-attn', 'on-off-auto', 'auto', 'Flash attention.'),
  flag('--cache-type-k', 'kv-type', 'F16', 'Type of cached keys, in any case.'),
  flag('--cache-type-v', 'kv-type', 'F16', 'Type of cached values, in any case.'),
  flag('--cache-prompt', 'flag', null, 'Reuse of prompt prefixes, the default.'),
  flag('--no-cache-prompt', 'flag', null, 'No reuse of prompt prefixes.'),
  flag('--keep', 'non-negative', 0, 'First tokens that a context shift keeps.'),
  flag('--context-shift', 'flag', null, 'A full context drops its middle instead of ending the request.'),
  flag('--threads', 'count', 1, 'Threads of the computation.'),
  flag('--spec-type', 'spec-type', 'none', 'none, draft-simple (needs --model-draft) or ngram-simple.'),
  flag('--spec-draft-n-max', 'count', 3, 'Tokens drafted a step by the draft model.'),
  flag('--spec-ngram-simple-size-m', 'count', 48, 'Tokens copied a step by prompt lookup.'),
  flag('--spec-ngram-simple-size-n', 'count', 3, 'Longest match of prompt lookup.'),
  flag('--spec-ngram-simple-min-match', 'count', 1, 'Shortest match of prompt lookup.'),
  flag('--queue-limit', 'non-negative', 64, 'Requests that may wait; one more gets 429.'),
  flag('--host', 'text', '127.0.0.1', 'Address to listen on; set by the agent.'),
  flag('--port', 'non-negative', 8080, 'Port to listen on, 0: any free one; set by the agent.'),
  flag('--alias', 'text', null, 'Name of the model in the API; set by the agent.'),
  flag('--api-key', 'text', null, 'Bearer key; LLAMA_API_KEY does the same.'),
];
