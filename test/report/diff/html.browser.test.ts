/** A difference as a page, in a real browser. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { checkStack, rehearseOptions } from '../../../src/check';
import { Manifest, World } from '../../../src/core';
import { type CheckedSide, compareStacks } from '../../../src/diff';
import { diffReporters } from '../../../src/report/diff';
import { Browser, chromium, type PageOptions } from '../../browser';
import { objectsOf, path, type StackOptions } from '../../rehearsal/stack';

const NGINX: StackOptions = {
  ingressClassName: 'nginx',
  annotations: {},
  port: { number: 80 },
  route: { ingress: { name: 'web', classType: 'nginx' } },
};
const share = (percent: number) => ({ traffic: `${percent}%`, replicas: `${percent}%` });

function sideOf(name: string, options: StackOptions): CheckedSide {
  const world = World.of(objectsOf({ ...NGINX, ...options }).map((object) => Manifest.of(object)));
  return { name, world, ...checkStack(world), options: rehearseOptions(world, {}) };
}

const WITHOUT = ' (skipped: no browser; apt-get install chromium)';

/** The least contrast of a text that is shown to its ground. */
const LEAST_CONTRAST = `(() => {
  const channels = (color) => color.match(/[\\d.]+/g).map(Number);
  const luminance = (color) => {
    const [r, g, b] = channels(color).map((value) => value / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const groundOf = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor;
      if (channels(color)[3] !== 0) return color;
    }
    return 'rgb(255, 255, 255)';
  };
  const contrasts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (walker.currentNode.data.trim() === '' || !element.checkVisibility()) continue;
    const [bright, dark] = [luminance(getComputedStyle(element).color), luminance(groundOf(element))].sort((a, b) => b - a);
    contrasts.push((bright + 0.05) / (dark + 0.05));
  }
  return { least: Math.min(...contrasts), count: contrasts.length };
})()`;

describe.skipIf(chromium === undefined)(`a difference in a browser${chromium === undefined ? WITHOUT : ''}`, () => {
  let browser: Browser;
  let folder: string;
  let url: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rollout-constructs-diff-'));
    const header = { replicas: 1, matches: [{ headers: [{ type: 'Exact', name: 'x-user', value: 'alice' }] }] };
    const base = sideOf('main', { steps: [share(20), share(100)] });
    const head = sideOf('change', {
      steps: [header, share(30), { replicas: '50%' }, share(100)],
      paths: [path('/', 'web'), path('/admin', 'web')],
    });
    const file = join(folder, 'diff.html');
    writeFileSync(file, diffReporters.html(compareStacks(base, head), { color: false, ascii: false }));
    url = String(pathToFileURL(file));
    browser = await Browser.launch();
  }, 60_000);

  afterEach(() => browser.closePages());

  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const show = (options: PageOptions = {}) => browser.open(url, options);

  it('shows both sides of each cell that differs, and loads nothing', async () => {
    const page = await show({ javaScript: false });
    expect(page.events).toEqual({ console: [], requests: [url], dialogs: [] });
    const cells = await (await show()).evaluate<string[]>(
      `[...document.querySelectorAll('td.differs')].map((each) => each.textContent)`,
    );
    expect(cells.length).toBeGreaterThan(0);
    for (const text of cells) expect(text).toMatch(/before.*after/);
  });

  it.each([
    [390, 'light'],
    [390, 'dark'],
    [1440, 'light'],
    [1440, 'dark'],
  ] as const)('can be read at %i pixels in %s, and does not scroll sideways as a whole', async (width, colorScheme) => {
    const page = await show({ width, colorScheme });
    await page.evaluate(`document.querySelectorAll('details').forEach((each) => { each.open = true; })`);
    expect(await page.evaluate<number>('document.scrollingElement.scrollWidth')).toBeLessThanOrEqual(width);
    const { least, count } = await page.evaluate<{ least: number; count: number }>(LEAST_CONTRAST);
    expect(count).toBeGreaterThan(50);
    expect(least).toBeGreaterThanOrEqual(4.5);
  });

  it('puts the lines of YAML side by side where there is room, and below each other on a phone', async () => {
    const tops = `(() => {
      document.querySelector('details').open = true;
      const row = [...document.querySelectorAll('.yaml tr')].find((each) => each.querySelector('.removed') && each.querySelector('.added'));
      return [...row.cells].map((each) => Math.round(each.getBoundingClientRect().top));
    })()`;
    const [left, right] = await (await show({ width: 1440 })).evaluate<number[]>(tops);
    expect(left).toBe(right);
    const [above, below] = await (await show({ width: 390 })).evaluate<number[]>(tops);
    expect(above).toBeLessThan(below!);
  });

  it('has headings, a named table, and links that lead somewhere', async () => {
    const page = await show();
    const tree = await page.accessibilityTree();
    const named = (role: string) => tree.filter((node) => node.role === role).map(({ name }) => name);
    expect(named('heading').slice(0, 3)).toEqual([
      'What this change does to releases',
      'When it is merged',
      'Rollout shop/web',
    ]);
    expect(named('table')[0]).toContain('before on the left');
    const dead = `[...document.querySelectorAll('a[href^="#"]')].filter((each) => !document.getElementById(each.hash.slice(1))).length`;
    expect(await page.evaluate(dead)).toBe(0);
  });
});
