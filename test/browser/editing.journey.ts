import type { Locator, Page } from '@playwright/test';
import { smallPipeline } from './support/api';
import {
  canvas,
  centreOf,
  drag,
  edges,
  expectSaved,
  inspector,
  leaveFields,
  nodeById,
  nodes,
  openBuilder,
  port,
  storedDocument,
  unfolded,
} from './support/builder';
import { expect, test } from './support/owner';

const SMALL = smallPipeline();
/** The second deployment has nothing at its serving port. */
const PART = smallPipeline({ whole: false });

const plansTab = (page: Page): Locator => page.getByRole('tab', { name: /^Plans/ });

test('undo and redo by keys over add, connect, move and a field', async ({ page }) => {
  const id = await openBuilder(page, 'Steps back', PART);
  const count = PART.nodes.length;
  const drawn = PART.edges.length;
  const gguf = nodeById(page, 'gguf-quantization');

  const entry = await unfolded(page, 'Quantization', 'GGUF quantization');
  await entry.dragTo(canvas(page), { targetPosition: { x: 420, y: 330 } });
  await expect(nodes(page)).toHaveCount(count + 1);
  await drag(
    page,
    port(page, 'model', 'source', 'weights'),
    await centreOf(port(page, 'gguf-quantization', 'target', 'weights')),
  );
  await expect(edges(page)).toHaveCount(drawn + 1);
  await expectSaved(page);
  const before = (await storedDocument(page, id)).nodes.find((node) => node.id === 'cpu')?.position;
  const at = await centreOf(nodeById(page, 'cpu'));
  await drag(page, nodeById(page, 'cpu'), { x: at.x - 80, y: at.y + 40 });
  await nodeById(page, 'load').click();
  await inspector(page).getByLabel('Output', { exact: true }).fill('24');
  await expect(nodeById(page, 'load')).toContainText('24');
  await leaveFields(page);
  await expectSaved(page);
  const after = await storedDocument(page, id);
  const moved = after.nodes.find((node) => node.id === 'cpu')?.position;
  expect(moved).not.toEqual(before);

  const state = async () => {
    await expectSaved(page);
    const { nodes: all, edges: lines } = await storedDocument(page, id);
    return {
      nodes: all.length,
      edges: lines.length,
      cpu: all.find((node) => node.id === 'cpu')?.position,
      outputTokens: all.find((node) => node.id === 'load')?.params.outputTokens,
    };
  };
  const states = [
    { nodes: count + 1, edges: drawn + 1, cpu: moved, outputTokens: 24 },
    { nodes: count + 1, edges: drawn + 1, cpu: moved, outputTokens: 16 },
    { nodes: count + 1, edges: drawn + 1, cpu: before, outputTokens: 16 },
    { nodes: count + 1, edges: drawn, cpu: before, outputTokens: 16 },
    { nodes: count, edges: drawn, cpu: before, outputTokens: 16 },
  ];
  expect(await state()).toEqual(states[0]);
  for (const expected of states.slice(1)) {
    await page.keyboard.press('Control+z');
    await expect.poll(state).toEqual(expected);
  }
  await expect(gguf).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Undo' })).toBeDisabled();
  for (const [i, expected] of states.slice(0, -1).reverse().entries()) {
    await page.keyboard.press(i % 2 === 0 ? 'Control+Shift+z' : 'Control+y');
    await expect.poll(state).toEqual(expected);
  }
  await expect(gguf).toBeVisible();
});

test('Ctrl+Z in a text field edits the text and leaves the graph alone', async ({ page }) => {
  await openBuilder(page, 'Text', SMALL);
  await page.getByRole('button', { name: 'Flash attention' }).click();
  await expect(nodes(page)).toHaveCount(SMALL.nodes.length + 1);
  await nodeById(page, 'q8').click();
  const name = inspector(page).getByLabel('Name', { exact: true });
  await name.click();
  await page.keyboard.press('End');
  await page.keyboard.type(' fast');
  await expect(name).toHaveValue('Q8_0 fast');
  await expect(nodeById(page, 'q8')).toContainText('Q8_0 fast');
  await page.keyboard.press('Control+z');
  await expect(name).toHaveValue('Q8_0');
  await expect(nodeById(page, 'q8')).not.toContainText('fast');
  await expect(name).toBeFocused();
  await expect(nodes(page)).toHaveCount(SMALL.nodes.length + 1);
});

test('copies of two nodes keep the edge between them, also in another tab', async ({ owner, page }) => {
  await openBuilder(page, 'Copies', SMALL);
  await nodeById(page, 'gguf').click();
  await nodeById(page, 'q8').click({ modifiers: ['Shift'] });
  await expect(inspector(page)).toContainText('2 nodes selected');
  await page.keyboard.press('Control+c');
  await page.keyboard.press('Control+v');
  await expect(nodes(page)).toHaveCount(SMALL.nodes.length + 2);
  await expect(edges(page)).toHaveCount(SMALL.edges.length + 1);
  await expect(inspector(page)).toContainText('2 nodes selected');

  const other = await owner.newPage();
  const otherId = await openBuilder(other, 'Pasted into', PART);
  await leaveFields(other);
  await other.keyboard.press('Control+v');
  await expect(nodes(other)).toHaveCount(PART.nodes.length + 2);
  await expect(edges(other)).toHaveCount(PART.edges.length + 1);
  await expectSaved(other);
  const { nodes: stored, edges: lines } = await storedDocument(other, otherId);
  expect(new Set(stored.map((node) => node.id)).size).toBe(stored.length);
  const pasted = stored.slice(PART.nodes.length).map((node) => node.id);
  expect(lines.at(-1)).toMatchObject({ from: { port: 'weights' }, to: { port: 'serving' } });
  expect([lines.at(-1)?.from.node, lines.at(-1)?.to.node]).toEqual(pasted);
});

test('Ctrl+B bypasses a node and the plans follow; L lays out and can be undone', async ({ page }) => {
  const id = await openBuilder(page, 'Bypass', SMALL);
  await test.step('bypass', async () => {
    await expect(plansTab(page)).toHaveText('Plans 2');
    await nodeById(page, 'q8').click();
    await page.keyboard.press('Control+b');
    await expect(nodeById(page, 'q8').locator('> div')).toHaveCSS('border-top-style', 'dashed');
    await expect(plansTab(page)).toHaveText('Plans 1');
    await expect(page.getByRole('button', { name: /^Run 1 plan · 1 block/ })).toBeVisible();
    await page.keyboard.press('Control+b');
    await expect(nodeById(page, 'q8').locator('> div')).toHaveCSS('border-top-style', 'solid');
    await expect(plansTab(page)).toHaveText('Plans 2');
  });
  await test.step('lay out', async () => {
    await expectSaved(page);
    const before = (await storedDocument(page, id)).nodes.map((node) => node.position);
    await leaveFields(page);
    await page.keyboard.press('l');
    const positions = async () => (await storedDocument(page, id)).nodes.map((node) => node.position);
    await expect.poll(positions).not.toEqual(before);
    const { nodes: laid, edges: lines } = await storedDocument(page, id);
    const x = (node: string) => laid.find((other) => other.id === node)?.position?.x ?? 0;
    for (const edge of lines) expect(x(edge.from.node)).toBeLessThan(x(edge.to.node));
    await page.keyboard.press('Control+z');
    await expect.poll(positions).toEqual(before);
  });
});

test('Ctrl+K finds commands, nodes to go to and nodes to add', async ({ page }) => {
  await openBuilder(page, 'Commands', SMALL);
  const dialog = page.getByRole('dialog', { name: 'Commands' });
  const choose = async (text: string, option: RegExp) => {
    await page.keyboard.press('Control+k');
    await expect(dialog.getByRole('combobox')).toBeFocused();
    await page.keyboard.type(text);
    await expect(dialog.getByRole('option').first()).toHaveText(option);
    await page.keyboard.press('Enter');
    await expect(dialog).toHaveCount(0);
  };
  await choose('go cpu', /Hardware/);
  await expect(inspector(page).getByRole('heading', { name: 'Hardware' })).toBeVisible();
  await choose('add context', /Add Context length/);
  await expect(nodes(page)).toHaveCount(SMALL.nodes.length + 1);
  await choose('undo', /Undo/);
  await expect(nodes(page)).toHaveCount(SMALL.nodes.length);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toContainText('Bypass the selection');
});
