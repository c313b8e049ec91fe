import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ensureBuilt } from './build.mjs';
import { checkHost } from './checks.mjs';
import { ensureInstalled } from './install.mjs';
import { at, folders } from './paths.mjs';
import { node } from './run.mjs';
import { say } from './say.mjs';

const biome = at('node_modules/@biomejs/biome/bin/biome');
const next = at('node_modules/next/dist/bin/next');
const tsc = at('node_modules/typescript/bin/tsc');
const depcruise = at('node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
const knip = at('node_modules/knip/bin/knip.js');
const vitest = at('node_modules/vitest/vitest.mjs');
const playwright = at('node_modules/@playwright/test/cli.js');

/** Counts of a Vitest (`json` reporter) or Playwright report. */
function countVitest(file) {
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const brokenFiles = report.testResults.filter((r) => r.status === 'failed' && r.assertionResults.length === 0).length;
  return { passed: report.numPassedTests, failed: report.numFailedTests + brokenFiles };
}
function countPlaywright(file) {
  const { stats, errors } = JSON.parse(readFileSync(file, 'utf8'));
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected + errors.length };
}

/** The steps of `npm test`, in order: name, command and how many tests it counts for (a check counts as one). */
function steps({ reports, env }) {
  const vitestRun = (project) => [
    vitest,
    [
      'run',
      '--config',
      'test/vitest.config.ts',
      '--project',
      project,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${reports}/${project}.json`,
    ],
  ];
  return [
    { name: 'lint', run: [biome, ['check', '.']] },
    { name: 'types', run: [tsc, ['--noEmit', '-p', 'test']] },
    { name: 'layers', run: [depcruise, ['app', 'server', 'workers', 'prisma', '--config', '.dependency-cruiser.cjs']] },
    { name: 'dead code', run: [knip, []] },
    { name: 'unit', run: vitestRun('unit'), count: () => countVitest(`${reports}/unit.json`) },
    { name: 'service', run: vitestRun('service'), count: () => countVitest(`${reports}/service.json`), env },
    {
      name: 'browser',
      run: [playwright, ['test', '--config', 'test/browser/playwright.config.ts']],
      count: () => countPlaywright(`${reports}/browser.json`),
      env,
      pages: true,
    },
  ];
}

/** `npm test [NAME…]`: all steps, or those named. Prints `N passed, N failed` last; exit 1 when anything failed. */
export async function runTests(names) {
  checkHost();
  const place = folders('test');
  const reports = path.join(place.build, 'reports');
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
  await ensureInstalled();
  await ensureBuilt(place, { pages: false });
  await node(next, ['typegen'], { env: { INFERLOOM_DIST_DIR: place.dist }, what: 'next typegen' });
  const env = {
    INFERLOOM_BUILD_DIR: place.build,
    INFERLOOM_DATA_DIR: place.data,
    INFERLOOM_DIST_DIR: place.dist,
    INFERLOOM_REPORTS: reports,
  };
  const total = { passed: 0, failed: 0 };
  for (const step of steps({ reports, env })) {
    if (names.length && !names.includes(step.name)) continue;
    if (step.pages) await ensureBuilt(place, { pages: true });
    const counted = await runStep(step);
    total.passed += counted.passed;
    total.failed += counted.failed;
  }
  process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
  return total.failed ? 1 : 0;
}

async function runStep(step) {
  const began = performance.now();
  const failed = await node(step.run[0], step.run[1], {
    env: step.env,
    show: Boolean(step.count),
    what: step.name,
  }).then(
    () => false,
    (error) => error.message,
  );
  let counted = { passed: failed ? 0 : 1, failed: failed ? 1 : 0 };
  try {
    counted = step.count?.() ?? counted;
  } catch (error) {
    counted = { passed: 0, failed: 1 };
    say(`${step.name}: no report was written (${error.message})`);
  }
  if (failed && counted.failed === 0) counted.failed = 1;
  say(
    `${failed ? '✗' : '✓'} ${step.name}: ${counted.passed} passed, ${counted.failed} failed, ${((performance.now() - began) / 1000).toFixed(0)} s`,
  );
  return counted;
}
