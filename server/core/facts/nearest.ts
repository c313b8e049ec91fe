/** Edits (insert, delete, replace, swap of neighbours) that turn one text into the other; at most `limit` + 1 is counted. */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let twoBefore: number[] = [];
  let before = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (before[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? (twoBefore[j - 2] ?? 0) + 1 : limit + 1;
      row.push(Math.min(replaced, swapped, (before[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    [twoBefore, before] = [before, row];
  }
  return before[b.length] ?? limit + 1;
}

/** Lower case, letters and digits only: `NVIDIA GeForce RTX 4090` and `nvidia-geforce-rtx-4090` are one name. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9.+]+/g, '');

const LONGEST = 120;
const SHOWN = 3;

/** Names of the table that a misspelt one may mean, nearest first, at most three; [] where nothing is near. */
export function nearestNames(asked: string, names: readonly string[]): string[] {
  const key = plainName(asked.slice(0, LONGEST));
  if (key === '') return [];
  const scored = names.flatMap((name) => {
    const other = plainName(name);
    const limit = Math.max(2, Math.floor(Math.max(key.length, other.length) * 0.35));
    const edits = distance(key, other, limit);
    const holds = key.length >= 3 && (other.includes(key) || key.includes(other));
    if (edits > limit && !holds) return [];
    return [{ name, score: (holds ? edits / 2 : edits) / Math.max(key.length, other.length) }];
  });
  return scored
    .sort((a, b) => a.score - b.score || a.name.localeCompare(b.name))
    .slice(0, SHOWN)
    .map(({ name }) => name);
}
