import { expect, type Locator, type Page } from '@playwright/test';
import { callApi, createPipeline } from './api';

interface StoredDocument {
  nodes: { id: string; type: string; params: Record<string, unknown>; position?: { x: number; y: number } }[];
  edges: { from: { node: string; port: string }; to: { node: string; port: string } }[];
}

/** Stores a pipeline and opens it in the builder; gives its id. */
export async function openBuilder(page: Page, name: string, document: unknown): Promise<string> {
  await page.goto('/pipelines');
  const id = await createPipeline(page, name, document);
  await reopen(page, id);
  return id;
}

/** Opens a stored pipeline and waits until its graph is drawn and compiled. */
export async function reopen(page: Page, id: string): Promise<void> {
  await page.goto(`/pipelines/${id}`);
  await expect(nodes(page).first()).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('tab', { name: /^Plans \d/ })).toBeVisible();
}

export const nodes = (page: Page): Locator => page.locator('.react-flow__node');
export const edges = (page: Page): Locator => page.locator('.react-flow__edge');
export const nodeById = (page: Page, id: string): Locator => page.locator(`.react-flow__node[data-id="${id}"]`);
export const canvas = (page: Page): Locator => page.locator('.react-flow__pane');
export const palette = (page: Page): Locator => page.getByRole('complementary', { name: 'Node types' });
export const inspector = (page: Page): Locator => page.getByRole('complementary', { name: /^Inspector/ });

export const port = (page: Page, node: string, side: 'source' | 'target', id: string): Locator =>
  nodeById(page, node).locator(`.react-flow__handle.${side}[data-handleid="${id}"]`);

/** A node type in the palette, with the part of its family unfolded. */
export async function unfolded(page: Page, part: string, title: string): Promise<Locator> {
  await palette(page)
    .getByRole('button', { name: new RegExp(`^${part}`), expanded: false })
    .click();
  return palette(page).getByRole('button', { name: title, exact: true });
}

/** Middle of what is on the screen, px. */
export async function centreOf(locator: Locator): Promise<{ x: number; y: number }> {
  const box = await locator.boundingBox();
  if (!box) throw new Error(`${locator} is not on the screen`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Presses on one place, moves in steps as a hand does, and stays pressed on the other. */
export async function holdAndMove(page: Page, from: Locator, to: { x: number; y: number }): Promise<void> {
  const start = await centreOf(from);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(start.x + 8, start.y + 4, { steps: 2 });
  await page.mouse.move(to.x - 16, to.y, { steps: 8 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
}

export async function drag(page: Page, from: Locator, to: { x: number; y: number }): Promise<void> {
  await holdAndMove(page, from, to);
  await page.mouse.up();
}

/** A click on empty canvas: nothing is selected and no field has the focus. */
export async function leaveFields(page: Page): Promise<void> {
  const box = await canvas(page).boundingBox();
  if (!box) throw new Error('no canvas');
  await page.mouse.click(box.x + box.width - 30, box.y + box.height / 2);
}

/** The save state in the header, once every edit is on the server. */
export const expectSaved = (page: Page): Promise<void> =>
  expect(page.getByRole('status').filter({ hasText: /^Saved/ })).toBeVisible();

export const storedDocument = async (page: Page, id: string): Promise<StoredDocument> =>
  (await callApi<{ document: StoredDocument }>(page, 'pipelines.get', { id })).document;
