import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder. */
export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
export const at = (...parts) => path.join(ROOT, ...parts);

/** Folders of one way to run; the tests have their own, so that they never touch a running server's. */
export function folders(mode) {
  const suffix = mode === 'test' ? '-test' : '';
  return {
    data: path.resolve(ROOT, process.env.INFERLOOM_DATA_DIR ?? `.data${suffix}`),
    build: at(`.build${suffix}`),
    dist: `.next${mode === 'dev' ? '-dev' : suffix}`,
  };
}
