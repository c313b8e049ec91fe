import type { ControlledEvaluateInputItem, LlamaContextSequence, TokenBias } from 'node-llama-cpp';
import type { Counters } from './counters';
import type { GenerateJob, ScoreJob } from './job';
import { mix32, uniform } from './random';
import { sampleOptions } from './sampling';
import { asTokens, type Run, type Slot, truncate } from './slot';
import { type Distribution, type Verdict, verifyByChoice, verifyBySampling } from './speculation';

/** Drafted tokens of one stream. */
export interface Drafted {
  tokens: number[];
  /** What each was drawn from; null for greedy drafts and prompt lookup. */
  distributions: Distribution[] | null;
  /** Length of the draft's sequence before the first drafted token; null without a draft model. */
  draftBase: number | null;
}

export interface StepContext {
  noEnd: TokenBias;
  counters: Counters;
  isEnd(token: number): boolean;
}

interface Choice {
  token: number;
  probabilities: Distribution | null;
}

/** Evaluates `take` pending tokens (and the drafts behind the last one). True when the request is finished. */
export async function evaluateGenerate(
  slot: Slot,
  run: Run,
  job: GenerateJob,
  take: number,
  drafted: Drafted | null,
  context: StepContext,
): Promise<boolean> {
  const input = run.pending.slice(0, take);
  const generates = take === run.pending.length;
  const at = slot.target.nextTokenIndex;
  const choices = await choose(slot.target, job, run, input, generates, drafted, context);
  run.pending.splice(0, take);
  if (!generates) return false;
  const verdict = judge(job, run, drafted, choices);
  const drafts = drafted?.tokens ?? [];
  if (drafts.length > 0) {
    context.counters.speculationSteps++;
    context.counters.drafted += drafts.length;
    context.counters.accepted += verdict.accepted;
    context.counters.largestDraft = Math.max(context.counters.largestDraft, drafts.length);
  }
  const done = emit(job, run, [...drafts.slice(0, verdict.accepted), verdict.next], context);
  if (done) return true;
  run.pending = [verdict.next];
  if (verdict.accepted < drafts.length) await truncate(slot.target, at + take + verdict.accepted);
  await alignDraft(slot, run, drafted, verdict);
  return false;
}

/** One decode of the target: its choice after the last pending token and after each draft. */
async function choose(
  target: LlamaContextSequence,
  job: GenerateJob,
  run: Run,
  input: readonly number[],
  generates: boolean,
  drafted: Drafted | null,
  context: StepContext,
): Promise<Choice[]> {
  const drafts = drafted?.tokens ?? [];
  const first = input.length - 1;
  const items = asTokens([...input, ...drafts]).map((token, i): ControlledEvaluateInputItem => {
    if (!generates || i < first) return token;
    const options = sampleOptions(job, run.generated + i - first, context.noEnd);
    const probabilities = drafted?.distributions != null && i < first + drafts.length;
    return [token, { generateNext: { token: true, probabilities, options } }];
  });
  const out = await target.controlledEvaluate(items);
  if (!generates) return [];
  return items.slice(first).map((_, i) => {
    const next = out[first + i]?.next;
    if (next?.token == null) throw new Error('the model gave no token');
    return { token: next.token, probabilities: (next.probabilities as Distribution | undefined) ?? null };
  });
}

function judge(job: GenerateJob, run: Run, drafted: Drafted | null, choices: readonly Choice[]): Verdict {
  const drafts = drafted?.tokens ?? [];
  const chosen = choices.map((c) => c.token);
  if (!drafted?.distributions) return verifyByChoice(drafts, chosen);
  const p = choices.flatMap((c) => (c.probabilities ? [c.probabilities] : []));
  const bonus = chosen[drafts.length];
  if (bonus === undefined) throw new Error('the target gave no token after the drafts');
  const random = uniform(mix32(mix32(job.sampling.seed, run.generated), 0xacce97));
  return verifyBySampling(drafts, drafted.distributions, p, bonus, random);
}

/** Hands tokens out one by one; true when the request ended with one of them. */
function emit(job: GenerateJob, run: Run, tokens: readonly number[], context: StepContext): boolean {
  for (const token of tokens) {
    run.generated++;
    run.tokens.push(token);
    context.counters.generated++;
    const isEnd = context.isEnd(token);
    const after = job.onToken(token, isEnd);
    if (!isEnd && after === 'go-on' && run.generated < job.maxTokens) continue;
    job.onFinish(isEnd || after === 'stop' ? 'stop' : 'length');
    return true;
  }
  job.onStep();
  return false;
}

/** Brings the draft's sequence to the same place: accepted drafts stay, the rest goes, what it lacks is pending. */
async function alignDraft(slot: Slot, run: Run, drafted: Drafted | null, verdict: Verdict): Promise<void> {
  if (!slot.draft || run.draftLost) return;
  const last = drafted?.tokens.at(-1);
  if (!drafted || drafted.draftBase === null || last === undefined) {
    run.draftPending.push(verdict.next);
    return;
  }
  const evaluated = drafted.tokens.length - 1;
  await truncate(slot.draft, drafted.draftBase + Math.min(verdict.accepted, evaluated));
  run.draftPending = verdict.accepted === drafted.tokens.length ? [last, verdict.next] : [verdict.next];
}

/** Evaluates `take` tokens of a scored text and hands out a row of log-probabilities for each. */
export async function evaluateScore(
  target: LlamaContextSequence,
  run: Run,
  job: ScoreJob,
  take: number,
  context: StepContext,
): Promise<boolean> {
  const input = asTokens(run.pending.slice(0, take));
  const options = { temperature: 0 };
  const out = await target.controlledEvaluate(
    input.map((token): ControlledEvaluateInputItem => [token, { generateNext: { probabilities: true, options } }]),
  );
  for (const row of out.slice(0, input.length)) {
    if (!row?.next.probabilities) throw new Error('the model gave no probabilities');
    job.onRow(logRow(row.next.probabilities as Distribution));
    context.counters.scored++;
  }
  run.pending.splice(0, take);
  if (run.pending.length > 0) return false;
  job.onFinish();
  return true;
}

/** Probabilities below the smallest single-precision number arrive as 0: they count as that number's logarithm. */
const SMALLEST_LOG = Math.log(2 ** -149);

function logRow(probabilities: Distribution): Float32Array {
  const row = new Float32Array(probabilities.size).fill(SMALLEST_LOG);
  for (const [token, probability] of probabilities) if (probability > 0) row[token] = Math.log(probability);
  return row;
}
