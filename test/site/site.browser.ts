/** The built site as people meet it: delivered as it is, in a real browser. `npm run site` builds it before. */
import { existsSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ruleGroups } from '../../src/check';
import { pageOf } from '../../src/core/rule';
import { siteAddressOf } from '../../src/core/site';
import { Browser, chromium, type Page, type PageOptions } from '../browser';
import { ROOT } from '../docs/pages';
import { serve } from './server';

const FOLDER = join(ROOT, 'site', 'dist');
const rules = ruleGroups.flatMap((group) => group.rules);

/** The path for which the site was built. */
function builtBase(): string {
  const guide = readFileSync(join(FOLDER, 'guide.html'), 'utf8');
  return /src="(\/[^"]*?)assets\/app\./.exec(guide)![1]!;
}

/** A page of each kind. */
const KINDS = [
  'index.html',
  'guide.html',
  'rules/index.html',
  'rules/kruise-alb-order.html',
  'rules/argo-admission.html',
  'reference/constructs/kruise-rollout.html',
  'recordings.html',
  'how-we-know.html',
  'stories.html',
  'rehearsals/index.html',
  'rehearsals/argo-aws-alb.html',
];
const WIDTHS = [390, 768, 1440];
const SCHEMES = ['light', 'dark'] as const;

/** The least contrast of the words of a page to their ground, with the words. */
const LEAST_CONTRAST = `(() => {
  const channels = (color) => color.match(/[\\d.]+/g).map(Number);
  const luminance = (color) => {
    const [r, g, b] = channels(color).map((value) => value / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  // Grounds lie upon each other, some of them half transparent.
  const groundOf = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      const [r, g, b, a = 1] = channels(getComputedStyle(at).backgroundColor);
      if (a > 0) layers.push([r, g, b, a]);
      if (a === 1) break;
    }
    const [r, g, b] = layers.reduceRight(
      (under, [r, g, b, a]) => [r, g, b].map((value, index) => value * a + under[index] * (1 - a)), [255, 255, 255]);
    return 'rgb(' + [r, g, b].join(',') + ')';
  };
  const texts = [...document.querySelectorAll('h1, h2, h3, .vp-doc p, .vp-doc li, .vp-doc td, .vp-doc th, .vp-doc a, .vp-doc code:not(pre code), .VPNav a, .VPSidebar a, .VPDocOutlineItem a')]
    .filter((each) => each.checkVisibility() && each.textContent.trim().length > 1 && !each.closest('.header-anchor, .unseen, .skip'))
    .map((each) => {
      const [bright, dark] = [luminance(getComputedStyle(each).color), luminance(groundOf(each))].sort((a, b) => b - a);
      return { contrast: (bright + 0.05) / (dark + 0.05), text: each.textContent.trim().slice(0, 60) };
    });
  return texts.reduce((least, each) => (each.contrast < least.contrast ? each : least));
})()`;

const WITHOUT = chromium === undefined ? ' (skipped: no browser; apt-get install chromium)' : '';

it('the site is built', () => {
  expect(existsSync(join(FOLDER, 'guide.html')), 'run "npm run site" first').toBe(true);
});

describe.skipIf(chromium === undefined)(`the site in a browser${WITHOUT}`, () => {
  let browser: Browser;
  let server: Server;
  let home: string;

  beforeAll(async () => {
    const base = builtBase();
    const served = await serve(FOLDER, base);
    server = served.server;
    home = `${served.origin}${base}`;
    browser = await Browser.launch();
  });
  afterEach(() => browser.closePages());
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  /** What a page asked for that is not of the site. */
  function foreignOf(page: Page): string[] {
    return page.events.requests.filter((url) => !url.startsWith(home) && !/^(data|blob):/.test(url));
  }

  async function until(page: Page, expression: string): Promise<void> {
    const end = Date.now() + 30_000;
    while (!(await holds(page, expression))) {
      if (Date.now() > end) throw new Error(`not reached: ${expression}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async function holds(page: Page, expression: string): Promise<boolean> {
    try {
      return await page.evaluate<boolean>(`Boolean(${expression})`);
    } catch (error) {
      // A page that goes away answers nothing; the next one is asked again.
      if (/navigated|context/.test((error as Error).message)) return false;
      throw error;
    }
  }

  /** Clicks a link. It is followed after this call has its answer. */
  async function follow(page: Page, selector: string): Promise<void> {
    await page.evaluate(`void setTimeout(() => document.querySelector(${JSON.stringify(selector)}).click())`);
  }

  /** Opens a page, and waits until its script has taken it over. */
  async function opened(address: string, options: PageOptions = {}): Promise<Page> {
    const page = await browser.open(`${home}${address}`, options);
    const isOfGenerator = !/^(index\.html)?$|^rehearsals\/(?!index)/.test(address);
    if (isOfGenerator && options.javaScript !== false) await until(page, `document.querySelector('#app').__vue_app__`);
    return page;
  }

  async function type(page: Page, text: string): Promise<void> {
    await page.send('Input.insertText', { text });
  }

  describe.each(KINDS)('%s', (address) => {
    it('fits three widths, light and dark, can be read, and loads nothing from elsewhere', async () => {
      for (const width of WIDTHS) {
        for (const colorScheme of SCHEMES) {
          const which = `${width} ${colorScheme}`;
          const page = await opened(address, { width, height: width === 390 ? 844 : 900, colorScheme });
          expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), which).toBeLessThanOrEqual(
            0,
          );
          const { contrast, text } = await page.evaluate<{ contrast: number; text: string }>(LEAST_CONTRAST);
          expect(contrast, `${which}: ${text}`).toBeGreaterThanOrEqual(4.5);
          expect(foreignOf(page), which).toEqual([]);
          expect(page.events.console, which).toEqual([]);
          await browser.closePages();
        }
      }
    });
  });

  it('filters the rules with the keyboard alone, and tells how many are left', async () => {
    const page = await opened('rules/index.html');
    const status = `document.querySelector('.rule-filter [role=status]').textContent`;
    const listed = `[...document.querySelectorAll('.rules td:first-child a')].map((each) => each.textContent)`;
    expect(await page.evaluate(status)).toBe(`${rules.length} rules`);
    await page.evaluate(`document.querySelector('.rule-filter input').focus()`);
    await type(page, 'cookie');
    const cookies = rules.filter(({ id, title }) => `${id} ${title}`.toLowerCase().includes('cookie'));
    await until(page, `${status} === '${cookies.length} of ${rules.length} rules'`);
    expect((await page.evaluate<string[]>(listed)).sort()).toEqual(cookies.map(({ id }) => id).sort());
    await page.press('Tab');
    expect(await page.evaluate(`document.activeElement.closest('label').textContent.startsWith('System')`)).toBe(true);
    await page.press('ArrowDown');
    await page.press('ArrowDown');
    await page.press('Tab');
    await page.press('ArrowDown');
    const kruise = ruleGroups.filter(({ system }) => system === 'kruise').flatMap((group) => group.rules);
    const left = kruise.filter((rule) => cookies.includes(rule) && rule.severity === 'error');
    await until(page, `${status} === '${left.length} of ${rules.length} rules'`);
    expect(await page.evaluate('location.search')).toBe('?text=cookie&system=kruise&severity=error');
    // Its address is the list.
    const again = await opened(`rules/index.html?text=cookie&system=kruise&severity=error`);
    await until(again, `${status} === '${left.length} of ${rules.length} rules'`);
    expect(
      await again.evaluate(`[...document.querySelectorAll('.rule-filter select')].map(({ value }) => value)`),
    ).toEqual(['kruise', 'error']);
  });

  it('lists all rules without JavaScript', async () => {
    const page = await opened('rules/index.html', { javaScript: false });
    // A page without scripts can be asked nothing but what a screen reader is told.
    const links = (await page.accessibilityTree()).filter(({ role }) => role === 'link').map(({ name }) => name);
    expect(rules.filter(({ id }) => !links.includes(id)).map(({ id }) => id)).toEqual([]);
  });

  it('finds a page by its words, without a server that searches', async () => {
    const page = await opened('guide.html');
    await page.evaluate(`document.querySelector('.DocSearch-Button').focus()`);
    await page.press('Enter');
    await until(page, `document.activeElement.matches('.search-input')`);
    await type(page, 'whole Cookie header');
    await until(page, `document.querySelector('.VPLocalSearchBox .result')`);
    await until(
      page,
      `document.querySelector('.VPLocalSearchBox .result').href.includes('lua-alb-cookie-whole-header')`,
    );
    await page.press('Enter');
    await until(page, `document.querySelector('h1')?.textContent.startsWith('lua-alb-cookie-whole-header')`);
    expect(foreignOf(page)).toEqual([]);
  });

  it('has a page for what each finding names under see:', async () => {
    const page = await opened('guide.html');
    const addresses = rules.map((rule) => siteAddressOf(`docs/rules/${pageOf(rule)}`)!);
    const lost = await page.evaluate<string[]>(`Promise.all(${JSON.stringify(addresses)}.map(async (address) => {
      const response = await fetch(new URL(address, ${JSON.stringify(home)}));
      const [, anchor] = address.split('#');
      const text = await response.text();
      return response.ok && (anchor === undefined || text.includes('id="' + anchor + '"')) ? [] : [address];
    })).then((lists) => lists.flat())`);
    expect(lost).toEqual([]);
  });

  it('begins with the playground, whose findings lead to the pages of their rules', async () => {
    const page = await opened('');
    await until(page, `document.querySelector('#findings li code')`);
    expect(await page.evaluate(`[...document.querySelectorAll('nav.site a')].map((each) => each.textContent)`)).toEqual(
      ['Guide', 'Rules', 'Reference', 'Stories', 'Recordings'],
    );
    const id = await page.evaluate<string>(`document.querySelector('#findings .head a').textContent`);
    await follow(page, '#findings .head a');
    await until(page, `document.querySelector('.vp-doc h1')?.textContent.startsWith(${JSON.stringify(id)})`);
    // And back: the title of every page leads to the front page, which is loaded as a whole.
    await follow(page, '.VPNavBarTitle a');
    await until(page, `document.querySelector('#editor') && document.querySelector('#findings li code')`);
  });

  it('shows rehearsals with every story', async () => {
    const page = await opened('rehearsals/index.html');
    const links = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.vp-doc td a')].map(({ href }) => href)`,
    );
    expect(links).toHaveLength(5);
    await follow(page, '.vp-doc td a');
    await until(page, `document.querySelectorAll('[role=tab]').length > 5`);
  });
});
