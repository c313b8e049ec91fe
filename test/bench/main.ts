import { compiling } from './compile';
import { type Bench, calibrate, drifted } from './harness';
import { loadAccuracy } from './load-accuracy';

const BENCHES: readonly Bench[] = [compiling, loadAccuracy];

const figure = (value: number | null): string => (value === null ? '' : value.toFixed(value >= 100 ? 0 : 3));

/** Runs the benchmarks named, or all; a machine that changed its speed meanwhile is said so. */
async function main(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !BENCHES.some((b) => b.name === name));
  if (unknown.length > 0) {
    throw new Error(`unknown benchmark ${unknown.join(', ')}; known: ${BENCHES.map((b) => b.name).join(', ')}`);
  }
  for (const bench of BENCHES.filter((b) => names.length === 0 || names.includes(b.name))) {
    const before = calibrate();
    const rows = await bench.run();
    const after = calibrate();
    process.stdout.write(`${bench.name}: ${bench.summary}\n`);
    for (const row of rows) {
      const target = row.target === null ? '' : `  target ${row.target}`;
      const cpu = row.cpuMs === null ? '' : `  CPU ${figure(row.cpuMs)} ms`;
      process.stdout.write(
        `  ${row.what}: median ${figure(row.median)} ${row.unit}, p95 ${figure(row.p95)}, n ${row.n}${cpu}${target}\n`,
      );
    }
    if (drifted(before, after)) {
      process.stdout.write(`  the machine drifted: calibration ${figure(before)} → ${figure(after)} ms\n`);
    }
  }
}

await main(process.argv.slice(2));
