import type { Page } from '@playwright/test';
import { startSimulator } from '@/workers/simulator/simulator';
import { callApi } from './support/api';
import { expect, test } from './support/owner';

const KEY = 'sk-journey-5f1d0c7a9b3e4426';

/** The page asks for its shortest workload; here the windows are shorter still, and two blocks do. */
async function shortenMeasurement(page: Page): Promise<void> {
  await page.route(/\/api\/trpc\/endpoints\.measure/, async (route) => {
    const body = JSON.stringify(route.request().postDataJSON(), (key, value) => {
      if (key === 'windowS') return 5;
      return key === 'blocks' ? 2 : value;
    });
    await route.continue({ postData: body });
  });
}

/** Every answer of the API that this page gets, as text. */
function collectAnswers(page: Page): string[] {
  const answers: string[] = [];
  page.on('response', async (response) => {
    const type = response.headers()['content-type'] ?? '';
    if (!response.url().includes('/api/') || !type.includes('json')) return;
    answers.push(await response.text().catch(() => ''));
  });
  return answers;
}

interface Detail {
  state: string;
  trials: { id: string }[];
  report: { stamp: string; sentence: string } | null;
}

test('from two addresses and a key to a comparison; the key is never shown again', async ({ page }) => {
  const slow = await startSimulator({ ttftMs: 60, itlMs: 12 });
  const fast = await startSimulator({ ttftMs: 20, itlMs: 4 });
  const answers = collectAnswers(page);
  try {
    await page.goto('/measure');
    await test.step('what is missing is said at its field', async () => {
      await page.getByRole('button', { name: 'Measure', exact: true }).click();
      await expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveCount(2);
      await expect(page.getByLabel('URL')).toHaveAttribute('aria-invalid', 'true');
    });

    await test.step('start', async () => {
      await shortenMeasurement(page);
      await page.getByRole('button', { name: 'Compare with another' }).click();
      for (const [title, simulator, name] of [
        ['Baseline', slow, 'Slow one'],
        ['Compared with it', fast, 'Fast one'],
      ] as const) {
        const fields = page.getByRole('group', { name: title });
        await fields.getByLabel('URL').fill(`${simulator.url}/chat/completions`);
        await fields.getByLabel('Model').fill('any');
        await fields.getByLabel('API key').fill(KEY);
        await fields.getByLabel('Name on the charts').fill(name);
      }
      await page.getByLabel('Workload').selectOption('short');
      await page.getByRole('button', { name: 'Measure', exact: true }).click();
      await page.waitForURL(/\/experiments\/[\w-]+/);
    });

    await test.step('read the comparison', async () => {
      await expect(page.getByTestId('progress')).toContainText('succeeded, 4 of 4 trials', { timeout: 120_000 });
      const id = /experiments\/([\w-]+)/.exec(page.url())?.[1] ?? '';
      const detail = await callApi<Detail>(page, 'experiments.get', { id });
      expect(detail.report?.stamp).toBe('SIMULATED');
      await expect(page.getByTestId('verdict')).toHaveText(detail.report?.sentence ?? '');
      await expect(page.getByRole('button', { name: 'SIMULATED' }).first()).toBeVisible();
      await expect(page.getByRole('row', { name: /Slow one baseline/ })).toContainText('2 / 2');
      // 31 of 32 tokens come 4 ms apart instead of 12: about three times as fast, on a busy machine over twice.
      await expect(page.getByRole('row', { name: /Fast one/ })).toContainText(/\+[12]\d\d %/);
      for (const trial of detail.trials) answers.push(JSON.stringify(await callApi(page, 'experiments.trial', trial)));
    });

    await test.step('the key is nowhere', async () => {
      for (const tab of ['Plan', 'Trials']) {
        await page.getByRole('tab', { name: tab }).click();
        await expect(page.getByRole('tabpanel', { name: tab })).toBeVisible();
        expect(await page.content()).not.toContain(KEY);
      }
      await page.getByRole('link', { name: 'Open the graph' }).click();
      await page.locator('.react-flow__node', { hasText: 'Engine' }).first().click();
      await expect(page.getByLabel('Inspector', { exact: true })).toContainText('API key');
      expect(await page.content()).not.toContain(KEY);
      answers.push(JSON.stringify(await callApi(page, 'secrets.list', undefined)));
      answers.push(JSON.stringify(await callApi(page, 'audit.list', { limit: 50 })));
      expect(answers.length).toBeGreaterThan(5);
      expect(answers.filter((text) => text.includes(KEY))).toEqual([]);
    });
  } finally {
    await Promise.all([slow.stop(), fast.stop()]);
  }
});
