import type { Slo } from './workload';

const SLO = /^(ttftMs|tpotMs|itlMs|e2eMs)(?:P(\d+(?:\.\d+)?))?\s*<=\s*(\d+(?:\.\d+)?)$/;

/**
 * Reads `ttftMsP99<=500,tpotMsP99<=50`; without a percentile it is the 99th, and P999 is 99.9.
 * @throws with a sentence that names the part it cannot read
 */
export function parseSlos(text: string): Slo[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [, metric, digits, limit] = SLO.exec(part) ?? [];
      const percentile = digits === '999' ? 99.9 : Number(digits ?? 99);
      if (!metric || !limit || !(percentile > 0 && percentile < 100) || Number(limit) <= 0) {
        throw new Error(`the limit "${part}" is not like ttftMsP99<=500 (ttftMs, tpotMs, itlMs or e2eMs)`);
      }
      return { metric: metric as Slo['metric'], limitMs: Number(limit), percentile };
    });
}
