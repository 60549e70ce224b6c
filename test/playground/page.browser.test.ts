/** The playground as people meet it: the one file, in a real browser. */
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Playground } from '../../src/playground/answer';
import { fragmentOf, inputOf } from '../../src/playground/share';
import { Browser, chromium, type Page, type PageOptions } from '../browser';
import { examples } from './examples';

const FILE = join(__dirname, '..', '..', 'lib', 'playground.html');
const URL_OF_FILE = pathToFileURL(FILE).href;
const WITHOUT = chromium === undefined ? ' (skipped: no browser; apt-get install chromium)' : '';

/** The picture is drawn, and nothing is left to answer. */
const READY = `document.body.dataset.pictured !== undefined && document.querySelector('#pictures iframe:not(.coming)') !== null`;
const STATUS = `document.getElementById('status').textContent`;
const TEXT = `document.getElementById('text').value`;

describe.skipIf(chromium === undefined || !existsSync(FILE))(`the page of the playground${WITHOUT}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await Browser.launch();
  });
  afterEach(() => browser.closePages());
  afterAll(() => browser?.close());

  async function until(page: Page, expression: string, what = expression): Promise<void> {
    const end = Date.now() + 15_000;
    while (!(await page.evaluate<boolean>(`Boolean(${expression})`))) {
      if (Date.now() > end) throw new Error(`not reached: ${what}; ${await page.evaluate(STATUS)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async function opened(fragment = '', options: PageOptions = {}): Promise<Page> {
    const page = await browser.open(`${URL_OF_FILE}${fragment === '' ? '' : `#${fragment}`}`, options);
    await until(page, READY);
    return page;
  }

  /** Writes a text as a person does who pastes it, and waits for all answers to it. */
  async function write(page: Page, text: string): Promise<void> {
    const before = await page.evaluate('document.body.dataset.pictured');
    await page.evaluate(
      `(() => { const field = document.getElementById('text'); field.value = ${JSON.stringify(text)}; field.dispatchEvent(new Event('input')); })()`,
    );
    await until(page, `document.body.dataset.pictured !== ${JSON.stringify(before)} && ${READY}`);
  }

  const listed = (page: Page) =>
    page.evaluate<string[]>(
      `[...document.querySelectorAll('#findings li:not(.none)')].map((item) => item.querySelector('code').textContent + ': ' + item.querySelector('.message').textContent)`,
    );

  it('shows its first picture before it has read the library, and asks for nothing but itself', async () => {
    const page = await opened();
    const paints = await page.evaluate<{ name: string; startTime: number }[]>(
      `performance.getEntriesByType('paint').map(({ name, startTime }) => ({ name, startTime }))`,
    );
    const first = paints.find(({ name }) => name === 'first-contentful-paint')!.startTime;
    // It takes a tenth of a second on a machine that has nothing else to do; tests run on busy ones.
    expect(first).toBeLessThan(5000);
    expect(page.events.requests.filter((url) => !/^(blob|data):/.test(url))).toEqual([URL_OF_FILE]);
    expect(page.events.console).toEqual([]);
    expect(readFileSync(FILE).length).toBeLessThan(3_000_000);
  });

  it('finds in every example what the library finds', async () => {
    const page = await opened();
    for (const { name, text } of examples) {
      const before = await page.evaluate('document.body.dataset.pictured');
      await page.evaluate(
        `(() => { const list = document.getElementById('example'); list.value = ''; list.value = ${JSON.stringify(name)}; list.dispatchEvent(new Event('change')); })()`,
      );
      await until(page, `document.body.dataset.pictured !== ${JSON.stringify(before)}`);
      const expected = new Playground({ text, requests: [] }).checked();
      expect(await page.evaluate(TEXT)).toBe(text);
      expect(await listed(page)).toEqual(expected.findings.map(({ rule, message }) => `${rule}: ${message}`));
      expect(await page.evaluate<string>(STATUS)).toContain(expected.summary);
    }
    expect(page.events.console).toEqual([]);
  });

  it('types without waiting for the check', async () => {
    const page = await opened();
    await page.evaluate(`document.getElementById('text').focus()`);
    // How long a key takes until the page can take the next one, next to a key in an empty field of the same size.
    const times = await page.evaluate<number[]>(`(async () => {
      const field = document.getElementById('text');
      const times = [];
      for (let index = 0; index < 20; index++) {
        const start = performance.now();
        field.setRangeText('#', 0, 0, 'end');
        field.dispatchEvent(new Event('input', { bubbles: true }));
        times.push(performance.now() - start);
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
      return times;
    })()`);
    const median = times.sort((a, b) => a - b)[10]!;
    expect(median).toBeLessThan(100);
    await until(page, `!/checking/.test(${STATUS})`);
  });

  it('underlines a mistake while somebody writes, and leads to its line', async () => {
    const page = await opened();
    const text = examples.find(({ name }) => name === 'kruise-aws-alb')!.text;
    const wrong = text.replace('traffic: 20%', 'traffic: 120%');
    expect(wrong).not.toBe(text);
    await write(page, wrong);
    expect(await page.evaluate<string>(`document.getElementById('status').dataset.state`)).toBe('error');
    const line = wrong.split('\n').findIndex((each) => each.includes('120%')) + 1;
    const under = await page.evaluate<string[]>(
      `[...document.querySelectorAll('#marks .error u')].map((mark) => mark.textContent)`,
    );
    expect(under).toContain('120%');
    // The mark is where the letters are: as high as the line, and as far right as the text before it is wide.
    const top = await page.evaluate<number>(
      `[...document.querySelectorAll('#marks .error')].find((row) => row.textContent.includes('120%')).offsetTop`,
    );
    expect(Math.round((top - 9.6) / 20)).toBe(line - 1);
    await page.evaluate(
      `[...document.querySelectorAll('#findings button')].find((button) => button.textContent === 'line ${line}').click()`,
    );
    const selected = await page.evaluate<{ text: string; focused: boolean }>(
      `(() => { const field = document.getElementById('text'); return { text: field.value.slice(field.selectionStart, field.selectionEnd), focused: document.activeElement === field }; })()`,
    );
    expect(selected).toEqual({ text: '120%', focused: true });
    // The field shows the line now, with its mark.
    const isSeen = await page.evaluate<boolean>(`new Promise((resolve) => {
      const mark = [...document.querySelectorAll('#marks .error u')].find((each) => each.textContent === '120%');
      new IntersectionObserver(([{ isIntersecting }]) => resolve(isIntersecting)).observe(mark);
    })`);
    expect(isSeen).toBe(true);
    await write(page, text);
    expect(await page.evaluate(`document.querySelectorAll('#marks .error').length`)).toBe(0);
  });

  it('answers a request of one’s own as route does', async () => {
    const page = await opened();
    const request = 'https://shop.example.com/status';
    const before = await page.evaluate('document.body.dataset.pictured');
    await page.evaluate(`document.getElementById('request').focus()`);
    await page.send('Input.insertText', { text: request });
    await page.press('Enter');
    await until(page, `document.body.dataset.pictured !== ${JSON.stringify(before)}`);
    const text = await page.evaluate<string>(TEXT);
    const [answer] = new Playground({ text, requests: [request] }).routed();
    const answers = await page.evaluate<string[]>(
      `[...document.querySelectorAll('#answers pre')].map((each) => each.textContent)`,
    );
    expect(answers.at(-1)).toBe(answer!.text!.trimEnd());
  });

  it('shares all of it by a link, and opens what was shared', async () => {
    const page = await opened();
    const text = examples.find(({ name }) => name === 'ktenv')!.text.replaceAll('shop', 'läden');
    await write(page, text);
    await page.evaluate(`document.getElementById('share').click()`);
    await until(page, `document.getElementById('link').value !== ''`);
    const link = await page.evaluate<string>(`document.getElementById('link').value`);
    const shared = await inputOf(link.slice(link.indexOf('#') + 1));
    expect(shared?.text).toBe(text);
    const other = await opened(link.slice(link.indexOf('#') + 1));
    expect(await other.evaluate(TEXT)).toBe(text);
    expect(await listed(other)).toEqual(await listed(page));
  });

  it('says what is wrong with a link, and shows an example instead', async () => {
    const page = await opened('v1.AAAA');
    const told = await page.evaluate<string>(`document.querySelector('[role=alert]').textContent`);
    expect(told).toContain('The link cannot be read: a part of it is missing or changed');
    expect(await page.evaluate<string>(TEXT)).toBe(examples.find(({ name }) => name === 'kruise-aws-alb')!.text);
    expect(page.events.console).toEqual([]);
  });

  it('runs nothing of what a link says', async () => {
    const attack = `'"><img src=x onerror="parent.attacked=1"><script>parent.attacked=1</script>`;
    const text = `${examples.find(({ name }) => name === 'argo-aws-alb')!.text.replaceAll('shop.example.com', JSON.stringify(attack))}---\nkind: ${JSON.stringify(attack)}\napiVersion: ${JSON.stringify(attack)}\nmetadata: {name: ${JSON.stringify(attack)}}\n`;
    const page = await opened(await fragmentOf({ text, requests: [attack] }));
    expect(await page.evaluate('window.attacked')).toBeUndefined();
    expect(await page.evaluate(`document.querySelectorAll('img').length`)).toBe(0);
    expect(page.events.requests.filter((url) => !/^(blob|data):/.test(url)).length).toBe(1);
    expect(page.events.dialogs).toEqual([]);
  });

  it('can be used with the keyboard alone', async () => {
    const page = await opened();
    const reached: string[] = [];
    for (let count = 0; count < 12; count++) {
      await page.press('Tab');
      reached.push(
        await page.evaluate<string>(
          `document.activeElement.id || document.activeElement.textContent || document.activeElement.tagName`,
        ),
      );
      if (reached.at(-1) === 'request') break;
    }
    expect(reached.slice(0, 5)).toEqual(['Skip to the manifests', 'example', 'open', 'share', 'text']);
    // Tab leaves the field of the manifests; buttons of findings come next, in their order.
    expect(reached.filter((each) => each.startsWith('line ')).length).toBeGreaterThan(0);
    expect(await page.evaluate<string>(TEXT)).not.toContain('\t');
  });

  it('tells a screen reader what everything is', async () => {
    const page = await opened();
    const nodes = await page.accessibilityTree();
    const named = (role: string) => nodes.filter((node) => node.role === role).map(({ name }) => name);
    expect(named('heading')).toEqual(
      expect.arrayContaining([
        'rollout-constructs playground',
        'Manifests',
        'Findings',
        'Rehearsal',
        'Requests of your own',
      ]),
    );
    expect(named('textbox')).toEqual(expect.arrayContaining(['Manifests', 'Request']));
    expect(named('combobox')).toEqual(['Example']);
    expect(named('Iframe')).toContain('Rehearsal');
    expect(named('list')).toEqual(expect.arrayContaining(['Findings', 'Requests of your own']));
    expect(nodes.filter(({ role }) => role === 'status').length).toBeGreaterThan(0);
    expect(named('button').every((name) => name !== '')).toBe(true);
    expect(named('button')).toEqual(expect.arrayContaining([expect.stringMatching(/^Go to line \d+: /)]));
  });

  it.each([
    ['a phone', { width: 390, height: 844 }],
    ['a phone in the dark', { width: 390, height: 844, colorScheme: 'dark' }],
    ['a wide screen', { width: 1440, height: 900 }],
    ['a wide screen in the dark', { width: 1440, height: 900, colorScheme: 'dark' }],
  ] as const)('fits on %s', async (_, options) => {
    const page = await opened('', options);
    const wide = await page.evaluate<{ page: number; window: number }>(
      `({ page: document.documentElement.scrollWidth, window: innerWidth })`,
    );
    expect(wide.page).toBeLessThanOrEqual(wide.window);
    const [text, ground] = await page.evaluate<[string, string]>(
      `(() => { const style = getComputedStyle(document.body); return [style.color, style.backgroundColor]; })()`,
    );
    expect(contrast(text, ground)).toBeGreaterThan(7);
    const isDark = 'colorScheme' in options;
    expect(luminance(ground) < 0.2).toBe(isDark);
    const small = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.tools button, .tools select, #ask button')].filter((each) => each.getBoundingClientRect().height < 36).map((each) => each.textContent)`,
    );
    expect(small).toEqual([]);
  });

  describe('as the front page of a site', () => {
    let server: Server;
    let address: string;
    beforeAll(async () => {
      const page = readFileSync(FILE);
      server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(page));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    });
    afterAll(() => server?.close());

    it('works the same, and asks the site for nothing more', async () => {
      const page = await browser.open(address);
      await until(page, READY);
      expect(page.events.requests.filter((url) => !/^(blob|data):/.test(url))).toEqual([address]);
      expect(page.events.console).toEqual([]);
    });
  });
});

function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = [...color.matchAll(/[\d.]+/g)]
    .map(([value]) => Number(value) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [bright = 0, dark = 0] = [luminance(a), luminance(b)].sort((left, right) => right - left);
  return (bright + 0.05) / (dark + 0.05);
}
