/** Stories in the HTML report, in a real browser. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Rehearsal } from '../../../src/core/rehearsal-result';
import { Browser, chromium, type Page, type PageOptions } from '../../browser';
import { ATTACKS, CLEAN, TOLD, toldAs, withText, writeHtml } from './rehearsals';

const NAMES = TOLD.stories!.map(({ name }) => name);
const DELETED = TOLD.stories!.find(({ name }) => name === 'delete@1')!;

const WITHOUT = ' (skipped: no browser; apt-get install chromium)';

const TAB = `document.querySelector('[role=tab][aria-selected=true]').firstChild.textContent.trim()`;
const SCENES = `[...document.querySelectorAll('.scene')].filter((each) => each.checkVisibility()).map(({ id }) => id)`;
const SHOWN = `document.querySelector('.story:not([hidden]) .scene:not([hidden])').innerText`;
const HASH = 'location.hash';

describe.skipIf(chromium === undefined)(`stories in a browser${chromium === undefined ? WITHOUT : ''}`, () => {
  let browser: Browser;
  let folder: string;
  let files = 0;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rollout-constructs-stories-'));
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
    return { page: await browser.open(url, options), url };
  }

  /** Nothing was asked for, nothing refused, nothing written to the console. */
  function expectQuiet(page: Page, url: string): void {
    expect(page.events).toEqual({ console: [], requests: [url.replace(/#.*/, '')], dialogs: [] });
  }

  async function follow(page: Page, hash: string): Promise<void> {
    await page.evaluate(
      `new Promise((resolve) => { addEventListener('hashchange', () => setTimeout(resolve), { once: true }); location.hash = ${JSON.stringify(hash)}; })`,
    );
  }

  it('are tabs that the keyboard moves between, the straight road first', async () => {
    const { page, url } = await show([TOLD]);
    expect(await page.evaluate(TAB)).toBe('straight');
    expect(await page.evaluate(HASH)).toBe('');
    await page.evaluate(`document.querySelector('[role=tab][aria-selected=true]').focus()`);
    const walk = async (key: string) => {
      await page.press(key);
      const name = await page.evaluate<string>(TAB);
      expect(await page.evaluate<string>('document.activeElement.firstChild.textContent.trim()')).toBe(name);
      expect(await page.evaluate(HASH)).toBe(`#shop/told/${name}/1`);
      expect(await page.evaluate(SCENES)).toEqual([`shop/told/${name}/1`]);
      return name;
    };
    expect(await walk('ArrowRight')).toBe(NAMES[1]);
    expect(await walk('End')).toBe(NAMES.at(-1));
    expect(await walk('ArrowRight')).toBe('straight');
    expect(await walk('ArrowLeft')).toBe(NAMES.at(-1));
    expect(await walk('Home')).toBe('straight');
    const tree = await page.accessibilityTree();
    const tabs = tree.filter(({ role }) => role === 'tab').map(({ name }) => name);
    const signs = { released: '✓', 'rolled back': '↩', stuck: '!', refused: '✗' };
    expect(tabs).toEqual(TOLD.stories!.map(({ name, end }) => `${name} ${signs[end]} ${end}`));
    expect(tree.filter(({ role }) => role === 'tabpanel').map(({ name }) => name)).toEqual([tabs[0]]);
    expectQuiet(page, url);
  });

  it('have a slider and buttons that show one moment at a time', async () => {
    const { page, url } = await show([TOLD], { hash: '#shop/told/delete@1' });
    const { length } = DELETED.moments;
    const slider = `document.querySelector('.story:not([hidden]) input[type=range]')`;
    await page.evaluate(`${slider}.focus()`);
    const at = async (index: number) => {
      expect(await page.evaluate(SCENES)).toEqual([`shop/told/delete@1/${index + 1}`]);
      expect(await page.evaluate(HASH)).toBe(`#shop/told/delete@1/${index + 1}`);
      const place = `${index + 1} of ${length} ${DELETED.moments[index]!.title}`;
      expect(await page.evaluate(`${slider}.getAttribute('aria-valuetext')`)).toBe(place);
      // What the file holds once is there at every moment.
      expect(await page.evaluate(`document.querySelectorAll('.scene:not([hidden]) [data-from]').length`)).toBe(
        await page.evaluate(`document.querySelectorAll('.story[hidden] .scene:not([hidden]) [data-from]').length`),
      );
      return page.evaluate<string>(SHOWN);
    };
    for (const index of [1, 2, 3]) {
      await page.press('ArrowRight');
      expect(await at(index)).toMatch(/Who gets which version[\s\S]*Pods that answer[\s\S]*What the controller wrote/);
    }
    await page.press('End');
    expect(await at(length - 1)).toContain('this is the end of the story');
    await page.press('Home');
    const first = await at(0);
    expect(first).toContain('100% v1');
    expect(first).toContain('10 v1');
    expect(first).toContain('until somebody does this: release v2');
    const press = (name: string) =>
      page.evaluate(
        `[...document.querySelectorAll('.story:not([hidden]) button')].find((each) => each.textContent.includes('${name}')).click()`,
      );
    await press('Next');
    await at(1);
    await press('Before');
    await at(0);
    await press('Before');
    await at(0);
    const tree = await page.accessibilityTree();
    expect(tree.filter(({ role }) => role === 'slider').map(({ name }) => name)).toEqual(['Moment']);
    expectQuiet(page, url);
  });

  it('say the share of the traffic against the share of the pods', async () => {
    const twenty = TOLD.stories![0]!.moments.findIndex(({ title }) => title === 'steps[1]: 20%');
    const { page } = await show([TOLD], { hash: `#shop/told/straight/${twenty + 1}` });
    const text = await page.evaluate<string>(SHOWN);
    expect(text).toContain('20% v2, 80% v1');
    expect(text).toMatch(
      /v2: 20% of these requests on \d+% of the pods; v1: 80% of these requests on 100% of the pods/,
    );
  });

  it('open at the moment of an address, and follow it', async () => {
    const { page, url } = await show([CLEAN, TOLD], { hash: '#shop/told/delete@1/3' });
    const expectAt = async (id: string) => expect(await page.evaluate(SCENES)).toEqual([id]);
    await expectAt('shop/told/delete@1/3');
    await follow(page, '#shop/told/roll-back@0/2');
    await expectAt('shop/told/roll-back@0/2');
    // As a chat program writes it.
    await follow(page, '#shop/told/delete%401/4');
    await expectAt('shop/told/delete@1/4');
    await follow(page, '#rollout-1-moment-2');
    await expectAt('shop/told/delete@1/4');
    for (const unknown of ['#shop/told/nothing/3', '#%E0%A4', '#shop/web']) {
      await follow(page, unknown);
      await expectAt('shop/told/straight/1');
    }
    expectQuiet(page, url);
    const unknown = await show([TOLD], { hash: '#shop/told/nothing@9/3' });
    expect(await unknown.page.evaluate(SCENES)).toEqual(['shop/told/straight/1']);
    expectQuiet(unknown.page, unknown.url);
  });

  it('run no content of a story, and find it by its address whatever its name', async () => {
    const names = ['straight', ...ATTACKS.map((attack) => `mine ${attack}`)];
    const { page, url } = await show([toldAs(...names), ...ATTACKS.map((attack) => withText(toldAs('x'), attack))]);
    for (const index of names.keys()) {
      await page.evaluate(`document.querySelectorAll('.stories')[0].querySelectorAll('[role=tab]')[${index}].click()`);
      const hash = await page.evaluate<string>(HASH);
      const shown = `document.querySelector('.stories .story:not([hidden])').id`;
      const id = await page.evaluate(shown);
      await page.evaluate(`document.querySelector('.stories [role=tab]').click()`);
      await follow(page, `#rollout-1`);
      await follow(page, hash);
      expect(await page.evaluate(shown)).toBe(id);
    }
    expect(await page.evaluate('window.attacked')).toBeUndefined();
    expect(await page.evaluate('document.scripts.length')).toBe(1);
    expect(await page.evaluate(`document.querySelectorAll('a:not([href^="#"]), img, iframe, base, form').length`)).toBe(
      0,
    );
    expectQuiet(page, url);
  });

  describe.each([390, 768, 1440])('at a width of %i', (width) => {
    it.each(['light', 'dark'] as const)('never scroll the page sideways in %s', async (colorScheme) => {
      const long = { ...toldAs('straight', ...NAMES, 'long'.repeat(40)), rollout: TOLD.rollout };
      const { page, url } = await show([TOLD, long], { width, colorScheme });
      const count = DELETED.moments.length;
      for (let moment = 1; moment <= count; moment += 3) {
        await follow(page, `#shop/told/delete@1/${moment}`);
        expect(await page.evaluate<number>('document.scrollingElement.scrollWidth')).toBeLessThanOrEqual(width);
      }
      await page.evaluate(`[...document.querySelectorAll('[role=tab]')].at(-1).click()`);
      expect(await page.evaluate<number>('document.scrollingElement.scrollWidth')).toBeLessThanOrEqual(width);
      const ground = await page.evaluate<string>(`getComputedStyle(document.body).backgroundColor`);
      expect(Number(/\d+/.exec(ground)![0]) > 128).toBe(colorScheme === 'light');
      expectQuiet(page, url);
    });
  });

  it('are all there without JavaScript, one after the other', async () => {
    const { page, url } = await show([TOLD], { javaScript: false });
    const tree = await page.accessibilityTree();
    const headings = tree.filter(({ role }) => role === 'heading').map(({ name }) => name);
    for (const { name, moments } of TOLD.stories!) {
      expect(headings.filter((heading) => heading.startsWith(`${name} `))).toHaveLength(1);
      for (const [at, { title }] of moments.entries())
        expect(headings).toContain(`${at + 1} of ${moments.length} ${title}`);
    }
    expect(tree.filter(({ role }) => ['button', 'slider', 'tab'].includes(role))).toEqual([]);
    expectQuiet(page, url);
  });

  it('are all printed', async () => {
    const { page } = await show([TOLD]);
    await page.send('Emulation.setEmulatedMedia', { media: 'print' });
    const all = TOLD.stories!.flatMap(({ moments, name }) => moments.map((_, at) => `shop/told/${name}/${at + 1}`));
    expect(await page.evaluate(SCENES)).toEqual(all);
    expect(await page.evaluate(`document.querySelector('.slider').checkVisibility()`)).toBe(false);
  });
});
