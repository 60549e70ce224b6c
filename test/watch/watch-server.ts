/** A server that is watched as an API server is: events, bookmarks, places that expire, connections that break, restarts. */
import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';
import { parseManifests } from '../../src/core';
import { READ_KINDS } from '../../src/doctor';
import { type Answer, apiAnswers, forbidden, status } from '../cli/api-answers';
import { kubeconfigFor, serverCertificate } from '../cli/api-server';

interface StoredEvent {
  readonly version: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** `/apis/apps/v1/namespaces/shop/deployments` */
  readonly path: string;
  readonly name: string;
  readonly object: object;
}

interface Open {
  readonly path: string;
  readonly name: string | undefined;
  readonly response: ServerResponse;
}

const running: WatchServer[] = [];
afterAll(() => Promise.all(running.map((server) => server.stop())));

/** What a server refuses, by the plural of a kind. */
export interface WatchServerOptions {
  readonly objects: string;
  readonly kinds?: readonly string[];
  /** Plurals that may not be read. */
  readonly refused?: readonly string[];
}

/** One server, with all that was asked of it. */
export class WatchServer {
  readonly asked: string[] = [];
  private server: Server | undefined;
  private port = 0;
  private version = 100;
  /** Watches from before this version get 410. */
  private oldest = 0;
  private readonly log: StoredEvent[] = [];
  private readonly open = new Set<Open>();
  private stored = new Map<
    string,
    { readonly path: string; readonly name: string; readonly object: object; readonly text: string }
  >();
  private answers: (url: URL) => Answer = () => status(404, 'NotFound', 'not yet');

  constructor(private readonly options: WatchServerOptions) {
    this.set(options.objects);
  }

  static async start(options: WatchServerOptions): Promise<WatchServer> {
    const server = new WatchServer(options);
    running.push(server);
    await server.listen();
    return server;
  }

  get kubeconfig(): string {
    return kubeconfigFor(`https://127.0.0.1:${this.port}`);
  }

  /** The number of watches that are open. */
  get watches(): number {
    return this.open.size;
  }

  /** Gives the cluster other objects; whoever watches hears of each that differs. */
  set(objects: string): void {
    const next: typeof this.stored = new Map();
    for (const { object } of parseManifests(objects, 'objects.yaml').manifests) {
      const { path, name } = placeOf(object);
      next.set(`${path}/${name}`, { path, name, object, text: JSON.stringify(object) });
    }
    for (const [key, one] of next) {
      const known = this.stored.get(key);
      if (known?.text !== one.text) this.tell(known === undefined ? 'ADDED' : 'MODIFIED', one);
    }
    for (const [key, one] of this.stored) if (!next.has(key)) this.tell('DELETED', one);
    this.stored = next;
    const { kinds } = this.options;
    this.answers = apiAnswers({ objects, resourceVersion: String(this.version), ...(kinds && { kinds }) });
  }

  /** Sends a bookmark to every watch. */
  bookmark(): void {
    this.version++;
    const object = { kind: 'Bookmark', metadata: { resourceVersion: String(this.version) } };
    for (const { response } of this.open) send(response, { type: 'BOOKMARK', object });
  }

  /** Forgets all events, as a compaction does. */
  compact(): void {
    this.log.length = 0;
    this.oldest = ++this.version;
  }

  /** Breaks all connections. */
  drop(): void {
    this.open.clear();
    this.server?.closeAllConnections();
  }

  /** Sends the same line to every watch. */
  sendRaw(line: string): void {
    for (const { response } of this.open) response.write(line);
  }

  async stop(): Promise<void> {
    const { server } = this;
    if (server === undefined) return;
    this.server = undefined;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    this.drop();
    server.closeAllConnections();
    await closed;
  }

  /** Listens, after a stop on the same port. */
  async listen(): Promise<void> {
    const { key, certificate } = serverCertificate;
    const server = createServer({ key, cert: certificate }, (request, response) => {
      const url = new URL(request.url!, 'https://localhost');
      this.asked.push(request.url!);
      const plural = url.pathname.split('/').at(-1)!;
      if (this.options.refused?.includes(plural)) return answer(response, forbidden(plural));
      if (url.searchParams.get('watch') === 'true') return this.watch(url, response);
      answer(response, this.answers(url));
    });
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.port = (server.address() as AddressInfo).port;
    this.server = server;
  }

  private watch(url: URL, response: ServerResponse): void {
    const from = Number(url.searchParams.get('resourceVersion'));
    const name = /^metadata\.name=(.*)$/.exec(url.searchParams.get('fieldSelector') ?? '')?.[1];
    response.writeHead(200, { 'content-type': 'application/json' });
    if (from < this.oldest) {
      const object = status(410, 'Expired', `too old resource version: ${from} (${this.oldest})`).body as object;
      send(response, { type: 'ERROR', object });
      response.end();
      return;
    }
    response.flushHeaders();
    const watch: Open = { path: url.pathname, name, response };
    for (const event of this.log) if (event.version > from) this.deliver(event, watch);
    this.open.add(watch);
    response.on('close', () => this.open.delete(watch));
  }

  private tell(
    type: StoredEvent['type'],
    { path, name, object }: { path: string; name: string; object: object },
  ): void {
    const version = ++this.version;
    const metadata = { ...(object as { metadata: object }).metadata, resourceVersion: String(version) };
    const event = { version, type, path, name, object: { ...object, metadata } };
    this.log.push(event);
    for (const watch of this.open) this.deliver(event, watch);
  }

  private deliver({ type, path, name, object }: StoredEvent, watch: Open): void {
    if (watch.path === path && (watch.name === undefined || watch.name === name))
      send(watch.response, { type, object });
  }
}

function send(response: ServerResponse, event: object): void {
  response.write(`${JSON.stringify(event)}\n`);
}

function answer(response: ServerResponse, { status: code, body, headers }: Answer): void {
  response.writeHead(code, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** The collection of an object. */
function placeOf(object: object): { readonly path: string; readonly name: string } {
  const { apiVersion, kind, metadata } = object as {
    apiVersion: string;
    kind: string;
    metadata: { name: string; namespace?: string };
  };
  const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
  const read = READ_KINDS.find((one) => one.kind === kind && one.group === group);
  const root = group === '' ? `/api/${apiVersion}` : `/apis/${apiVersion}`;
  const within = read?.clusterScoped ? '' : `/namespaces/${metadata.namespace ?? 'default'}`;
  return { path: `${root}${within}/${read?.plural ?? `${kind.toLowerCase()}s`}`, name: metadata.name };
}
