import { baseUrl, expect, test } from './support/owner';

// The limit counts by address as well: no journey after this one can sign in by password for a minute.
test('a wrong password says so, and after five tries one has to wait', async ({ browser, page }) => {
  await page.goto('/pipelines');
  const context = await browser.newContext({ baseURL: baseUrl() });
  const visitor = await context.newPage();
  await visitor.goto('/sign-in');
  const alert = visitor.getByRole('alert').filter({ hasText: /./ });
  const attempt = async (password: string) => {
    await visitor.getByLabel('E-mail').fill('nobody@example.com');
    await visitor.getByLabel('Password').fill(password);
    const answer = visitor.waitForResponse(/sign-in\/email/);
    await visitor.getByRole('button', { name: 'Sign in' }).click();
    return (await answer).status();
  };
  const statuses: number[] = [];
  for (let i = 1; i <= 6 && statuses.at(-1) !== 429; i++) {
    statuses.push(await attempt(`wrong ${i}`));
    await expect(alert).toContainText(statuses.at(-1) === 429 ? 'Too many tries' : /invalid|wrong|not/i);
  }
  expect(statuses.slice(0, -1).every((status) => status === 401)).toBe(true);
  expect(statuses.at(-1)).toBe(429);
  expect(statuses.length).toBeLessThanOrEqual(6);
  // Whoever is signed in already is not locked out.
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Pipelines' })).toBeVisible();
  await context.close();
});
