import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { callApi, createPipeline, smallPipeline } from './support/api';
import { unfolded } from './support/builder';
import { expect, test } from './support/owner';

const node = (page: Page, title: string): Locator => page.locator('.react-flow__node', { hasText: title });
const port = (of: Locator, side: 'source' | 'target', id: string): Locator =>
  of.locator(`.react-flow__handle.${side}[data-handleid="${id}"]`);

async function centre(of: Locator): Promise<{ x: number; y: number }> {
  const box = await of.boundingBox();
  if (!box) throw new Error('a port is not on the screen');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Draws an edge as a person does: press on one port, move, look where the other one is now, release on it. */
async function connect(page: Page, from: Locator, to: Locator): Promise<void> {
  const start = await centre(from);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(start.x + 40, start.y, { steps: 4 });
  const end = await centre(to);
  await page.mouse.move(end.x, end.y, { steps: 8 });
  await page.mouse.up();
}

interface Detail {
  state: string;
  trials: { id: string }[];
}

test('from a graph with a fault to a verdict and a manifest', async ({ page }) => {
  const pipelineId = await test.step('open a pipeline', async () => {
    await page.goto('/pipelines');
    await expect(page.getByRole('link', { name: /^Demo/ })).toBeVisible();
    const id = await createPipeline(page, 'Journey', smallPipeline({ whole: false, blocks: 2, windowS: 5 }));
    await page.goto('/pipelines');
    await page.getByRole('link', { name: 'Journey' }).first().click();
    await expect(page.getByRole('tab', { name: 'Graph' })).toBeVisible();
    return id;
  });

  await test.step('read the finding and see the run refused', async () => {
    await expect(page.getByRole('region', { name: 'Problems', exact: true })).toContainText('1 error');
    await expect(page.getByRole('button', { name: /^Run/ })).toHaveAttribute('aria-disabled', 'true');
  });

  await test.step('drag a node in and connect it', async () => {
    const canvas = page.locator('.react-flow__pane');
    const entry = await unfolded(page, 'Quantization', 'GGUF quantization');
    await entry.dragTo(canvas, { targetPosition: { x: 420, y: 330 } });
    const gguf = node(page, 'GGUF quantization');
    await expect(gguf).toBeVisible();
    await connect(page, port(node(page, 'inferloom-demo'), 'source', 'weights'), port(gguf, 'target', 'weights'));
    await connect(page, port(gguf, 'source', 'weights'), port(node(page, 'Q8_0').last(), 'target', 'serving'));
    await expect(page.locator('.react-flow__edge')).toHaveCount(7);
    await expect(page.getByRole('region', { name: 'Problems', exact: true })).not.toContainText('error');
    await expect(page.getByText(/^Saved/)).toBeVisible();
  });

  const experimentId = await test.step('run it and watch points arrive', async () => {
    await page.getByRole('button', { name: /^Run 2 plans · 2 blocks/ }).click();
    await page.waitForURL(/\/experiments\/[\w-]+/);
    await expect(page.getByText(/running, block 1 of 2/)).toBeVisible({ timeout: 60_000 });
    await expect(page.locator('.recharts-line-curve').first()).toBeVisible({ timeout: 60_000 });
    return /experiments\/([\w-]+)/.exec(page.url())?.[1] ?? '';
  });

  await test.step('lose the network and come back without a gap', async () => {
    await page.context().setOffline(true);
    await expect(page.getByText(/reconnecting|offline/i).first()).toBeVisible({ timeout: 45_000 });
    await page.context().setOffline(false);
    await expect(page.getByText(/succeeded, 4 of 4 trials/)).toBeVisible({ timeout: 150_000 });
    const detail = await callApi<Detail>(page, 'experiments.get', { id: experimentId });
    expect(detail.state).toBe('succeeded');
    await expectSecondsWithoutGap(page);
  });

  await test.step('read the verdict', async () => {
    const { report } = await callApi<{ report: { sentence: string } }>(page, 'experiments.get', { id: experimentId });
    await expect(page.getByText(report.sentence, { exact: true })).toBeVisible();
    await expect(page.getByText('demo model: shows the method, not your gain')).toBeVisible();
    await expect(page.getByRole('row', { name: /F16 baseline/ })).toContainText('2 / 2');
  });

  await test.step('see in the graph what the engine did', async () => {
    await page.getByRole('link', { name: 'Open the graph' }).click();
    await page.waitForURL(new RegExp(pipelineId));
    await expect(node(page, 'GGUF quantization')).toContainText('applied');
  });

  await test.step('export the plan', async () => {
    await page.getByRole('button', { name: 'Export' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export' });
    await expect(dialog).toContainText('llama-server');
    await expect(dialog).toContainText('not measured on this engine and device');
    const download = page.waitForEvent('download');
    await dialog
      .getByRole('button', { name: /^Download/ })
      .first()
      .click();
    expect(readFileSync(await (await download).path(), 'utf8')).toContain('llama-server');
    await page.keyboard.press('Escape');
  });
});

/** The throughput chart's CSV, which is exactly what is shown: in each block the measured seconds follow each other. */
async function expectSecondsWithoutGap(page: Page): Promise<void> {
  const title = 'How fast do tokens come out?';
  await page.getByRole('button', { name: `Export: ${title}` }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /CSV/ }).click();
  const rows = readFileSync(await (await download).path(), 'utf8')
    .trim()
    .split('\n')
    .slice(1);
  const seconds = rows.map((row) => Number(row.split(',')[0])).filter((value) => Number.isFinite(value));
  expect(seconds.length).toBeGreaterThanOrEqual(10);
  const steps = seconds.slice(1).map((value, i) => value - (seconds[i] ?? 0));
  expect(steps.filter((step) => step > 1)).toEqual([]);
}
