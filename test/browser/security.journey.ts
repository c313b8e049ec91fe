import type { Browser, Page } from '@playwright/test';
import { callApi, createPipeline, smallPipeline } from './support/api';
import { baseUrl, expect, test } from './support/owner';

const ATTACKER = 'http://attacker.example';

/** A page of another site sends a form to this one; gives the HTTP status of the answer. */
async function openForeignForm(page: Page, action: string, enctype: string): Promise<number> {
  await page.route(`${ATTACKER}/**`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<form method="post" action="${action}" enctype="${enctype}"><button name="a" value="b">Win</button></form>`,
    }),
  );
  await page.goto(`${ATTACKER}/`);
  const answer = page.waitForResponse((response) => response.url().startsWith(action));
  await page.getByRole('button', { name: 'Win' }).click();
  return (await answer).status();
}

const isSignedIn = async (page: Page): Promise<boolean> => {
  await page.goto('/pipelines');
  await expect(page.getByRole('heading', { name: /^(Pipelines|Sign in)$/ })).toBeVisible();
  return page.getByRole('heading', { name: 'Pipelines' }).isVisible();
};

test('a form of another site changes nothing here', async ({ owner, page }) => {
  await page.goto('/pipelines');
  const id = await createPipeline(page, 'Not to be removed', smallPipeline());
  const foreign = await owner.newPage();
  for (const enctype of ['multipart/form-data', 'text/plain', 'application/x-www-form-urlencoded']) {
    expect(await openForeignForm(foreign, `${baseUrl()}/api/trpc/session.signOut`, enctype)).toBe(403);
  }

  await test.step('nor does a request that carries the cookies of the session', async () => {
    const multipart = { a: 'b' };
    const attempts: [string, object][] = [
      ['session.signOut', { headers: { origin: ATTACKER }, multipart }],
      ['session.signOut', { headers: { origin: ATTACKER, 'content-type': 'application/json' }, data: '{}' }],
      ['session.signOut', { multipart }],
      ['pipelines.remove', { headers: { origin: ATTACKER }, data: { json: { id } } }],
    ];
    for (const [procedure, options] of attempts) {
      const answer = await owner.request.post(`${baseUrl()}/api/trpc/${procedure}`, options);
      expect(answer.status(), `${procedure} ${JSON.stringify(options)}`).toBe(403);
    }
    const ours = await owner.request.post(`${baseUrl()}/api/trpc/session.signOut`, {
      headers: { origin: baseUrl() },
      multipart,
    });
    expect(ours.status()).toBe(415);
  });

  expect(await isSignedIn(page)).toBe(true);
  expect((await callApi<{ id: string }>(page, 'pipelines.get', { id })).id).toBe(id);
});

test('a query cannot change anything, and a foreign Host gets no answer', async ({ owner, page }) => {
  expect(await isSignedIn(page)).toBe(true);
  const byGet = await owner.request.get(`${baseUrl()}/api/trpc/session.signOut`);
  expect(byGet.status()).toBe(405);
  const foreignHost = await owner.request.get(`${baseUrl()}/pipelines`, { headers: { host: 'attacker.example' } });
  expect(foreignHost.status()).toBe(421);
  expect(await isSignedIn(page)).toBe(true);
});

async function visitSignedOut(browser: Browser, paths: readonly string[]): Promise<void> {
  const context = await browser.newContext({ baseURL: baseUrl() });
  const page = await context.newPage();
  for (const path of paths) {
    await page.goto(path);
    await page.waitForURL((url) => url.pathname === '/sign-in' && url.searchParams.get('next') === path);
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  }
  const answer = await context.request.get(`${baseUrl()}/api/trpc/pipelines.list?input=%7B%22json%22%3A%7B%7D%7D`);
  expect(answer.status()).toBe(401);
  await context.close();
}

test('signed out, every page leads to the sign-in and back to where one wanted to go', async ({ browser, page }) => {
  await page.goto('/pipelines');
  const id = await createPipeline(page, 'Behind the door', smallPipeline());
  const nobody = '00000000-0000-4000-8000-000000000000';
  await visitSignedOut(browser, [
    '/pipelines',
    `/pipelines/${id}`,
    '/experiments',
    `/experiments/${nobody}`,
    '/workers',
    '/measure',
  ]);
});
