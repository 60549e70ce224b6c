/** The API server as the stage talks to it: any kind, by the paths of its discovery. */
import { readFileSync } from 'node:fs';
import { Agent, type RequestOptions, request } from 'node:https';
import type { Certificates } from './certificates';

/** A Kubernetes object as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: objects of any kind, read by the driver and never by the library
export type KubernetesObject = Record<string, any>;

/** A change that a watch reports. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: KubernetesObject;
}

/** One of the fields for which the API server refuses an object. */
export interface Cause {
  readonly reason: string;
  readonly message: string;
  readonly field: string;
}

/** What the API server answers to a request that it refuses. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly reason: string,
    message: string,
    readonly causes: readonly Cause[] = [],
  ) {
    super(message);
  }
}

interface Resource {
  readonly path: string;
  readonly namespaced: boolean;
}

export const SERVER = { host: '127.0.0.1', port: 6443 };

export class Api {
  private readonly resources = new Map<string, Resource>();

  private constructor(private readonly options: RequestOptions) {}

  /** With all rights. */
  static asAdmin({ authority, admin }: Certificates): Api {
    const agent = new Agent({
      keepAlive: true,
      maxSockets: 64,
      ca: readFileSync(authority),
      cert: readFileSync(admin.certificate),
      key: readFileSync(admin.key),
    });
    return new Api({ ...SERVER, agent });
  }

  async get(path: string): Promise<KubernetesObject> {
    return this.send('GET', path);
  }

  async post(path: string, body: KubernetesObject): Promise<KubernetesObject> {
    return this.send('POST', path, body);
  }

  async delete(path: string): Promise<KubernetesObject> {
    return this.send('DELETE', path);
  }

  /** A JSON merge patch. */
  async patch(path: string, body: KubernetesObject): Promise<KubernetesObject> {
    return this.send('PATCH', path, body, 'application/merge-patch+json');
  }

  /** Writes an object over the one that is there. */
  async put(path: string, body: KubernetesObject): Promise<KubernetesObject> {
    return this.send('PUT', path, body);
  }

  /** Server-side apply with strict validation of fields, as `kubectl apply --server-side`. */
  async apply(object: KubernetesObject, more = ''): Promise<KubernetesObject> {
    const query = `?fieldManager=stage&force=true&fieldValidation=Strict${more}`;
    return this.send('PATCH', `${await this.pathOf(object)}${query}`, object, 'application/apply-patch+yaml');
  }

  /** The path of an object. */
  async pathOf(object: KubernetesObject): Promise<string> {
    const { name, namespace = 'default' } = object.metadata;
    return `${await this.collection(object.apiVersion, object.kind, namespace)}/${encodeURIComponent(name)}`;
  }

  /** The path of all objects of a kind: in a namespace, or in the cluster when none is named. */
  async collection(apiVersion: string, kind: string, namespace?: string): Promise<string> {
    const { path, namespaced } = await this.resource(apiVersion, kind);
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    return namespaced && namespace !== undefined ? `${root}/namespaces/${namespace}/${path}` : `${root}/${path}`;
  }

  /** True when the API server serves a kind. */
  async serves(apiVersion: string, kind: string): Promise<boolean> {
    return this.resource(apiVersion, kind).then(
      () => true,
      () => false,
    );
  }

  private async resource(apiVersion: string, kind: string): Promise<Resource> {
    const key = `${apiVersion} ${kind}`;
    const known = this.resources.get(key);
    if (known !== undefined) return known;
    const { resources } = await this.get(
      encodeURI(apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`),
    );
    for (const each of resources) {
      if (each.name.includes('/')) continue;
      this.resources.set(`${apiVersion} ${each.kind}`, { path: each.name, namespaced: each.namespaced });
    }
    const found = this.resources.get(key);
    if (found === undefined)
      throw new ApiError(404, 'NotFound', `the API server does not serve ${kind} of ${apiVersion}`);
    return found;
  }

  /** All changes of a collection from a list on, until `stop` is called. Reconnects where the last event was. */
  watch(path: string, resourceVersion: string, report: (event: WatchEvent) => void): { stop(): void } {
    let stopped = false;
    let last = resourceVersion;
    let current: ReturnType<typeof request> | undefined;
    const connect = () => {
      if (stopped) return;
      const query = `?watch=1&allowWatchBookmarks=true&resourceVersion=${last}`;
      current = request({ ...this.options, method: 'GET', path: `${path}${query}` }, (response) => {
        let rest = '';
        response.setEncoding('utf8');
        response.on('data', (text: string) => {
          const lines = (rest + text).split('\n');
          rest = lines.pop() ?? '';
          for (const line of lines) {
            const event = JSON.parse(line) as WatchEvent;
            // A server that ends answers with a status that is no event.
            if (event.type === 'ERROR' || event.object === undefined) continue;
            last = event.object.metadata.resourceVersion;
            report(event);
          }
        });
        response.on('close', connect);
      });
      current.on('error', () => setTimeout(connect, 100));
      current.end();
    };
    connect();
    return {
      stop() {
        stopped = true;
        current?.destroy();
      },
    };
  }

  private send(
    method: string,
    path: string,
    body?: KubernetesObject,
    type = 'application/json',
  ): Promise<KubernetesObject> {
    return new Promise((resolve, reject) => {
      const headers = body === undefined ? {} : { 'content-type': type };
      const sent = request({ ...this.options, method, path, headers }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(parts).toString();
          const isJson = response.headers['content-type']?.includes('json');
          const answer = isJson ? JSON.parse(text) : { message: text };
          const status = response.statusCode ?? 0;
          if (status < 300) resolve(answer);
          else reject(new ApiError(status, answer.reason ?? '', answer.message ?? text, answer.details?.causes));
        });
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}
