/** The preview of environments as a page, in a real browser. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { checkEnvironments } from '../../../src/check';
import { parseManifests, World } from '../../../src/core';
import { previewEnvironments } from '../../../src/ktenv/preview';
import { environmentPreviewHtml } from '../../../src/report/environment-preview-html';
import { Browser, chromium, type PageOptions } from '../../browser';

const ATTACK = `"><img src=x onerror="window.attacked=1"><script>window.attacked=1</script>`;

/** One Service with all environments, one without the default: exact, parent, default and 503 are all there. */
const APP = [
  '{ apiVersion: env.alibaba.com/v1alpha2, kind: VirtualEnvironment, metadata: { name: shop, namespace: shop }, spec: { envLabel: { defaultSubset: dev } } }',
  ...['web', 'cart'].map(
    (name) =>
      `{ apiVersion: v1, kind: Service, metadata: { name: ${name}, namespace: shop }, spec: { selector: { app: ${name} }, ports: [{ name: http, port: 80 }] } }`,
  ),
  ...['web/dev', 'web/dev.a', 'cart/dev.a', 'cart/dev.a.b'].map((text) => {
    const [app, environment] = text.split('/') as [string, string];
    return `{ apiVersion: apps/v1, kind: Deployment, metadata: { name: ${app}-${environment.replaceAll('.', '-')}, namespace: shop }, spec: { template: { metadata: { labels: { app: ${app}, virtual-env: ${environment} } } } } }`;
  }),
].join('\n---\n');

function pageOf(text: string, environments: readonly string[] = []): string {
  const world = World.of(parseManifests(text, 'app.yaml').manifests);
  const { findings } = checkEnvironments(world, { environments });
  return environmentPreviewHtml(previewEnvironments(world, { environments }), findings);
}

/** The least contrast of a text to its ground, and how many texts there are. */
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
    if (walker.currentNode.data.trim() === '') continue;
    const element = walker.currentNode.parentElement;
    const [bright, dark] = [luminance(getComputedStyle(element).color), luminance(groundOf(element))].sort((a, b) => b - a);
    contrasts.push((bright + 0.05) / (dark + 0.05));
  }
  return { least: Math.min(...contrasts), count: contrasts.length };
})()`;

const WITHOUT = ' (skipped: no browser; apt-get install chromium)';

describe.skipIf(chromium === undefined)(`the preview in a browser${chromium === undefined ? WITHOUT : ''}`, () => {
  let browser: Browser;
  let folder: string;
  let files = 0;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rollout-constructs-preview-'));
    browser = await Browser.launch();
  }, 60_000);

  afterEach(() => browser.closePages());

  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function show(html: string, options: PageOptions = {}) {
    const file = join(folder, `${files++}.html`);
    writeFileSync(file, html);
    const url = String(pathToFileURL(file));
    return { page: await browser.open(url, options), url };
  }

  it('loads nothing else, and runs no content of a manifest', async () => {
    const attacked = APP.replace('defaultSubset: dev', `defaultSubset: '${ATTACK}'`);
    const { page, url } = await show(pageOf(attacked, [ATTACK]));
    await page.evaluate(
      `for (const type of ['mouseover', 'focus', 'load', 'error']) document.querySelectorAll('*').forEach((each) => each.dispatchEvent(new Event(type)))`,
    );
    expect(await page.evaluate('window.attacked')).toBeUndefined();
    expect(await page.evaluate(`document.querySelectorAll('script, img, iframe, a, form').length`)).toBe(0);
    expect(await page.evaluate('document.body.textContent')).toContain('<script>window.attacked=1</script>');
    expect(page.events).toEqual({ console: [], requests: [url], dialogs: [] });
  });

  it('has text for every colour', async () => {
    const { page } = await show(pageOf(APP));
    const cells = `[...document.querySelectorAll('td')].map((each) => [each.className, each.querySelector('b').textContent])`;
    const shown = await page.evaluate<[string, string][]>(cells);
    expect([...new Set(shown.map(([reason]) => reason))].sort()).toEqual(['default', 'error', 'exact', 'parent']);
    for (const [reason, text] of shown) expect(text).toContain(reason === 'error' ? '503' : `(${reason})`);
    expect(await page.evaluate(`document.querySelectorAll('td small:empty').length`)).toBe(0);
  });

  it.each(['light', 'dark'] as const)('can be read in %s', async (colorScheme) => {
    const { page } = await show(pageOf(APP), { colorScheme });
    const { least, count } = await page.evaluate<{ least: number; count: number }>(LEAST_CONTRAST);
    expect(count).toBeGreaterThan(30);
    expect(least).toBeGreaterThanOrEqual(4.5);
    // Each scheme has its own ground.
    const ground = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    expect(ground).toBe(colorScheme === 'light' ? 'rgb(244, 246, 248)' : 'rgb(15, 20, 25)');
  });

  it('is a table for a screen reader, under headings', async () => {
    const { page } = await show(pageOf(APP));
    const tree = await page.accessibilityTree();
    const named = (role: string) => tree.filter((node) => node.role === role).map(({ name }) => name);
    expect(named('heading')).toEqual(['Virtual environments', 'Namespace shop', 'Findings']);
    expect(named('table')).toEqual(['Columns: the value of X-Virtual-Env. Rows: the ports of Services.']);
    expect(named('columnheader')).toEqual(['Service', 'no header', 'dev', 'dev.a', 'dev.a.b']);
    expect(named('rowheader')).toEqual(['cart:80', 'web:80']);
    expect(named('list')).toContain('What the reasons mean');
    expect(await page.evaluate('document.documentElement.lang')).toBe('en');
  });

  it('lets the keyboard scroll a wide table, and does not scroll as a whole', async () => {
    const environments = Array.from({ length: 12 }, (_, index) => `dev.${'long'.repeat(10)}${index}`);
    const { page } = await show(pageOf(APP, environments), { width: 400 });
    expect(await page.evaluate<number>('document.scrollingElement.scrollWidth')).toBeLessThanOrEqual(400);
    await page.press('Tab');
    expect(await page.evaluate('document.activeElement.className')).toBe('scroll');
    expect(await page.evaluate('document.activeElement.scrollWidth > document.activeElement.clientWidth')).toBe(true);
  });

  it('shows everything without JavaScript, with the findings below', async () => {
    const { page } = await show(pageOf(APP), { javaScript: false });
    const texts = (await page.accessibilityTree()).map(({ name }) => name);
    expect(texts).toContain('web-dev-a (parent)');
    expect(texts.some((text) => text.includes('"cart" has no workload of the default environment "dev"'))).toBe(true);
  });
});

describe('the preview as a page', () => {
  it('has no section for findings if there are none', () => {
    expect(environmentPreviewHtml([])).not.toContain('Findings');
    expect(pageOf(APP)).toContain('<h2 id="findings">Findings</h2>');
  });

  it('reports a namespace without routed Services', () => {
    expect(pageOf(APP.split('\n---\n')[0]!)).toContain('No Service has workloads of an environment.');
  });
});
