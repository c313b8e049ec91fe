/** The one place that turns numbers and times into text. Absent is an en dash, never 0. */
export const ABSENT = '–';

const grouped = (digits: number) =>
  new Intl.NumberFormat('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
const formatters = new Map<number, Intl.NumberFormat>();

/** Fixed decimals, so that figures in a column align. */
export function formatFixed(value: number | null | undefined, digits: number): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return ABSENT;
  let formatter = formatters.get(digits);
  if (!formatter) {
    formatter = grouped(digits);
    formatters.set(digits, formatter);
  }
  return formatter.format(value).replace('-', '−');
}

/** About three significant figures without an exponent: 921, 46.2, 1.13, 0.0092. */
export function formatNumber(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return ABSENT;
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (size >= 100) return formatFixed(value, 0);
  if (size >= 10) return formatFixed(value, 1);
  if (size >= 1) return formatFixed(value, 2);
  const digits = Math.min(6, 1 - Math.floor(Math.log10(size)));
  return formatFixed(value, digits);
}

/** Signed percent with a true minus: +125 %, −37 %. */
export function formatPercent(value: number | null | undefined, digits = 0): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return ABSENT;
  const text = formatFixed(Math.abs(value), digits);
  const sign = Number.parseFloat(text) === 0 ? '±' : value > 0 ? '+' : '−';
  return `${sign}${text} %`;
}

/** Binary units: 41 MiB. */
export function formatBytes(bytes: number | null | undefined): string {
  if (bytes === null || bytes === undefined || !Number.isFinite(bytes)) return ABSENT;
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes;
  let unit = 0;
  while (Math.abs(value) >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? formatFixed(value, 0) : formatNumber(value)} ${units[unit]}`;
}

/** Seconds as `38 s`, `2 min 5 s`, `1 h 12 min`. */
export function formatDuration(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return ABSENT;
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return whole % 60 === 0 ? `${whole / 60} min` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const minutes = Math.round((whole % 3600) / 60);
  return minutes === 0 ? `${Math.floor(whole / 3600)} h` : `${Math.floor(whole / 3600)} h ${minutes} min`;
}

/** `2 s ago`, `5 min ago`, then the date. */
export function formatAgo(at: Date, now: Date): string {
  const seconds = (now.getTime() - at.getTime()) / 1000;
  if (seconds < 1.5) return 'just now';
  if (seconds < 60) return `${Math.floor(seconds)} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return formatDate(at);
}

/** Date and time in the viewer's zone: `1 Dec 2026, 14:05`. */
export const formatDate = (at: Date): string =>
  new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).format(at);

/** Decimals that give the largest of a column three significant digits; the column shares them, so its points align. */
export function decimalsFor(values: readonly (number | null | undefined)[], significant = 3): number {
  const largest = values.reduce<number>((max, v) => (Number.isFinite(v) ? Math.max(max, Math.abs(v ?? 0)) : max), 0);
  return largest === 0 ? 0 : Math.min(8, Math.max(0, significant - 1 - Math.floor(Math.log10(largest))));
}

export interface ChangeText {
  text: string;
  tone: 'better' | 'worse' | 'none';
  /** The verdict in words: colour is never alone. */
  word: string;
}

/** A change against the baseline, in percent. Coloured only where a verdict says that it is more than noise. */
export function formatChange(change: { changePercent: number; verdict: string | null } | null | undefined): ChangeText {
  if (!change) return { text: '', tone: 'none', word: '' };
  const text = formatPercent(change.changePercent, Math.abs(change.changePercent) < 10 ? 1 : 0);
  const word = change.verdict ?? 'no verdict';
  if (word === 'faster' || word === 'better') return { text, tone: 'better', word };
  return { text, tone: word === 'slower' || word === 'worse' ? 'worse' : 'none', word };
}

/** `1.25×`: how many times the baseline. */
export const formatRatio = (ratio: number | null | undefined): string =>
  ratio === null || ratio === undefined || !Number.isFinite(ratio) ? ABSENT : `${formatFixed(ratio, 2)}×`;

/** `1 trial`, `2 trials`. */
export const countOf = (n: number, one: string, many = `${one}s`): string =>
  `${formatFixed(n, 0)} ${n === 1 ? one : many}`;

/** The value of a setting: `on`, `Q8_0`, `4,096`; JSON for what has parts. */
export function formatSetting(value: unknown): string {
  if (value === null || value === undefined) return ABSENT;
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isInteger(value) ? formatFixed(value, 0) : formatNumber(value);
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return JSON.stringify(value);
}
