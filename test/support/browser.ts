import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

const INSTALLED = [
  // Made for this: no windows, no pages of its own.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * A Chromium for the browser tests: CHROMIUM_PATH, an installed one, Playwright's own, then the one that the package
 * @sparticuz/chromium carries. Throws a sentence that names the packages when none is there; never skips.
 */
export async function browserPath(): Promise<string> {
  const named = process.env.CHROMIUM_PATH;
  if (named) return named;
  const found = [...INSTALLED, chromium.executablePath()].find((path) => path && existsSync(path));
  if (found) return found;
  const { default: packed } = await import('@sparticuz/chromium');
  const path = await packed.executablePath().catch(() => null);
  if (path && existsSync(path)) return path;
  throw new Error(
    "No browser for the tests: install Debian's `chromium` (or set CHROMIUM_PATH), or the npm package @sparticuz/chromium.",
  );
}
