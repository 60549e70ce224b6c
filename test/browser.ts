/**
 * A real browser for tests: Chromium without a window, driven over a pipe with the DevTools protocol, so that no package
 * and no port is needed.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** The browser that is installed; undefined when there is none. */
export const chromium: string | undefined = NAMES.find((name) => spawnSync(name, ['--version']).status === 0);

const FLAGS = [
  '--headless',
  // Within a container there is no sandbox to be had; the pages are our own, and they may load nothing.
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-extensions',
  '--no-first-run',
  '--no-default-browser-check',
  '--hide-scrollbars',
  '--remote-debugging-pipe',
];

/** A message of the protocol in either direction. */
interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
  readonly sessionId?: string;
}

/** What a page did that a reader of its text would not see. */
export interface PageEvents {
  /** Everything that the page wrote to the console, and the browser about the page. */
  readonly console: string[];
  /** Addresses that were asked for, the page's own first. */
  readonly requests: string[];
  /** Dialogs that were opened. */
  readonly dialogs: string[];
}

/** How a page is shown. */
export interface PageOptions {
  /**
   * @default 'light'
   */
  readonly colorScheme?: 'light' | 'dark';
  /**
   * @default true
   */
  readonly javaScript?: boolean;
  /**
   * @default 1280
   */
  readonly width?: number;
  /**
   * @default 900
   */
  readonly height?: number;
}

/** One browser; close it when the tests are done. */
export class Browser {
  static async launch(): Promise<Browser> {
    if (chromium === undefined) throw new Error(`no browser: install one of ${NAMES.join(', ')}`);
    const folder = mkdtempSync(join(tmpdir(), 'rollout-constructs-browser-'));
    const child = spawn(chromium, [...FLAGS, `--user-data-dir=${folder}`, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    });
    const browser = new Browser(child, folder);
    await browser.send('Browser.getVersion');
    return browser;
  }

  private readonly waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  private readonly listeners = new Map<string, (method: string, params: Record<string, unknown>) => void>();
  private readonly ended: Promise<void>;
  private readonly contexts: string[] = [];
  private lastId = 0;
  private text = '';

  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
  ) {
    (child.stdio[4] as Readable).setEncoding('utf8').on('data', (part: string) => this.receive(part));
    (child.stdio[3] as Writable).on('error', () => {});
    this.ended = new Promise((resolve) => child.once('exit', () => resolve()));
    const fail = (error: Error) => {
      for (const { reject } of this.waiting.values()) reject(error);
      this.waiting.clear();
    };
    child.once('error', fail);
    child.once('exit', (code) => fail(new Error(`the browser ended with ${code}`)));
  }

  /** Opens a page at an address, and waits until it is loaded. */
  async open(url: string, options: PageOptions = {}): Promise<Page> {
    const { browserContextId } = await this.send<{ browserContextId: string }>('Target.createBrowserContext');
    this.contexts.push(browserContextId);
    const { targetId } = await this.send<{ targetId: string }>('Target.createTarget', {
      url: 'about:blank',
      browserContextId,
    });
    const { sessionId } = await this.send<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true });
    const page = new Page(this, sessionId, targetId);
    this.listeners.set(sessionId, (method, params) => page.receive(method, params));
    await page.load(url, options);
    return page;
  }

  /** Closes all pages: what stays open costs time, though nobody looks at it. */
  async closePages(): Promise<void> {
    for (const browserContextId of this.contexts.splice(0))
      await this.send('Target.disposeBrowserContext', { browserContextId });
  }

  /** Calls a method of the protocol. */
  send<T>(method: string, params: Record<string, unknown> = {}, sessionId?: string): Promise<T> {
    const id = ++this.lastId;
    return new Promise<T>((resolve, reject) => {
      this.waiting.set(id, { resolve: (result) => resolve(result as T), reject });
      (this.child.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  /** Ends the browser and removes what it wrote. */
  async close(): Promise<void> {
    await this.send('Browser.close').catch(() => {});
    await this.ended;
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  private receive(part: string): void {
    const messages = (this.text + part).split('\0');
    this.text = messages.pop()!;
    for (const text of messages) this.handle(JSON.parse(text));
  }

  private handle({ id, method, params = {}, result, error, sessionId }: Message): void {
    if (id === undefined) {
      if (method !== undefined && sessionId !== undefined) this.listeners.get(sessionId)?.(method, params);
      return;
    }
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(error.message));
  }
}

/** A page in a context of its own, without cookies or a cache of another page. */
export class Page {
  readonly events: PageEvents = { console: [], requests: [], dialogs: [] };
  private loaded: () => void = () => {};

  constructor(
    private readonly browser: Browser,
    private readonly sessionId: string,
    private readonly targetId: string,
  ) {}

  async load(url: string, options: PageOptions): Promise<void> {
    const { colorScheme = 'light', javaScript = true, width = 1280, height = 900 } = options;
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await this.send(`${domain}.enable`);
    await this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
    await this.send('Emulation.setEmulatedMedia', {
      features: [
        { name: 'prefers-color-scheme', value: colorScheme },
        { name: 'prefers-reduced-motion', value: 'reduce' },
      ],
    });
    if (!javaScript) await this.send('Emulation.setScriptExecutionDisabled', { value: true });
    const done = new Promise<void>((resolve) => {
      this.loaded = resolve;
    });
    await this.send('Page.navigate', { url });
    await done;
  }

  send<T>(method: string, params: Record<string, unknown> = {}): Promise<T> {
    return this.browser.send<T>(method, params, this.sessionId);
  }

  /** The value of an expression within the page. */
  async evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.send<{
      result: { value: T };
      exceptionDetails?: { text: string; exception?: { description?: string } };
    }>('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Presses a key, as a person at the keyboard does. */
  async press(key: string): Promise<void> {
    const text = key === 'Enter' ? '\r' : key.length === 1 ? key : undefined;
    const common = { key, code: key, windowsVirtualKeyCode: KEYS[key] ?? 0 };
    await this.send('Input.dispatchKeyEvent', { type: text === undefined ? 'rawKeyDown' : 'keyDown', ...common, text });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...common });
  }

  /** What a screen reader is told, as a list of roles and names. */
  async accessibilityTree(): Promise<AccessibleNode[]> {
    const { nodes } = await this.send<{ nodes: RawNode[] }>('Accessibility.getFullAXTree');
    // Else the browser would bring the tree up to date at every change of the page.
    await this.send('Accessibility.disable');
    // Else the browser would keep the tree up to date at every change of the page.
    await this.send('Accessibility.disable');
    return nodes
      .filter(({ ignored }) => !ignored)
      .map(({ role, name, properties = [] }) => ({
        role: role?.value ?? '',
        name: name?.value ?? '',
        properties: Object.fromEntries(properties.map((property) => [property.name, property.value.value])),
      }));
  }

  /** A picture in PNG, of the whole page or of one element. */
  async screenshot(selector?: string): Promise<Buffer> {
    const clip =
      selector === undefined
        ? undefined
        : await this.evaluate<object>(
            `(({ x, y, width, height }) => ({ x: x + scrollX, y: y + scrollY, width, height, scale: 1 }))(document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect())`,
          );
    const { data } = await this.send<{ data: string }>('Page.captureScreenshot', {
      format: 'png',
      captureBeyondViewport: true,
      ...(clip ? { clip } : {}),
    });
    return Buffer.from(data, 'base64');
  }

  async close(): Promise<void> {
    await this.browser.send('Target.closeTarget', { targetId: this.targetId });
  }

  receive(method: string, params: Record<string, unknown>): void {
    switch (method) {
      case 'Page.loadEventFired':
        this.loaded();
        break;
      case 'Network.requestWillBeSent':
        this.events.requests.push((params.request as { url: string }).url);
        break;
      case 'Runtime.consoleAPICalled':
        this.events.console.push((params.args as { value?: unknown }[]).map(({ value }) => String(value)).join(' '));
        break;
      case 'Runtime.exceptionThrown':
        this.events.console.push((params.exceptionDetails as { text: string }).text);
        break;
      case 'Log.entryAdded':
        this.events.console.push((params.entry as { text: string }).text);
        break;
      case 'Page.javascriptDialogOpening':
        this.events.dialogs.push(String(params.message));
        void this.send('Page.handleJavaScriptDialog', { accept: false });
        break;
    }
  }
}

/** A node of the accessibility tree. */
export interface AccessibleNode {
  readonly role: string;
  readonly name: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

interface RawNode {
  readonly ignored?: boolean;
  readonly role?: { readonly value: string };
  readonly name?: { readonly value: string };
  readonly properties?: readonly { readonly name: string; readonly value: { readonly value?: unknown } }[];
}

const KEYS: Readonly<Record<string, number>> = {
  Tab: 9,
  Enter: 13,
  End: 35,
  Home: 36,
  ArrowLeft: 37,
  ArrowUp: 38,
  ArrowRight: 39,
  ArrowDown: 40,
};
