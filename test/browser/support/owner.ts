import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { resolve } from 'node:path';
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';

export const OWNER = { name: 'Ada Owner', email: 'ada@example.com', password: 'correct horse battery staple' };

const needed = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: the journeys run through test/support/served-app.ts`);
  return value;
};
export const baseUrl = (): string => needed('INFERLOOM_BASE');
/** Cookies of the owner, kept by the first journey for the others of this run. */
const stateFile = (): string => resolve(needed('INFERLOOM_JOURNEY_DATA'), 'owner.json');

/** Opens the owner link as the newcomer does and makes the account. */
export async function becomeOwner(page: Page): Promise<void> {
  await page.goto(needed('INFERLOOM_OWNER_LINK'));
  await page.getByLabel('Name').fill(OWNER.name);
  await page.getByLabel('E-mail').fill(OWNER.email);
  await page.getByLabel('Password').fill(OWNER.password);
  await page.getByRole('button', { name: 'Make the account and sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Pipelines' })).toBeVisible();
  // Renamed when whole: another journey may be waiting for it.
  await page.context().storageState({ path: `${stateFile()}.part` });
  renameSync(`${stateFile()}.part`, stateFile());
}

/** True for one caller of a run, the one that makes the owner; two journeys may start at the same moment. */
function isFirst(): boolean {
  try {
    mkdirSync(`${stateFile()}.making`);
    return true;
  } catch {
    return false;
  }
}

/** A context that is signed in as the owner, whichever journey comes first. */
async function ownerContext(newContext: (options: object) => Promise<BrowserContext>): Promise<BrowserContext> {
  if (isFirst()) {
    const context = await newContext({ baseURL: baseUrl() });
    const page = await context.newPage();
    await becomeOwner(page);
    await page.close();
    return context;
  }
  await expect.poll(() => existsSync(stateFile()), { timeout: 60_000, message: 'the owner is being made' }).toBe(true);
  return newContext({ storageState: stateFile(), baseURL: baseUrl() });
}

/** `owner`: a signed-in context; `page`: its first page. Browser errors that nobody expected fail the journey. */
export const test = base.extend<{ owner: BrowserContext }>({
  owner: async ({ browser }, use) => {
    const context = await ownerContext((options) =>
      browser.newContext({ viewport: { width: 1440, height: 900 }, ...options }),
    );
    await use(context);
    await context.close();
  },
  page: async ({ owner }, use) => {
    const page = await owner.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    await use(page);
    expect(faults).toEqual([]);
  },
});
export { expect };
