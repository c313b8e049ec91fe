import { resolve } from 'node:path';
import { defineConfig } from '@playwright/test';
import { browserPath } from '../support/browser';

/** Journeys that wait for experiments: one after the other, since the one worker of the app runs one at a time. */
const MEASURING = ['main', 'eight-tabs', 'endpoint', 'pages'];
/** Journeys that others would feel: they kill parts of the app, or lock the address out of the sign-in. */
const DISRUPTIVE = ['recovery', 'wrong-password'];
const journeys = (names: string[]) => names.map((name) => `${name}.journey.ts`);

const reports = process.env.INFERLOOM_REPORTS ?? '.build-test/reports';

export default defineConfig({
  testDir: '.',
  workers: 2,
  projects: [
    { name: 'measuring', testMatch: journeys(MEASURING), workers: 1 },
    { name: 'calm', testMatch: '*.journey.ts', testIgnore: journeys([...MEASURING, ...DISRUPTIVE]), workers: 1 },
    { name: 'disruptive', testMatch: journeys(DISRUPTIVE), workers: 1, dependencies: ['measuring', 'calm'] },
  ],
  // A shared machine may stall a page: continuous integration tries a journey twice, a person sees the first failure.
  retries: process.env.CI ? 1 : 0,
  timeout: 180_000,
  expect: { timeout: 15_000 },
  globalSetup: '../support/served-app.ts',
  outputDir: resolve('test-results'),
  reporter: [['list'], ['json', { outputFile: resolve(reports, 'browser.json') }]],
  use: {
    headless: true,
    viewport: { width: 1440, height: 900 },
    actionTimeout: 15_000,
    trace: 'retain-on-failure',
    launchOptions: { executablePath: await browserPath(), args: ['--no-sandbox', '--disable-dev-shm-usage'] },
  },
});
