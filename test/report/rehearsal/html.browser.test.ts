/** The HTML report in a real browser. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Rehearsal } from '../../../src/core/rehearsal-result';
import { Browser, chromium, type Page, type PageOptions } from '../../browser';
import { ATTACKS, CLEAN, ELSEWHERE, FAILING, many, STOPPED, withText, writeHtml } from './rehearsals';

/** What the tests ask the page for; each is an expression without data of ours. */
const SHOWN = `[...document.querySelectorAll('.moment')].filter((each) => each.checkVisibility()).map((each) => each.querySelector('h4').textContent)`;
const CURRENT = `document.querySelector('[aria-current=step]').textContent`;
const FOCUSED = `document.activeElement.textContent`;
const SPOKEN = `document.getElementById('spoken').textContent`;

/**
 * The least contrast of a text to its ground among all that are shown, with the text. Within the picture the ground is
 * the box of the text.
 */
const LEAST_CONTRAST = `(() => {
  const channels = (color) => color.match(/[\\d.]+/g).map(Number);
  const luminance = (color) => {
    const [r, g, b] = channels(color).map((value) => value / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const opaque = (color) => color !== 'transparent' && channels(color)[3] !== 0;
  const groundOf = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const box = at instanceof SVGGElement ? at.querySelector(':scope > rect') : null;
      const color = box ? getComputedStyle(box).fill : at instanceof SVGElement ? 'transparent' : getComputedStyle(at).backgroundColor;
      if (opaque(color)) return color;
    }
    return 'rgb(255, 255, 255)';
  };
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (walker.currentNode.data.trim() === '' || !element.checkVisibility() || element.closest('.unseen, script, title, desc')) continue;
    const color = element instanceof SVGElement ? getComputedStyle(element).fill : getComputedStyle(element).color;
    const [bright, dark] = [luminance(color), luminance(groundOf(element))].sort((a, b) => b - a);
    texts.push({ contrast: (bright + 0.05) / (dark + 0.05), text: walker.currentNode.data });
  }
  return { ...texts.reduce((least, each) => (each.contrast < least.contrast ? each : least)), count: texts.length };
})()`;

const WITHOUT = ' (skipped: no browser; apt-get install chromium)';

describe.skipIf(chromium === undefined)(`the HTML report in a browser${chromium === undefined ? WITHOUT : ''}`, () => {
  let browser: Browser;
  let folder: string;
  let files = 0;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rollout-constructs-html-'));
    browser = await Browser.launch();
  }, 60_000);

  afterEach(() => browser.closePages());

  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function show(rehearsals: readonly Rehearsal[], options: PageOptions & { readonly hash?: string } = {}) {
    const file = join(folder, `${files++}.html`);
    writeFileSync(file, writeHtml(...rehearsals));
    const url = `${pathToFileURL(file)}${options.hash ?? ''}`;
    const page = await browser.open(url, options);
    return { page, url };
  }

  /** Nothing was asked for, nothing refused, nothing written to the console. */
  function expectQuiet(page: Page, url: string): void {
    expect(page.events).toEqual({ console: [], requests: [url.replace(/#.*/, '')], dialogs: [] });
  }

  it('loads nothing else', async () => {
    const { page, url } = await show([CLEAN, FAILING, ELSEWHERE, STOPPED]);
    await page.evaluate(`document.querySelectorAll('a[data-moment], button, summary').forEach((each) => each.click())`);
    expectQuiet(page, url);
  });

  it('runs no content of a manifest', async () => {
    const rehearsals = ATTACKS.flatMap((attack) => [FAILING, STOPPED].map((rehearsal) => withText(rehearsal, attack)));
    const { page, url } = await show(rehearsals);
    // The last moment of each, as the browser would slow down a page that goes to hundreds of addresses at once.
    await page.evaluate(
      `document.querySelectorAll('tr:last-child a[data-moment], summary').forEach((each) => each.click())`,
    );
    await page.evaluate(
      `for (const type of ['mouseover', 'focus', 'load', 'error']) document.querySelectorAll('*').forEach((each) => each.dispatchEvent(new Event(type)))`,
    );
    expect(await page.evaluate('window.attacked')).toBeUndefined();
    expect(await page.evaluate('document.scripts.length')).toBe(1);
    expect(await page.evaluate(`document.querySelectorAll('a:not([href^="#"]), img, iframe, base, form').length`)).toBe(
      0,
    );
    expectQuiet(page, url);
  });

  it('would report a violation of its policy if something ran', async () => {
    const { page } = await show([CLEAN]);
    await page.evaluate(
      `document.body.append(Object.assign(document.createElement('img'), { src: 'https://attacker.example.com/x' }))`,
    );
    await expect(page.evaluate(`document.body.insertAdjacentHTML('beforeend', '<b onclick="x()">')`)).rejects.toThrow(
      /TrustedHTML/,
    );
    expect(page.events.console.join('\n')).toMatch(/img-src data:/);
  });

  it('shows one moment at a time, starting with the first wrong one', async () => {
    const { page } = await show([FAILING]);
    expect(await page.evaluate(SHOWN)).toEqual(['steps[0]: x-user: tester']);
    const clean = await show([CLEAN]);
    expect(await clean.page.evaluate(SHOWN)).toEqual(['steps[0]: x-user: tester']);
  });

  it('can be navigated with the keyboard, and announces the position', async () => {
    const { page } = await show([FAILING]);
    await page.press('Tab');
    expect(await page.evaluate(FOCUSED)).toBe('Skip to the Rollouts');
    expect(await page.evaluate(`document.activeElement.getBoundingClientRect().top`)).toBeGreaterThanOrEqual(0);
    expect(await page.evaluate(`getComputedStyle(document.activeElement).outlineStyle`)).toBe('solid');
    await page.evaluate(`document.querySelector('[aria-current=step]').focus()`);
    const walk = async (key: string) => {
      await page.press(key);
      const title = await page.evaluate<string>(CURRENT);
      expect(await page.evaluate(FOCUSED)).toBe(title);
      expect(await page.evaluate(SHOWN)).toEqual([title]);
      expect(await page.evaluate<string>(SPOKEN)).toContain(title);
      return title;
    };
    expect(await walk('ArrowDown')).toBe('steps[1]: 20%');
    expect(await page.evaluate(SPOKEN)).toContain('✗ 6 of 8 kinds of requests do not go where the Rollout declares.');
    expect(await walk('ArrowRight')).toBe('steps[2]: 100%');
    expect(await walk('ArrowUp')).toBe('steps[1]: 20%');
    expect(await walk('End')).toBe(FAILING.moments.at(-1)!.title);
    expect(await walk('Home')).toBe('before');
    await page.press('ArrowUp');
    expect(await page.evaluate(CURRENT)).toBe('before');
    await page.evaluate(
      `[...document.querySelectorAll('button')].find((each) => /Next/.test(each.textContent)).focus()`,
    );
    await page.press('Enter');
    expect(await page.evaluate(SHOWN)).toEqual(['steps[0]: canary Ingress created']);
    expect(await page.evaluate<string>('location.hash')).toBe('#rollout-1-moment-2');
  });

  it('opens at the moment, the request or the finding of its address', async () => {
    const { page, url } = await show([FAILING, CLEAN], { hash: '#rollout-2-moment-5' });
    expect(await page.evaluate(SHOWN)).toEqual(['steps[0]: x-user: tester', 'steps[2]: 100%']);
    expectQuiet(page, url);
    await page.evaluate(`document.querySelector('.finding a[href="#rollout-1-moment-3"]').click()`);
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 50))');
    expect(await page.evaluate<string>('document.activeElement.id')).toBe('rollout-1-moment-3');
  });

  it('shows a picture for every moment, although the file has each picture once', async () => {
    const { page } = await show([CLEAN]);
    await page.evaluate(`document.querySelectorAll('a[data-moment]').forEach((each) => each.click())`);
    const pictures = `[...document.querySelectorAll('.moment')].map((each) => each.querySelectorAll('svg.flow').length)`;
    expect(await page.evaluate(pictures)).toEqual(CLEAN.moments.map(() => 1));
    expect(
      await page.evaluate(
        `(() => { const ids = [...document.querySelectorAll('[id]')].map((each) => each.id); return ids.length - new Set(ids).size; })()`,
      ),
    ).toBe(0);
  });

  it('keeps all text within its box', async () => {
    const { page } = await show([
      ELSEWHERE,
      withText(FAILING, ' a-rather-long-text-without-an-end'),
      withText(CLEAN, '部署灰度发布流量'),
    ]);
    await page.evaluate(`document.querySelectorAll('.moment').forEach((each) => { each.hidden = false; })`);
    const over = `[...document.querySelectorAll('.flow g > text')].flatMap((text) => {
      const box = text.parentElement.querySelector(':scope > rect').getBBox(), own = text.getBBox();
      return own.x + own.width > box.x + box.width || own.y + own.height > box.y + box.height + 1 ? [text.textContent] : [];
    })`;
    expect(await page.evaluate(over)).toEqual([]);
    expect(await page.evaluate(`document.querySelectorAll('.flow g > text').length`)).toBeGreaterThan(100);
  });

  it.each(['light', 'dark'] as const)('is legible in %s', async (colorScheme) => {
    const { page } = await show([FAILING, ELSEWHERE, CLEAN, STOPPED], { colorScheme });
    await page.evaluate(`document.querySelectorAll('.moment').forEach((each) => { each.hidden = false; })`);
    const least = await page.evaluate<{ contrast: number; text: string; count: number }>(LEAST_CONTRAST);
    expect(least.count).toBeGreaterThan(500);
    expect(least.contrast, least.text).toBeGreaterThanOrEqual(4.5);
    const ground = await page.evaluate<string>(`getComputedStyle(document.body).backgroundColor`);
    expect(Number(/\d+/.exec(ground)![0]) > 128).toBe(colorScheme === 'light');
  });

  it('exposes landmarks, headings and table headers to screen readers', async () => {
    const { page } = await show([FAILING, CLEAN]);
    const tree = await page.accessibilityTree();
    const named = (role: string) => tree.filter((node) => node.role === role).map(({ name }) => name);
    for (const landmark of ['banner', 'navigation', 'main', 'contentinfo']) expect(named(landmark)).toHaveLength(1);
    expect(named('navigation')).toEqual(['Rollouts']);
    expect(named('article').map((name) => name.split(' ')[1])).toEqual(['shop/cart', 'shop/web']);
    expect(named('status')).toHaveLength(1);
    expect(named('table')).toEqual(
      expect.arrayContaining([
        'What each kind of request gets, moment by moment',
        'The traffic as a table',
        'One request for each kind that the rules distinguish',
      ]),
    );
    expect(named('columnheader')).toEqual(expect.arrayContaining(['Moment', 'Declared', 'Taken by', 'Answered by']));
    expect(named('rowheader').filter((name) => name.startsWith('steps[1]: 20%'))).toEqual([
      'steps[1]: 20% ✗ 6 requests wrong',
      'steps[1]: 20% ✓ as declared',
    ]);
    // A picture is announced by its title, and not box by box.
    expect(new Set(named('image'))).toEqual(new Set(['Where requests go']));
    const levels = tree.filter(({ role }) => role === 'heading').map(({ properties }) => Number(properties.level));
    expect(levels[0]).toBe(1);
    expect(levels.filter((level, index) => index > 0 && level > levels[index - 1]! + 1)).toEqual([]);
    const nameless = tree.filter(
      ({ role, name }) => ['link', 'button', 'table', 'article'].includes(role) && name === '',
    );
    expect(nameless).toEqual([]);
  });

  it('shows everything without JavaScript', async () => {
    const { page, url } = await show([CLEAN, FAILING], { javaScript: false });
    const text = (await page.accessibilityTree()).filter(({ role }) => role === 'heading').map(({ name }) => name);
    for (const { moments } of [CLEAN, FAILING]) {
      for (const { title } of moments) expect(text.filter((name) => name === title).length).toBeGreaterThan(0);
    }
    expect(text.filter((name) => name === 'What the controller wrote')).toHaveLength(
      CLEAN.moments.length + FAILING.moments.length,
    );
    expect((await page.accessibilityTree()).filter(({ role }) => role === 'button')).toEqual([]);
    expectQuiet(page, url);
  });

  it.each([
    [390, 'light', true],
    [390, 'dark', true],
    [768, 'light', true],
    [1440, 'dark', false],
  ] as const)('fits a screen of %i pixels (%s)', async (width, colorScheme, isNarrow) => {
    const { page } = await show([FAILING, CLEAN], { width, colorScheme });
    // The page itself never scrolls sideways.
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    // Text is not squeezed into columns of a few letters.
    const cells = '[...document.querySelectorAll(".routes td, .requests td")].filter((each) => each.checkVisibility())';
    expect(await page.evaluate(`Math.max(...${cells}.map((each) => each.offsetHeight))`)).toBeLessThan(220);
    // What is cut says so.
    const hint = '[...document.querySelectorAll(".hint")].some((each) => each.checkVisibility())';
    const isCut =
      '[...document.querySelectorAll(".flow")].some((each) => each.checkVisibility() && each.parentElement.scrollWidth > each.parentElement.clientWidth)';
    expect(await page.evaluate(`[${hint}, ${isCut}]`)).toEqual([isNarrow, isNarrow]);
    const least = await page.evaluate<{ contrast: number; text: string }>(LEAST_CONTRAST);
    expect(least.contrast, least.text).toBeGreaterThanOrEqual(4.5);
  });

  it('prints everything', async () => {
    const { page } = await show([CLEAN]);
    await page.send('Emulation.setEmulatedMedia', { media: 'print' });
    expect(await page.evaluate(SHOWN)).toEqual(CLEAN.moments.map(({ title }) => title));
    expect(await page.evaluate(`document.querySelector('.stepper').checkVisibility()`)).toBe(false);
    const { data } = await page.send<{ data: string }>('Page.printToPDF', {});
    expect(Buffer.from(data, 'base64').subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('does not animate with reduced motion', async () => {
    const { page } = await show([CLEAN]);
    const behavior = 'getComputedStyle(document.documentElement).scrollBehavior';
    expect(await page.evaluate(behavior)).toBe('auto');
    await page.send('Emulation.setEmulatedMedia', {
      features: [{ name: 'prefers-reduced-motion', value: 'no-preference' }],
    });
    expect(await page.evaluate(behavior)).toBe('smooth');
  });

  it.each([360, 800, 1600])('scrolls tables and pictures, not the page, at a width of %i', async (width) => {
    const { page } = await show([ELSEWHERE, withText(FAILING, 'long'.repeat(50))], { width });
    expect(await page.evaluate<number>('document.scrollingElement.scrollWidth')).toBeLessThanOrEqual(width);
  });

  it('finds one of many Rollouts', async () => {
    const { page, url } = await show(many(20));
    const rollouts = `[...document.querySelectorAll('.rollout')].filter((each) => !each.hidden).length`;
    expect(await page.evaluate(rollouts)).toBe(20);
    await page.evaluate(`document.querySelector('input[type=search]').focus()`);
    for (const key of 'app-17') await page.press(key);
    expect(await page.evaluate(rollouts)).toBe(1);
    expect(await page.evaluate(SPOKEN)).toBe('1 of 20 Rollouts are shown');
    await page.evaluate(
      `(() => { const text = document.querySelector('input[type=search]'); text.value = ''; text.dispatchEvent(new Event('input')); document.querySelector('input[type=checkbox]').click(); })()`,
    );
    expect(await page.evaluate(rollouts)).toBe(2);
    expectQuiet(page, url);
  });
});
