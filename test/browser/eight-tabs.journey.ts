import { callApi, createPipeline, smallPipeline, startExperiment } from './support/api';
import { expect, test } from './support/owner';

const TABS = 8;

test('eight tabs on one experiment all stay live', async ({ owner, page }) => {
  await page.goto('/pipelines');
  const pipelineId = await createPipeline(page, 'Eight tabs', smallPipeline({ blocks: 1, windowS: 6 }));
  const id = await startExperiment(page, pipelineId);
  const tabs = await Promise.all(Array.from({ length: TABS }, () => owner.newPage()));
  await Promise.all(tabs.map((tab) => tab.goto(`/experiments/${id}`)));
  for (const tab of tabs) await expect(tab.getByText(/running, block 1 of 1/)).toBeVisible({ timeout: 90_000 });
  // While all eight listen, the API still answers each of them: no tab waits for a free connection.
  const answers = await Promise.all(tabs.map((tab) => callApi<{ id: string }>(tab, 'experiments.get', { id })));
  expect(answers.map((answer) => answer.id)).toEqual(tabs.map(() => id));
  for (const tab of tabs) {
    await expect(tab.getByText(/succeeded, 2 of 2 trials/)).toBeVisible({ timeout: 120_000 });
    await expect(tab.locator('[data-chart="output-tokens"] .recharts-line-curve').first()).toBeVisible();
  }
});
