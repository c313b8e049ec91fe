export interface Sampling {
  /** 0: greedy. */
  temperature: number;
  topP: number;
  /** 0: the whole vocabulary. */
  topK: number;
  minP: number;
  seed: number;
}

export type FinishReason = 'stop' | 'length';

/** What the consumer of a request decides after each token. */
export type AfterToken = 'go-on' | 'stop';

interface JobBase {
  /** Set by the consumer when nobody listens any more. */
  cancelled: boolean;
  onError(error: Error): void;
}

export interface GenerateJob extends JobBase {
  kind: 'generate';
  prompt: readonly number[];
  maxTokens: number;
  minTokens: number;
  ignoreEos: boolean;
  sampling: Sampling;
  /** Called once, when the request leaves the queue. */
  onStart(cachedTokens: number): void;
  /** Called for each token, in order; end-of-generation tokens included (`isEnd`). */
  onToken(token: number, isEnd: boolean): AfterToken;
  /** Called after each engine step that brought tokens, so that they leave in one write. */
  onStep(): void;
  onFinish(reason: FinishReason): void;
}

/** Log-probabilities of the whole vocabulary after each token but the last. */
export interface ScoreJob extends JobBase {
  kind: 'score';
  tokens: readonly number[];
  /** One row a token, in order: natural logarithms, indexed by token id. */
  onRow(logprobs: Float32Array): void;
  onFinish(): void;
}

export type Job = GenerateJob | ScoreJob;
