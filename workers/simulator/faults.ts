import { createPrng } from '@/server/core/workload/prng';

/** What the simulator does wrong on purpose. Shares are of requests, 0…1. */
export interface Faults {
  /** Answers 429 at once. */
  shed: number;
  /** Answers 500. */
  error: number;
  /** Closes the connection in the middle of the stream. */
  cut: number;
  /** Pauses in the middle of the stream. */
  stall: number;
  stallMs: number;
  /** Tokens in one chunk. */
  bundle: number;
  /** Ends so many tokens early. */
  short: number;
  /** Reports no usage. */
  noUsage: boolean;
  /** Requests that may wait for a slot; one more gets 429. */
  queue: number;
}

export const NO_FAULTS: Faults = {
  shed: 0,
  error: 0,
  cut: 0,
  stall: 0,
  stallMs: 1000,
  bundle: 1,
  short: 0,
  noUsage: false,
  queue: Number.POSITIVE_INFINITY,
};

const SHARES = ['shed', 'error', 'cut', 'stall'] as const;

function readNumber(name: string, text: string | undefined, min: number, max: number): number {
  const value = Number(text);
  if (text === undefined || text === '' || !(value >= min && value <= max)) {
    throw new Error(`fault "${name}": a number from ${min} to ${max} is expected, not "${text ?? ''}"`);
  }
  return value;
}

const AMOUNTS = { bundle: [1, 10_000], short: [0, 100_000], queue: [0, 100_000] } as const;
const isAmount = (name: string): name is keyof typeof AMOUNTS => Object.hasOwn(AMOUNTS, name);

function readFault(part: string): Partial<Faults> {
  const [name = '', text] = part.split('=');
  const share = SHARES.find((s) => s === name);
  if (share) {
    const [amount, ms] = (text ?? '').split('@');
    const stallMs = share === 'stall' && ms !== undefined ? { stallMs: readNumber(name, ms, 0, 600_000) } : {};
    return { [share]: readNumber(name, amount, 0, 1), ...stallMs };
  }
  if (isAmount(name)) return { [name]: readNumber(name, text, AMOUNTS[name][0], AMOUNTS[name][1]) };
  if (name === 'no-usage') return { noUsage: true };
  const known = [...SHARES, ...Object.keys(AMOUNTS), 'no-usage'].join(', ');
  throw new Error(`unknown fault "${name}"; known: ${known}`);
}

/**
 * Reads `shed=0.1,error=0.02,cut=0.01,stall=0.05@800,bundle=8,short=4,no-usage,queue=16`.
 * @throws with a sentence that names the part it cannot read
 */
export function parseFaults(spec: string): Faults {
  const parts = spec.split(',').map((part) => part.trim());
  return Object.assign({}, NO_FAULTS, ...parts.filter((part) => part !== '').map(readFault));
}

/** The fate of request `index`: the same in every run. */
export function drawFault(faults: Faults, index: number): (typeof SHARES)[number] | null {
  const prng = createPrng('simulator-fault', index);
  for (const kind of SHARES) if (prng.next() < faults[kind]) return kind;
  return null;
}
