import { ensureBuilt } from './build.mjs';
import { checkHost } from './checks.mjs';
import { ensureInstalled } from './install.mjs';
import { at, folders } from './paths.mjs';
import { node } from './run.mjs';

/** `npm run bench [NAME…]`: the benchmarks of test/bench, all or those named. */
export async function runBench(names) {
  checkHost();
  const place = folders('test');
  await ensureInstalled();
  await ensureBuilt(place, { pages: false });
  await node(at('node_modules/tsx/dist/cli.mjs'), [at('test/bench/main.ts'), ...names], {
    env: { INFERLOOM_BUILD_DIR: place.build },
    show: true,
    what: 'bench',
  });
  return 0;
}
