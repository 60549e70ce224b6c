/**
 * `npm run pictures`: makes the pictures of the README and of docs/ from runs of the command line. Text becomes SVG, which needs
 * Node alone; pages are shown by Chromium. With --check it makes them in a folder of its own, and says which are stale.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Browser, chromium, type Page } from '../../test/browser';
import { readOptions } from '../read-options';
import { digestOf, FOLDER, outputOf, PAGE_PICTURES, type PagePicture, TERMINAL_PICTURES } from './pictures';
import { carriedDigest, withDigest } from './png';
import { commandOf, terminalSvg } from './svg';

const USAGE = 'usage: npm run pictures -- [--check]\n';

/** What is left around the parts of a picture. */
const MARGIN = 10;

/** Where the parts of a picture are, with a margin around them. */
function frameOf(parts: readonly string[]): string {
  return `(() => {
    const boxes = ${JSON.stringify(parts)}.map((part) => document.querySelector(part).getBoundingClientRect());
    const left = Math.max(0, Math.min(...boxes.map((box) => box.left)) + scrollX - ${MARGIN});
    const top = Math.max(0, Math.min(...boxes.map((box) => box.top)) + scrollY - ${MARGIN});
    const right = Math.max(...boxes.map((box) => box.right)) + scrollX + ${MARGIN};
    const bottom = Math.max(...boxes.map((box) => box.bottom)) + scrollY + ${MARGIN};
    return { x: left, y: top, width: Math.min(right, innerWidth) - left, height: bottom - top, scale: 1 };
  })()`;
}

async function photographed(page: Page, { parts }: PagePicture): Promise<Buffer> {
  // What a chosen moment moves has come to rest.
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
  const clip = await page.evaluate<{ readonly width: number; readonly height: number }>(frameOf(parts));
  if (clip.width < 100 || clip.height < 100) throw new Error(`there is nothing to see of ${parts.join(' and ')}`);
  const given = { format: 'png', captureBeyondViewport: true, clip };
  const { data } = await page.send<{ data: string }>('Page.captureScreenshot', given);
  return Buffer.from(data, 'base64');
}

async function makePages(folder: string): Promise<void> {
  const browser = await Browser.launch();
  const pages = mkdtempSync(join(tmpdir(), 'rollout-constructs-pictures-'));
  try {
    for (const picture of PAGE_PICTURES) {
      const file = join(pages, 'page.html');
      writeFileSync(file, outputOf(picture));
      const url = `${pathToFileURL(file).href}${picture.fragment}`;
      const page = await browser.open(url, { width: 1120, height: 900, colorScheme: picture.colorScheme });
      writeFileSync(join(folder, picture.name), withDigest(await photographed(page, picture), digestOf(picture)));
      await browser.closePages();
    }
  } finally {
    await browser.close();
    rmSync(pages, { recursive: true, force: true });
  }
}

async function make(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const picture of TERMINAL_PICTURES) {
    writeFileSync(join(folder, picture.name), terminalSvg(commandOf(picture.args), outputOf(picture)));
  }
  await makePages(folder);
}

/** Whether a picture shows what a new one would. Pixels are not compared: each release of a browser draws others. */
function isStale(name: string, made: string): boolean {
  const file = join(FOLDER, name);
  if (!existsSync(file)) return true;
  const [old, now] = [readFileSync(file), readFileSync(join(made, name))];
  return name.endsWith('.svg') ? !old.equals(now) : carriedDigest(old) !== carriedDigest(now);
}

async function run(): Promise<number> {
  const { values } = readOptions(USAGE, { options: { check: { type: 'boolean', default: false } } });
  if (chromium === undefined) {
    process.stderr.write('pictures of pages need Chromium: install it, as with apt-get install chromium\n');
    return 2;
  }
  if (!values.check) {
    const names = [...TERMINAL_PICTURES, ...PAGE_PICTURES].map(({ name }): string => name);
    await make(FOLDER);
    for (const name of readdirSync(FOLDER)) if (!names.includes(name)) rmSync(join(FOLDER, name));
    process.stdout.write(`${names.length} pictures in docs/images\n`);
    return 0;
  }
  const made = mkdtempSync(join(tmpdir(), 'rollout-constructs-pictures-'));
  try {
    await make(made);
    const stale = readdirSync(made).filter((name) => isStale(name, made));
    for (const name of stale) process.stderr.write(`docs/images/${name} is stale: run "npm run pictures"\n`);
    process.stdout.write(`${readdirSync(made).length - stale.length} pictures show what a run shows now\n`);
    return stale.length === 0 ? 0 : 1;
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

void run().then((code) => {
  process.exitCode = code;
});
