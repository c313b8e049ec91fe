import type { Page } from '@playwright/test';
import { allProcesses, descendants } from '../support/launcher';
import { callApi, createPipeline, smallPipeline, startExperiment } from './support/api';
import { expect, test } from './support/owner';

interface Detail {
  state: string;
  trials: { state: string; superseded: boolean }[];
}
const launcher = () => Number(process.env.INFERLOOM_LAUNCHER_PID);
const processes = (pattern: RegExp) => descendants(launcher()).filter((p) => pattern.test(p.command));

/** Engines of this app, orphans included: their command names its build folder. */
const engines = () => allProcesses().filter((p) => p.command.includes(`${process.env.INFERLOOM_BUILD_DIR}/engine.mjs`));

/** Ends every process of the app that matches, the hard way. */
function kill9(pattern: RegExp): number[] {
  const victims = processes(pattern).map((p) => p.pid);
  if (victims.length === 0) throw new Error(`no process matches ${pattern}`);
  for (const pid of victims) process.kill(pid, 'SIGKILL');
  return victims;
}

async function startMeasuring(page: Page, name: string): Promise<string> {
  await page.goto('/pipelines');
  const pipelineId = await createPipeline(page, name, smallPipeline({ blocks: 1, windowS: 6 }));
  const id = await startExperiment(page, pipelineId);
  await page.goto(`/experiments/${id}`);
  await expect(page.getByText(/(warming|measuring)/).first()).toBeVisible({ timeout: 90_000 });
  return id;
}

const VICTIMS = [
  { what: 'the engine', pattern: /engine\.mjs/ },
  { what: 'the worker', pattern: /cli\.mjs worker/ },
  { what: 'the web server', pattern: /web\.mjs/ },
  { what: 'PostgreSQL', pattern: /postgres -D/ },
];

for (const { what, pattern } of VICTIMS) {
  test(`kill -9 of ${what} in the middle of a trial: the page recovers by itself`, async ({ page }) => {
    const id = await startMeasuring(page, `Kill ${what}`);
    kill9(pattern);
    await expect(page.getByText(/succeeded, 2 of 2 trials/)).toBeVisible({ timeout: 170_000 });
    const detail = await callApi<Detail>(page, 'experiments.get', { id });
    expect(detail.state).toBe('succeeded');
    expect(detail.trials.filter((trial) => !trial.superseded).map((trial) => trial.state)).toEqual([
      'succeeded',
      'succeeded',
    ]);
    await expect.poll(() => engines().length, { timeout: 15_000 }).toBe(0);
  });
}
