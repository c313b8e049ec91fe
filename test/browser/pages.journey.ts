import AxeBuilder from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { callApi, createPipeline, smallPipeline, startExperiment } from './support/api';
import { baseUrl, expect, test } from './support/owner';

/** More than any page has controls. */
const MOST_TABS = 250;
/** Colours go with the theme and the layout with the width: two looks see both themes and both widths. */
const LOOKS = [
  { theme: 'light', size: { width: 1440, height: 900 } },
  { theme: 'dark', size: { width: 390, height: 844 } },
] as const;

interface Subject {
  name: string;
  path: string;
  /** What tells that the page is drawn with its data. */
  ready(page: Page): Promise<void>;
}

const heading =
  (name: string) =>
  async (page: Page): Promise<void> =>
    expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();

const experiment = (id: string, sentence: RegExp) => ({
  path: `/experiments/${id}`,
  ready: (page: Page) => expect(page.getByTestId('progress')).toContainText(sentence),
});

let made: Promise<Subject[]> | null = null;

/** The pages of the product, with a finished and a cancelled experiment; made once for all journeys of this file. */
function subjects(page: Page): Promise<Subject[]> {
  made ??= makeSubjects(page);
  return made;
}

async function makeSubjects(page: Page): Promise<Subject[]> {
  await page.goto('/pipelines');
  const pipelineId = await createPipeline(page, 'Pages', smallPipeline());
  const finished = experiment(await startExperiment(page, pipelineId), /succeeded, 2 of 2 trials/);
  const id = await startExperiment(page, pipelineId);
  await callApi(page, 'experiments.cancel', { id }, 'mutation');
  await page.goto(finished.path);
  await expect(page.getByTestId('progress')).toContainText('succeeded', { timeout: 90_000 });
  return [
    { name: 'pipelines', path: '/pipelines', ready: heading('Pipelines') },
    { name: 'new pipeline', path: '/pipelines/new', ready: heading('New pipeline') },
    { name: 'claims', path: '/claims', ready: heading('Claims') },
    {
      name: 'matrix',
      path: '/matrix',
      ready: (page) => expect(page.getByText(/^\d+ techniques, \d+ engines/)).toBeVisible({ timeout: 60_000 }),
    },
    {
      name: 'builder',
      path: `/pipelines/${pipelineId}`,
      ready: (page) => expect(page.getByRole('tab', { name: 'Plans 2' })).toBeVisible(),
    },
    {
      name: 'form',
      path: `/pipelines/${pipelineId}?tab=form`,
      ready: (page) => expect(page.getByRole('article')).toHaveCount(7),
    },
    { name: 'finished experiment', ...finished },
    { name: 'empty experiment', ...experiment(id, /cancelled/) },
    {
      name: 'experiments',
      path: `/experiments?pipeline=${pipelineId}`,
      ready: (page) => expect(page.getByRole('link', { name: /^Pages/ }).first()).toBeVisible(),
    },
    {
      name: 'workers',
      path: '/workers',
      ready: (page) => expect(page.getByRole('row', { name: /embedded/ }).first()).toBeVisible(),
    },
    { name: 'measure', path: '/measure', ready: heading('Measure an endpoint') },
  ];
}
const SIGN_IN: Subject = { name: 'sign-in', path: '/sign-in', ready: heading('Sign in') };

/** Console errors and failed scripts of a page, as text. */
function collectErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return errors;
}

async function seriousViolations(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
}

const sidewaysPx = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const { scrollingElement } = document;
    const main = document.querySelector('main');
    return Math.max(
      (scrollingElement?.scrollWidth ?? 0) - window.innerWidth,
      main ? main.scrollWidth - main.clientWidth : 0,
    );
  });

type Look = (typeof LOOKS)[number];

/** The owner's session in another colour scheme and width. */
async function seenAs(browser: Browser, owner: BrowserContext, { theme, size }: Look): Promise<BrowserContext> {
  const storageState = await owner.storageState();
  return browser.newContext({ baseURL: baseUrl(), storageState, colorScheme: theme, viewport: size });
}

for (const seen of LOOKS) {
  const { theme, size } = seen;
  const look = `${theme}, ${size.width} px`;
  test(`every page is accessible, fits and keeps the console clean: ${look}`, async ({ browser, owner, page }) => {
    const all = await subjects(page);
    const context = await seenAs(browser, owner, seen);
    const signedOut = await browser.newContext({ baseURL: baseUrl(), colorScheme: theme, viewport: size });
    for (const [at, list] of [
      [await signedOut.newPage(), [SIGN_IN]],
      [await context.newPage(), all],
    ] as const) {
      const errors = collectErrors(at);
      for (const subject of list) {
        await test.step(subject.name, async () => {
          await at.goto(subject.path);
          await subject.ready(at);
          await expect(at.locator('html')).toHaveClass(new RegExp(`\\b${theme}\\b`));
          expect.soft(await sidewaysPx(at), 'px that the page scrolls sideways').toBe(0);
          expect.soft(await seriousViolations(at)).toEqual([]);
          expect.soft(errors.splice(0)).toEqual([]);
        });
      }
    }
    await context.close();
    await signedOut.close();
  });
}

interface Step {
  name: string;
  /** It had the focus before: the round is over. */
  isAgain: boolean;
}
interface Watched extends Window {
  lastFocus?: { element: Element; look: string; name: string };
}

/** What has the focus now, and the name of what had it before if that looks no different without it. */
const lookAtFocus = (page: Page): Promise<{ step: Step | null; invisible: string | null }> =>
  page.evaluate(() => {
    const watched: Watched = window;
    const lookOf = (element: Element): string =>
      [element, element.querySelector('path')]
        .map((part) => {
          if (!part) return '';
          const { outlineStyle, outlineColor, boxShadow, borderColor, stroke, strokeWidth } = getComputedStyle(part);
          return [outlineStyle, outlineColor, boxShadow, borderColor, stroke, strokeWidth].join(' ');
        })
        .join(' / ');
    const last = watched.lastFocus;
    const invisible = last?.element.isConnected && lookOf(last.element) === last.look ? last.name : null;
    const element = document.activeElement;
    if (!element || element === document.body) return { step: null, invisible };
    const isAgain = element.hasAttribute('data-reached');
    element.setAttribute('data-reached', '');
    const text = element.getAttribute('aria-label') ?? element.textContent ?? '';
    const name = `${element.localName} ${text.trim().slice(0, 40)}`;
    watched.lastFocus = { element, look: lookOf(element), name };
    return { step: { name, isAgain }, invisible };
  });

/** Presses Tab until the focus has gone once around; names what got it, and what got it without showing it. */
async function tabAround(page: Page): Promise<{ seen: string[]; invisible: string[] }> {
  const seen: string[] = [];
  const invisible: string[] = [];
  for (let i = 0; i < MOST_TABS; i++) {
    await page.keyboard.press('Tab');
    const look = await lookAtFocus(page);
    if (look.invisible) invisible.push(look.invisible);
    if (look.step?.isAgain || (look.step === null && seen.length > 0)) break;
    if (look.step) seen.push(look.step.name);
  }
  return { seen, invisible };
}

/** Visible controls that Tab has not reached; a list of tabs is reached through the chosen one. */
const unreached = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const controls =
      'a[href], button:not([disabled]), input:not([disabled]), select, textarea, [tabindex="0"]:not([role=tablist])';
    return [...document.querySelectorAll<HTMLElement>(controls)]
      .filter((element) => element.tabIndex >= 0 && element.checkVisibility({ visibilityProperty: true }))
      .filter((element) => !element.hasAttribute('data-reached'))
      .map((element) => `${element.localName} ${element.getAttribute('aria-label') ?? element.textContent ?? ''}`);
  });

test('Tab reaches every control and shows where it is', async ({ page }) => {
  const all = await subjects(page);
  for (const subject of all) {
    await test.step(subject.name, async () => {
      await page.goto(subject.path);
      await subject.ready(page);
      const { seen, invisible } = await tabAround(page);
      expect.soft(seen.length).toBeGreaterThan(5);
      expect.soft(invisible, 'focus that cannot be seen').toEqual([]);
      expect.soft(await unreached(page), 'controls that Tab does not reach').toEqual([]);
    });
  }
});
