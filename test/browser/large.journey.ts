import type { Page } from '@playwright/test';
import { callApi, createPipeline, smallPipeline, startExperiment } from './support/api';
import { centreOf, expectSaved, holdAndMove, nodeById, nodes, openBuilder, storedDocument } from './support/builder';
import { expect, test } from './support/owner';

const TECHNIQUES = ['flash-attention', 'kv-cache-type', 'prefix-caching', 'context', 'parallel-sequences'];
const CHAINS = 28;

/** 28 deployments, each behind five techniques and a name of its own: 28 × 7 nodes and 4 that all share. */
function largePipeline() {
  const { nodes: small, edges: wires } = smallPipeline({ whole: false });
  const shared = small.filter((node) => node.type !== 'deployment');
  const engine = wires.filter((edge) => edge.to.node === 'base' && edge.to.port !== 'serving');
  const chains = Array.from({ length: CHAINS }, (_, row) => {
    const types = ['gguf-quantization', ...TECHNIQUES, 'deployment'];
    const ids = types.map((type) => `${type}-${row}`);
    return {
      nodes: types.map((type, column) => ({
        id: ids[column] ?? '',
        type,
        params: type === 'deployment' ? { name: `Chain ${row}`, baseline: row === 0 } : {},
        position: { x: 240 * (column + 1), y: 120 * row },
      })),
      edges: [
        ...['model', ...ids.slice(0, -1)].map((from, i) => ({
          from: { node: from, port: i < 2 ? 'weights' : 'serving' },
          to: { node: ids[i] ?? '', port: i === 0 ? 'weights' : 'serving' },
        })),
        ...engine.map((edge) => ({ from: edge.from, to: { ...edge.to, node: ids.at(-1) ?? '' } })),
      ],
    };
  });
  return {
    version: 1,
    nodes: [...shared, ...chains.flatMap((chain) => chain.nodes)],
    edges: chains.flatMap((chain) => chain.edges),
  };
}

/** Longest task of the page's main thread since the call before, ms; told with the result, judged in test/bench. */
const watchTasks = (page: Page) =>
  page.evaluate(() => {
    const seen = { longest: 0 };
    Object.assign(window, { seenTasks: seen });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.longest = Math.max(seen.longest, duration);
    }).observe({ type: 'longtask' });
  });
const longestTask = (page: Page) =>
  page.evaluate(() => (window as typeof window & { seenTasks?: { longest: number } }).seenTasks?.longest ?? 0);

test('a graph of 200 nodes pans, drags and stays one undo away', async ({ page }) => {
  const id = await openBuilder(page, 'Large', largePipeline());
  await expect(nodes(page)).toHaveCount(200);
  await expect(page.getByRole('tab', { name: `Plans ${CHAINS}` })).toBeVisible();
  await watchTasks(page);

  await test.step('the canvas follows the hand', async () => {
    const pane = page.locator('.react-flow__pane');
    const before = await centreOf(nodeById(page, 'model'));
    const grip = await centreOf(pane);
    await page.mouse.move(grip.x, grip.y);
    await page.keyboard.down('Space');
    await page.mouse.down();
    await page.mouse.move(grip.x + 60, grip.y + 30, { steps: 20 });
    await page.mouse.up();
    await page.keyboard.up('Space');
    const after = await centreOf(nodeById(page, 'model'));
    expect({ x: Math.round(after.x - before.x), y: Math.round(after.y - before.y) }).toEqual({ x: 60, y: 30 });
  });

  await test.step('a node follows the hand while it is dragged', async () => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('go deployment-14');
    await page.keyboard.press('Enter');
    const node = nodeById(page, 'deployment-14');
    await expect(node).toBeInViewport({ ratio: 1 });
    const stored = async () => (await storedDocument(page, id)).nodes.find((other) => other.id === 'deployment-14');
    const origin = (await stored())?.position;
    // The view glides to the node: it is dragged when it stands still.
    let at = await centreOf(node);
    await expect
      .poll(async () => {
        const last = at;
        at = await centreOf(node);
        return Math.hypot(at.x - last.x, at.y - last.y);
      })
      .toBe(0);
    await holdAndMove(page, node, { x: at.x + 80, y: at.y - 40 });
    const held = await centreOf(node);
    expect(Math.hypot(held.x - at.x - 80, held.y - at.y + 40)).toBeLessThan(20);
    await page.mouse.up();
    await expect.poll(async () => (await stored())?.position).not.toEqual(origin);
    await page.keyboard.press('Control+z');
    await expect.poll(async () => (await stored())?.position).toEqual(origin);
    await expectSaved(page);
  });
  const longest = await longestTask(page);
  test.info().annotations.push({ type: 'longest task', description: `${Math.round(longest)} ms` });
});

test('the list of experiments pages through more than it draws', async ({ page }) => {
  const COUNT = 70;
  const QUICK_TURNS = { intervals: [100], timeout: 60_000 };
  await page.goto('/pipelines');
  const waiting = smallPipeline();
  for (const node of waiting.nodes) {
    // No worker here has this device, so these wait and cost nothing.
    if (node.id === 'cpu') Object.assign(node.params, { device: 'H100-SXM' });
    if (node.id === 'engine') Object.assign(node.params, { runtime: 'llama-server' });
  }
  const pipelineId = await createPipeline(page, 'Many', waiting);
  const ids: string[] = [];
  while (ids.length < COUNT) {
    const batch = Array.from({ length: 10 }, () => startExperiment(page, pipelineId));
    ids.push(...(await Promise.all(batch)));
  }
  await page.goto(`/experiments?pipeline=${pipelineId}`);
  const list = page.getByRole('region', { name: /^Experiments/ });
  const links = list.getByRole('link', { name: /^Many/ });
  await expect(links.first()).toBeVisible();
  expect(await links.count()).toBeLessThan(COUNT);

  const seen = new Set<string>();
  await list.focus();
  await expect
    .poll(async () => {
      // One page a turn: turns are short, so that the whole list fits.
      for (const link of await links.all()) seen.add((await link.getAttribute('href').catch(() => null)) ?? '');
      await page.keyboard.press('PageDown');
      seen.delete('');
      return seen.size;
    }, QUICK_TURNS)
    .toBe(COUNT);
  expect([...seen].map((href) => href.replace('/experiments/', '')).sort()).toEqual([...ids].sort());

  await test.step('the filter of states stands in the address', async () => {
    await page.getByRole('combobox', { name: 'State' }).selectOption('succeeded');
    await expect(page).toHaveURL(/state=succeeded/);
    await expect(page.getByText('No experiment matches')).toBeVisible();
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect(list).toBeVisible();
  });
  await Promise.all(ids.map((id) => callApi(page, 'experiments.cancel', { id }, 'mutation')));
});
