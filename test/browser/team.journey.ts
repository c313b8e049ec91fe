import AxeBuilder from '@axe-core/playwright';
import type { Browser, Page } from '@playwright/test';
import { callApi, smallPipeline } from './support/api';
import { inspector, nodeById, openBuilder, reopen, storedDocument } from './support/builder';
import { baseUrl, expect, test } from './support/owner';

const PASSWORD = 'viewing is enough';

/** What stands under a label in a window that shows something once. */
const shownOnce = async (page: Page, label: string): Promise<string> =>
  (await page
    .getByRole('dialog')
    .locator(`dt:text-is("${label}")`)
    .locator('xpath=../following-sibling::dd')
    .textContent()) ?? '';

async function invite(page: Page, role: string): Promise<string> {
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Invite someone' }).click();
  await page.getByLabel('Role', { exact: true }).selectOption(role);
  await page.getByRole('button', { name: 'Make the link' }).click();
  const link = await shownOnce(page, 'Link');
  await page.getByRole('button', { name: 'Done' }).click();
  return link;
}

/** Opens the invitation in a browser of its own and joins. */
async function join(browser: Browser, link: string, name: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: baseUrl(), viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(link);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('E-mail').fill(`${name.toLowerCase()}@example.com`);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Join and sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Pipelines' })).toBeVisible();
  return page;
}

test('an invited viewer looks at everything and edits nothing', async ({ browser, page }) => {
  const id = await openBuilder(page, 'For looking', smallPipeline());
  const stored = await storedDocument(page, id);
  const link = await invite(page, 'viewer');
  await expect(page.getByRole('region', { name: 'Open invitations' }).getByRole('row')).toHaveCount(2);
  const viewer = await join(browser, link, 'Vera');
  await expect(page.getByRole('row', { name: /Vera/ })).toBeVisible();

  await test.step('the builder says so, and saves nothing', async () => {
    await reopen(viewer, id);
    await expect(viewer.getByText('View only: changes are not saved')).toBeVisible();
    const runs: string[] = [];
    viewer.on('request', (request) => {
      if (/pipelines\.save|experiments\.start/.test(request.url())) runs.push(request.url());
    });
    const run = viewer.getByRole('button', { name: /^Run/ });
    await expect(run).toHaveAttribute('aria-disabled', 'true');
    await nodeById(viewer, 'load').click();
    await inspector(viewer).getByLabel('Output', { exact: true }).fill('24');
    await viewer.keyboard.press('Control+Enter');
    await viewer.reload();
    await expect(nodeById(viewer, 'load')).toBeVisible();
    expect(runs).toEqual([]);
    expect(await storedDocument(page, id)).toEqual(stored);
    await viewer.getByRole('tab', { name: 'History' }).click();
    await expect(viewer.getByRole('region', { name: 'Versions' })).toBeVisible();
    await expect(viewer.getByRole('button', { name: /Save a version|Restore/ })).toHaveCount(0);
  });

  await test.step('the API refuses what the pages do not offer', async () => {
    const calls: [string, unknown][] = [
      ['pipelines.save', { id, revision: 1, document: stored }],
      ['pipelines.remove', { id }],
      ['experiments.start', { pipelineId: id }],
      ['members.invite', { role: 'owner' }],
      ['tokens.create', { name: 'mine' }],
      ['secrets.set', { name: 'INFERLOOM_SECRET_X', value: 'x' }],
    ];
    for (const [procedure, input] of calls)
      await expect(callApi(viewer, procedure, input, 'mutation'), procedure).rejects.toThrow(/403.*yours is viewer/);
    await expect(callApi(viewer, 'audit.list', {})).rejects.toThrow(/403/);
  });

  await test.step('settings show members and names of secrets only', async () => {
    await viewer.getByRole('button', { name: /^Account of/ }).click();
    await viewer.getByRole('menuitem', { name: 'Settings' }).click();
    await expect(viewer.getByRole('row', { name: /Vera/ })).toContainText('viewer');
    await expect(viewer.getByRole('tab')).toHaveText(['Members', 'Secrets']);
    await expect(viewer.getByRole('button', { name: 'Invite someone' })).toHaveCount(0);
    await viewer.getByRole('tab', { name: 'Secrets' }).click();
    await expect(viewer.getByRole('tabpanel', { name: 'Secrets' })).toBeVisible();
    await expect(viewer.getByRole('button', { name: 'New secret' })).toHaveCount(0);
  });

  await test.step('the link is spent', async () => {
    const stranger = await (await browser.newContext({ baseURL: baseUrl() })).newPage();
    await stranger.goto(link);
    await stranger.getByLabel('Name').fill('Late');
    await stranger.getByLabel('E-mail').fill('late@example.com');
    await stranger.getByLabel('Password').fill(PASSWORD);
    await stranger.getByRole('button', { name: 'Join and sign in' }).click();
    await expect(stranger.getByText('This link was used')).toBeVisible();
    await stranger.context().close();
  });

  await test.step('a new password by link ends the old session; a removed member is out', async () => {
    await page.getByRole('button', { name: 'Actions for Vera' }).click();
    await page.getByRole('menuitem', { name: 'Make a password link' }).click();
    const reset = await shownOnce(page, 'Link');
    await page.getByRole('button', { name: 'Done' }).click();
    await viewer.goto(reset);
    await viewer.getByLabel('New password').fill('another good password');
    await viewer.getByRole('button', { name: 'Set the password' }).click();
    await viewer.waitForURL(/sign-in/);
    await viewer.goto('/pipelines');
    await viewer.waitForURL(/sign-in/);
    await viewer.getByLabel('E-mail').fill('vera@example.com');
    await viewer.getByLabel('Password').fill('another good password');
    await viewer.getByRole('button', { name: /sign in/i }).click();
    await expect(viewer.getByRole('heading', { name: 'Pipelines' })).toBeVisible();
    await page.getByRole('button', { name: 'Actions for Vera' }).click();
    await page.getByRole('menuitem', { name: 'Remove…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(page.getByRole('row', { name: /Vera/ })).toHaveCount(0);
    await viewer.reload();
    await viewer.waitForURL(/sign-in/);
  });
  await viewer.context().close();
});

test('the owner makes and revokes a key, sets a secret, reads the audit log; the last owner stays', async ({
  page,
}) => {
  await page.goto('/settings?tab=keys');
  await page.getByRole('button', { name: 'New API key' }).click();
  await page.getByLabel('Name').fill('nightly');
  await page.getByRole('button', { name: 'Make the key' }).click();
  const key = await shownOnce(page, 'Key');
  expect(await shownOnce(page, 'Command')).toBe(`npx inferloom run FILE --server ${baseUrl()} --api-key ${key}`);
  await page.getByRole('button', { name: 'Done' }).click();
  const me = () => fetch(`${baseUrl()}/api/trpc/me.get`, { headers: { authorization: `Bearer ${key}` } });
  expect((await me()).status).toBe(200);
  await page.getByRole('button', { name: 'Revoke nightly' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByRole('row', { name: /nightly/ })).toContainText('revoked');
  expect((await me()).status).toBe(401);

  await page.getByRole('tab', { name: 'Secrets' }).click();
  await page.getByRole('button', { name: 'New secret' }).click();
  await page.getByLabel('Name').fill('INFERLOOM_SECRET_DEMO');
  await page.getByLabel('Value').fill('hush hush');
  await page.getByRole('button', { name: 'Set the secret' }).click();
  await expect(page.getByRole('row', { name: /INFERLOOM_SECRET_DEMO/ })).toBeVisible();
  await expect(page.getByText('hush hush')).toHaveCount(0);
  await page.getByRole('button', { name: 'Delete INFERLOOM_SECRET_DEMO' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('row', { name: /INFERLOOM_SECRET_DEMO/ })).toHaveCount(0);

  await page.getByRole('tab', { name: 'Audit log' }).click();
  for (const action of ['token.create', 'token.revoke', 'secret.set', 'secret.remove'])
    await expect(page.getByRole('row', { name: action }).first()).toContainText('Ada Owner');

  await page.getByRole('tab', { name: 'Members' }).click();
  await page.getByLabel('Role of Ada Owner').selectOption('viewer');
  await expect(page.getByText('A team needs an owner.')).toBeVisible();
  await expect(page.getByLabel('Role of Ada Owner')).toHaveValue('owner');
});

for (const tab of ['members', 'keys', 'secrets', 'audit'] as const) {
  test(`settings, ${tab}: accessible, and a phone scrolls down only`, async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`/settings?tab=${tab}`);
    await expect(page.getByRole('tab', { selected: true })).toBeVisible();
    await expect(page.getByText(/^Loading/)).toHaveCount(0);
    const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21aa']).analyze();
    expect(violations.map((v) => `${v.id}: ${v.nodes[0]?.html}`)).toEqual([]);
    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    expect(widths[0]).toBeLessThanOrEqual(widths[1] ?? 0);
    const main = await page.locator('#main').evaluate((element) => element.scrollWidth - element.clientWidth);
    expect(main).toBeLessThanOrEqual(0);
  });
}
