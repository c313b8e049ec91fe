import { launch } from './launch.mjs';
import { PlainError, runPlainly } from './say.mjs';

/** `npm start`, `npm run dev`, `npm test`, `npm run bench` enter here with nothing but Node: no package is needed yet. */
const MODES = {
  start: () => launch('start'),
  dev: () => launch('dev'),
  test: async (args) => (await import('./test.mjs')).runTests(args),
  bench: async (args) => (await import('./bench.mjs')).runBench(args),
};

await runPlainly(async () => {
  const [mode = 'start', ...args] = process.argv.slice(2);
  const enter = MODES[mode];
  if (!enter) throw new PlainError(`Unknown way to start: ${mode}. Known: ${Object.keys(MODES).join(', ')}.`);
  return enter(args);
});
process.exit(process.exitCode);
