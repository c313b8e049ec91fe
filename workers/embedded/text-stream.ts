/** Token ids → text, given the tokens before them. */
export type Detokenize = (tokens: readonly number[], before: readonly number[]) => string;

export interface StreamStep {
  /** Text that is final now; may be empty while a character or a possible stop string is incomplete. */
  text: string;
  stopped: boolean;
}

/** Turns tokens into text as they come: holds back incomplete UTF-8 and whatever may still become a stop string. */
export class TextStream {
  private readonly tokens: number[] = [];
  /** Tokens from `decodedFrom` on are decoded again each time, so that multi-token characters come out whole. */
  private decodedFrom = 0;
  private shownTo = 0;
  private held = '';

  constructor(
    private readonly detokenize: Detokenize,
    private readonly promptTail: readonly number[],
    private readonly stops: readonly string[],
  ) {}

  push(token: number): StreamStep {
    this.tokens.push(token);
    const before = [...this.promptTail, ...this.tokens.slice(Math.max(0, this.decodedFrom - 4), this.decodedFrom)];
    const shown = this.detokenize(this.tokens.slice(this.decodedFrom, this.shownTo), before);
    const all = this.detokenize(this.tokens.slice(this.decodedFrom), before);
    if (all.endsWith('\ufffd') && this.tokens.length - this.shownTo < 8) return { text: '', stopped: false };
    this.decodedFrom = this.shownTo;
    this.shownTo = this.tokens.length;
    return this.release(all.slice(shown.length));
  }

  /** What was held back when generation ended for another reason. */
  flush(): string {
    const rest = this.detokenize(
      this.tokens.slice(this.shownTo),
      this.tokens.slice(Math.max(0, this.shownTo - 4), this.shownTo),
    );
    const { text } = this.release(rest);
    const out = text + this.held;
    this.held = '';
    return out;
  }

  private release(more: string): StreamStep {
    const text = this.held + more;
    const cut = earliest(text, this.stops);
    if (cut >= 0) {
      this.held = '';
      return { text: text.slice(0, cut), stopped: true };
    }
    const keep = partialStop(text, this.stops);
    this.held = text.slice(text.length - keep);
    return { text: text.slice(0, text.length - keep), stopped: false };
  }
}

function earliest(text: string, stops: readonly string[]): number {
  let first = -1;
  for (const stop of stops) {
    const at = text.indexOf(stop);
    if (at >= 0 && (first < 0 || at < first)) first = at;
  }
  return first;
}

/** Length of the longest end of `text` that a stop string starts with. */
function partialStop(text: string, stops: readonly string[]): number {
  let longest = 0;
  for (const stop of stops)
    for (let n = Math.min(stop.length - 1, text.length); n > longest; n--)
      if (text.endsWith(stop.slice(0, n))) longest = n;
  return longest;
}
