/** Numbers of a version: `v0.28.0` → [0, 28, 0]; a build such as `b10573` → [10573]. Null where there is no number. */
function numbersOf(version: string): { scheme: 'build' | 'dotted'; numbers: number[] } | null {
  const build = /^b(\d+)$/.exec(version);
  if (build) return { scheme: 'build', numbers: [Number(build[1])] };
  const dotted = /^v?(\d+(?:\.\d+)*)/.exec(version);
  return dotted?.[1] ? { scheme: 'dotted', numbers: dotted[1].split('.').map(Number) } : null;
}

/**
 * Below 0, 0 or above 0 as `a` is older, equal or newer than `b`. Null where they cannot be compared: no number, or
 * two numbering schemes (llama.cpp has builds, b10573, and releases, v0.4.0).
 */
export function compareVersions(a: string, b: string): number | null {
  const left = numbersOf(a);
  const right = numbersOf(b);
  if (left === null || right === null || left.scheme !== right.scheme) return null;
  const length = Math.max(left.numbers.length, right.numbers.length);
  for (let i = 0; i < length; i++) {
    const difference = (left.numbers[i] ?? 0) - (right.numbers[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** True from the first release that has something on; an unknown version is taken as older. */
export const isAtLeast = (version: string, since: string): boolean => (compareVersions(version, since) ?? -1) >= 0;
