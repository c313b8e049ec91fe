import type { Locator, Page } from '@playwright/test';
import { smallPipeline } from './support/api';
import {
  canvas,
  centreOf,
  drag,
  edges,
  expectSaved,
  holdAndMove,
  inspector,
  leaveFields,
  nodeById,
  nodes,
  openBuilder,
  palette,
  port,
  reopen,
  storedDocument,
} from './support/builder';
import { expect, test } from './support/owner';

const SMALL = smallPipeline();
/** The second deployment has nothing at its serving port. */
const PART = smallPipeline({ whole: false });

const plansTab = (page: Page): Locator => page.getByRole('tab', { name: /^Plans/ });
const problems = (page: Page): Locator => page.getByRole('region', { name: 'Problems', exact: true });

test('the palette adds by drag, by click and by search', async ({ page }) => {
  await openBuilder(page, 'Palette', SMALL);
  const count = SMALL.nodes.length;

  await palette(page)
    .getByRole('button', { name: 'KV cache type' })
    .dragTo(canvas(page), { targetPosition: { x: 300, y: 420 } });
  await expect(nodes(page)).toHaveCount(count + 1);
  await expect(inspector(page).getByRole('heading', { name: 'KV cache type' })).toBeVisible();

  await palette(page).getByRole('button', { name: 'Flash attention' }).click();
  await expect(nodes(page)).toHaveCount(count + 2);

  await leaveFields(page);
  await page.keyboard.press('/');
  await expect(palette(page).getByRole('searchbox')).toBeFocused();
  await page.keyboard.type('prefix cach');
  await expect(palette(page).getByRole('listitem').first()).toContainText('Prefix caching');
  await page.keyboard.press('Enter');
  await expect(nodes(page)).toHaveCount(count + 3);
  await expect(inspector(page).getByRole('heading', { name: 'Prefix caching' })).toBeVisible();
});

test('a port refuses what it cannot take and says why', async ({ page }) => {
  await openBuilder(page, 'Refusals', SMALL);
  const drawn = SMALL.edges.length;
  const hint = page.getByRole('status').filter({ hasText: /takes|circle|Drop on|Let go|connected/ });

  await test.step('the wrong kind', async () => {
    await holdAndMove(
      page,
      port(page, 'model', 'source', 'weights'),
      await centreOf(port(page, 'base', 'target', 'engine')),
    );
    await expect(hint).toHaveText('"Engine" takes engine, not weights.');
    await page.mouse.up();
    await expect(hint).toHaveCount(0);
    await expect(edges(page)).toHaveCount(drawn);
  });

  await test.step('a circle', async () => {
    await nodeById(page, 'gguf').click();
    await page.keyboard.press('Control+d');
    await expect(nodeById(page, 'gguf-2')).toBeVisible();
    const free = await centreOf(port(page, 'model', 'source', 'weights'));
    await drag(page, nodeById(page, 'gguf-2'), { x: free.x - 80, y: free.y + 220 });
    await drag(
      page,
      port(page, 'gguf', 'source', 'weights'),
      await centreOf(port(page, 'gguf-2', 'target', 'weights')),
    );
    await expect(edges(page)).toHaveCount(drawn + 1);
    await holdAndMove(
      page,
      port(page, 'gguf-2', 'source', 'weights'),
      await centreOf(port(page, 'gguf', 'target', 'weights')),
    );
    await expect(hint).toHaveText('That would close a circle.');
    await page.mouse.up();
    await expect(edges(page)).toHaveCount(drawn + 1);
  });

  await test.step('an edge on empty canvas asks what to add, and lists only what can take it', async () => {
    const free = await centreOf(canvas(page));
    await drag(page, port(page, 'engine', 'source', 'engine'), { x: free.x - 60, y: free.y + 210 });
    const dialog = page.getByRole('dialog', { name: 'Add a node to this port' });
    await expect(dialog.getByRole('option')).toHaveText([/Deployment/]);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  });
});

test('a problem leads to its node and its quick fix solves it', async ({ page }) => {
  const twice = structuredClone(SMALL);
  for (const node of twice.nodes) if (node.id === 'q8') Object.assign(node.params, { baseline: true });
  await openBuilder(page, 'Problems', twice);
  await expect(problems(page)).toContainText('1 error');
  await expect(page.getByRole('button', { name: /^Run/ })).toHaveAttribute('aria-disabled', 'true');

  await canvas(page).dragTo(canvas(page), {
    sourcePosition: { x: 700, y: 60 },
    targetPosition: { x: 200, y: 300 },
    force: true,
  });
  await problems(page).getByRole('button', { name: /^Q8_0/ }).click();
  const middle = await centreOf(canvas(page));
  const offCentre = async () => {
    const { x, y } = await centreOf(nodeById(page, 'q8'));
    return Math.round(Math.hypot(x - middle.x, y - middle.y));
  };
  await expect.poll(offCentre).toBeLessThan(12);
  await expect(inspector(page).getByRole('textbox', { name: 'id' })).toHaveValue('q8');
  await expect(inspector(page).locator(':focus')).toHaveCount(1);

  await problems(page).getByRole('button', { name: 'Take the mark off' }).click();
  await expect(problems(page)).not.toContainText('error');
  await expect(page.getByRole('button', { name: /^Run 2 plans/ })).toHaveAttribute('aria-disabled', 'false');
  await leaveFields(page);
  await page.keyboard.press('Control+z');
  await expect(problems(page)).toContainText('1 error');
});

test('the form edits the document that the graph shows', async ({ page }) => {
  const id = await openBuilder(page, 'Form', PART);
  await page.getByRole('tab', { name: 'Form' }).click();
  const deployment = page.getByRole('article', { name: 'Deployment q8' });
  await page.getByRole('combobox', { name: 'Type of the new node' }).selectOption('gguf-quantization');
  await page.getByRole('button', { name: 'Add node' }).click();
  const gguf = page.getByRole('article', { name: 'GGUF quantization gguf-quantization' });
  await gguf.getByRole('combobox', { name: /add a source$/ }).selectOption({ label: 'Model (model)' });
  await deployment
    .getByRole('combobox', { name: /^Weights or serving/ })
    .selectOption({ label: 'GGUF quantization (gguf-quantization)' });
  await deployment.getByLabel('Name', { exact: true }).fill('From the form');
  await expect(deployment).toContainText('GGUF quantization (gguf-quantization)');
  await expect(plansTab(page)).toHaveText('Plans 2');
  await expectSaved(page);

  await page.getByRole('tab', { name: 'Graph' }).click();
  await expect(nodes(page)).toHaveCount(PART.nodes.length + 1);
  await expect(edges(page)).toHaveCount(PART.edges.length + 2);
  await expect(nodeById(page, 'q8')).toContainText('From the form');

  await nodeById(page, 'q8').click();
  await inspector(page).getByLabel('Name', { exact: true }).fill('From the graph');
  await page.getByRole('tab', { name: 'Form' }).click();
  await expect(deployment.getByLabel('Name', { exact: true })).toHaveValue('From the graph');
  await deployment.getByRole('button', { name: /^Disconnect GGUF/ }).click();
  await expectSaved(page);
  expect((await storedDocument(page, id)).edges).toHaveLength(PART.edges.length + 1);
  await reopen(page, id);
  await expect(edges(page)).toHaveCount(PART.edges.length + 1);
});
