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

/**
 * The steps of `npm test`: name, command and how many tests it counts for (a check counts as one). Two lanes run side
 * by side: what reads and runs code, and what builds and shows pages. Both wait much, so two cores hold both.
 */
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
    { name: 'lint', lane: 'code', run: [biome, ['check', '.']] },
    {
      name: 'layers',
      lane: 'code',
      run: [depcruise, ['app', 'server', 'workers', 'prisma', '--config', '.dependency-cruiser.cjs']],
    },
    { name: 'dead code', lane: 'code', run: [knip, []] },
    { name: 'unit', lane: 'code', run: vitestRun('unit'), count: () => countVitest(`${reports}/unit.json`) },
    // After the unit tests: the pages' build has written its types by then.
    { name: 'types', lane: 'code', run: [tsc, ['--noEmit', '-p', 'test']] },
    {
      name: 'service',
      lane: 'code',
      run: vitestRun('service'),
      count: () => countVitest(`${reports}/service.json`),
      env,
    },
    {
      name: 'browser',
      lane: 'pages',
      run: [playwright, ['test', '--config', 'test/browser/playwright.config.ts']],
      count: () => countPlaywright(`${reports}/browser.json`),
      env,
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
  const wanted = steps({ reports, env }).filter((step) => names.length === 0 || names.includes(step.name));
  const lane = (name) => wanted.filter((step) => step.lane === name);
  const needsPages = lane('pages').length > 0;
  const showPages = async () => {
    if (needsPages) await ensureBuilt(place, { pages: true });
    return runLane(lane('pages'));
  };
  const total = (await Promise.all([showPages(), runLane(lane('code'))])).reduce(add);
  process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
  return total.failed ? 1 : 0;
}

const add = (a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed });

async function runLane(lane) {
  let total = { passed: 0, failed: 0 };
  for (const step of lane) total = add(total, await runStep(step));
  return total;
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
