import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const inSource = path.basename(here) === 'start';

/** The project's folder. A bundle, whose own place is the build folder, learns it from whoever started it. */
export const ROOT = inSource ? path.resolve(here, '..', '..') : (process.env.INFERLOOM_ROOT ?? process.cwd());
process.env.INFERLOOM_ROOT = ROOT;
export const at = (...parts) => path.join(ROOT, ...parts);

/**
 * Folders of one way to run; the tests have their own, so that they never touch a running server's.
 * INFERLOOM_DATA_DIR, INFERLOOM_BUILD_DIR and INFERLOOM_DIST_DIR override them.
 */
export function folders(mode) {
  const suffix = mode === 'test' ? '-test' : '';
  const { INFERLOOM_DATA_DIR: data, INFERLOOM_BUILD_DIR: build, INFERLOOM_DIST_DIR: dist } = process.env;
  return {
    data: path.resolve(ROOT, data ?? `.data${suffix}`),
    build: path.resolve(ROOT, build ?? `.build${suffix}`),
    dist: dist ?? `.next${mode === 'dev' ? '-dev' : suffix}`,
  };
}
