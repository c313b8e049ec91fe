import type { Page } from '@playwright/test';
import { callApi, smallPipeline } from './support/api';
import { expectSaved, inspector, leaveFields, nodeById, openBuilder, reopen, storedDocument } from './support/builder';
import { expect, test } from './support/owner';

const SMALL = smallPipeline();
const SAVES = /\/api\/trpc\/[^?]*pipelines\.save\b(?!Version)/;

/** Saves of this page wait until the returned function is called. */
async function holdSaves(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((done) => {
    release = done;
  });
  await page.route(SAVES, async (route) => {
    await released;
    await route.continue();
  });
  return () => release();
}

async function nameDeployment(page: Page, id: string, name: string): Promise<void> {
  await nodeById(page, id).click();
  await inspector(page).getByLabel('Name', { exact: true }).fill(name);
  await expect(nodeById(page, id)).toContainText(name);
}

const storedNames = async (page: Page, pipelineId: string) => {
  const { nodes } = await storedDocument(page, pipelineId);
  return Object.fromEntries(nodes.filter((n) => n.type === 'deployment').map((n) => [n.id, n.params.name]));
};
const recoveryOf = (page: Page, id: string) =>
  page.evaluate((key) => localStorage.getItem(key), `inferloom.recovery.${id}`);

test('an edit is saved on its own and says so', async ({ page }) => {
  const id = await openBuilder(page, 'Autosave', SMALL);
  await expectSaved(page);
  const release = await holdSaves(page);
  await nameDeployment(page, 'q8', 'Saved by itself');
  await expect(page.getByRole('status').filter({ hasText: 'Saving…' })).toBeVisible();
  expect(await storedNames(page, id)).toEqual({ base: 'F16', q8: 'Q8_0' });
  release();
  await expectSaved(page);
  expect(await storedNames(page, id)).toEqual({ base: 'F16', q8: 'Saved by itself' });
  expect(await recoveryOf(page, id)).toBeNull();
});

test('two tabs that change one pipeline: neither edit is lost', async ({ owner, page }) => {
  const id = await openBuilder(page, 'Shared', SMALL);
  const other = await owner.newPage();
  await reopen(other, id);
  const release = await holdSaves(page);
  await nameDeployment(page, 'q8', 'Mine');
  await nameDeployment(other, 'base', 'Theirs');
  await expectSaved(other);
  expect(await storedNames(other, id)).toEqual({ base: 'Theirs', q8: 'Q8_0' });
  release();

  const dialog = page.getByRole('dialog', { name: 'This pipeline was changed elsewhere' });
  await test.step('what differs is shown; closed without an answer, it can be opened again', async () => {
    await expect(dialog).toContainText('Mine');
    await expect(dialog).toContainText('Theirs');
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await page.getByRole('button', { name: 'Conflict: decide' }).click();
    await expect(dialog).toBeVisible();
  });
  await test.step('my edits become a pipeline of their own, theirs stays', async () => {
    await dialog.getByRole('button', { name: 'Save mine as a copy' }).click();
    await expect(nodeById(page, 'base')).toContainText('Theirs');
    await expectSaved(page);
    expect(await storedNames(page, id)).toEqual({ base: 'Theirs', q8: 'Q8_0' });
    const { items } = await callApi<{ items: { id: string; name: string }[] }>(page, 'pipelines.list', { limit: 50 });
    const copy = items.find((item) => item.name === 'Shared (my edits)');
    expect(await storedNames(page, copy?.id ?? '')).toEqual({ base: 'F16', q8: 'Mine' });
  });
  await test.step('undo brings my edits back into this pipeline', async () => {
    await leaveFields(page);
    await page.keyboard.press('Control+z');
    await expect(nodeById(page, 'q8')).toContainText('Mine');
    await expect.poll(() => storedNames(page, id)).toEqual({ base: 'F16', q8: 'Mine' });
    await expect(nodeById(other, 'q8')).toContainText('Mine');
  });
});

test('without a network an edit is kept in the browser and saved when it is back', async ({ owner, page }) => {
  const id = await openBuilder(page, 'Offline', SMALL);
  await owner.setOffline(true);
  await nameDeployment(page, 'q8', 'Made offline');
  await expect(page.getByText('Offline: kept in this browser')).toBeVisible();
  expect(await recoveryOf(page, id)).toContain('Made offline');
  await owner.setOffline(false);
  await expectSaved(page);
  expect(await storedNames(page, id)).toEqual({ base: 'F16', q8: 'Made offline' });
  await expect.poll(() => recoveryOf(page, id)).toBeNull();
});

test('edits of a tab that died before it could save are offered again', async ({ page }) => {
  const id = await openBuilder(page, 'Recovered', SMALL);
  // What a killed tab leaves behind: its copy in this browser, nothing on the server.
  const document = await storedDocument(page, id);
  for (const node of document.nodes) if (node.id === 'q8') node.params.name = 'Nearly lost';
  const left = JSON.stringify({ revision: 1, at: new Date().toISOString(), document });
  await page.evaluate(([key, text]) => localStorage.setItem(key, text), [`inferloom.recovery.${id}`, left] as const);

  await page.reload();
  const dialog = page.getByRole('dialog', { name: 'Edits that were not saved' });
  await expect(dialog).toContainText('Nearly lost');
  await dialog.getByRole('button', { name: 'Bring them back' }).click();
  await expect(nodeById(page, 'q8')).toContainText('Nearly lost');
  await expect.poll(() => storedNames(page, id)).toEqual({ base: 'F16', q8: 'Nearly lost' });
  await page.reload();
  await expect(nodeById(page, 'q8')).toContainText('Nearly lost');
  await expect(dialog).toHaveCount(0);
});

test('versions: save, compare, restore as a new one', async ({ page }) => {
  const id = await openBuilder(page, 'Versions', SMALL);
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Version 1 saved.')).toBeVisible();
  await nameDeployment(page, 'q8', 'Second thoughts');
  await page.getByRole('tab', { name: 'History' }).click();
  const difference = page.getByRole('region', { name: 'Difference' });
  await expect(difference.getByRole('listitem').filter({ hasText: 'changed' })).toContainText(
    /q8\s*name: Q8_0 Second thoughts/,
  );

  await page.getByRole('textbox', { name: 'Name of the version' }).fill('With second thoughts');
  await page.getByRole('button', { name: 'Save a version' }).click();
  const versions = page.getByRole('region', { name: 'Versions' }).getByRole('listitem');
  await expect(versions).toHaveCount(2);
  await expect(versions.first()).toContainText('With second thoughts');
  await expect(versions.first()).toContainText('Ada Owner');

  await versions.last().getByRole('button', { name: 'Restore' }).click();
  await expect(versions).toHaveCount(3);
  await expect(versions.first()).toContainText(/v3.*Restored from v1/);
  await expectSaved(page);
  expect(await storedNames(page, id)).toEqual({ base: 'F16', q8: 'Q8_0' });
  await expect(versions.nth(1)).toContainText('With second thoughts');
  await page.getByRole('tab', { name: 'Graph' }).click();
  await expect(nodeById(page, 'q8')).toContainText('Q8_0');
});
