import { resolve } from 'node:path';
import { defineConfig } from '@playwright/test';
import { browserPath } from '../support/browser';

const reports = process.env.INFERLOOM_REPORTS ?? '.build-test/reports';

export default defineConfig({
  testDir: '.',
  testMatch: '*.journey.ts',
  workers: 1,
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
