import { expect, OWNER, test } from './support/owner';

test('signing out ends the session', async ({ browser, page, baseURL }) => {
  // `page` makes sure that the owner exists; this journey signs in by password and ends only its own session.
  await page.goto('/pipelines');
  const origin = new URL(page.url()).origin;
  const context = await browser.newContext({ baseURL: baseURL ?? origin });
  const other = await context.newPage();
  await other.goto(`${origin}/pipelines`);
  await other.waitForURL(/sign-in/);
  await other.getByLabel('E-mail').fill(OWNER.email);
  await other.getByLabel('Password').fill(OWNER.password);
  await other.getByRole('button', { name: /sign in/i }).click();
  await expect(other.getByRole('heading', { name: 'Pipelines' })).toBeVisible();
  await other.getByRole('button', { name: /^Account of/ }).click();
  await other.getByRole('menuitem', { name: 'Sign out' }).click();
  await other.waitForURL(/sign-in/);
  await other.goto(`${origin}/pipelines`);
  await other.waitForURL(/sign-in/);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Pipelines' })).toBeVisible();
  await context.close();
});
