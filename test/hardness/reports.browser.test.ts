/** The pages of reports in a real browser, with every hostile text in every place. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Browser, chromium } from '../browser';
import { HOSTILE_REPORTS } from './hostile-reports';
import { HOSTILE, MARKUP } from './hostile-texts';

const WITHOUT = ' (skipped: no browser; apt-get install chromium)';

describe.skipIf(chromium === undefined)(`pages in a browser${chromium === undefined ? WITHOUT : ''}`, () => {
  let browser: Browser;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rollout-constructs-hostile-'));
    browser = await Browser.launch();
  }, 60_000);

  afterEach(() => browser.closePages());

  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(HOSTILE_REPORTS.filter(({ format }) => format === 'html'))(
    'of $name run, load and open nothing that a manifest holds',
    async ({ name, write }) => {
      const file = join(folder, `${name.replaceAll(' ', '-')}.html`);
      // All of them in one text, as a page of each would take minutes.
      writeFileSync(file, write(HOSTILE.join(' ')));
      const url = String(pathToFileURL(file));
      const page = await browser.open(url);
      await page.evaluate(
        `for (const type of ['mouseover', 'focus', 'load', 'error', 'click']) document.querySelectorAll('body *').forEach((each) => each.dispatchEvent(new Event(type)))`,
      );
      expect(await page.evaluate('window.attacked')).toBeUndefined();
      const foreign = `document.querySelectorAll('img, iframe, base, form, object, embed, input, a:not([href^="#"]), [onload], [onerror], [onmouseover], [onfocus], [autofocus], meta[http-equiv=refresh]').length`;
      expect(await page.evaluate(foreign)).toBe(0);
      expect(await page.evaluate('document.scripts.length')).toBeLessThanOrEqual(1);
      const text = await page.evaluate<string>('document.body.textContent');
      for (const markup of MARKUP) expect(text).toContain(markup);
      expect(page.events).toEqual({ console: [], requests: [url], dialogs: [] });
    },
  );
});
