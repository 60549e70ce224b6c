/** The way to an API server: the official client reads the kubeconfig and brings credentials; only GET is ever asked. */
import { existsSync } from 'node:fs';
import { request as plainRequest } from 'node:http';
import { type RequestOptions, request as tlsRequest } from 'node:https';
import { delimiter, join } from 'node:path';
import { didYouMean } from '../../core/did-you-mean';
import type { JsonObject } from '../../core/json';
import { packageVersion } from '../../files/package';
import { toAbsolute } from '../../files/paths';
import { UserError } from '../../settings/user-error';
import type { Io } from '../io';
import { ApiError, messageOf, parsed, problemOf } from './api-error';
import { type StreamOptions, streamLines } from './stream';

export { ApiError } from './api-error';

type Client = typeof import('@kubernetes/client-node');
type KubeConfig = InstanceType<Client['KubeConfig']>;

const DUMPS =
  'or look at a dump, which needs no client: rollout-constructs doctor dump.yaml (--dump-command prints how to make one)';

/** The server closed a connection that was to be used again, before it saw the request. */
class ClosedInBetween extends ApiError {}

/** An API server that can be asked. */
export interface Connection {
  /** `https://10.0.0.1:6443 (context "prod")` */
  readonly from: string;
  /** The JSON of a GET; what is no success is an `ApiError`. */
  get(path: string): Promise<JsonObject>;
  close(): void;
}

/** An API server that is asked again and again. */
export interface LongConnection extends Connection {
  /** The lines of a GET whose answer goes on, until the server ends it; what goes wrong is an `ApiError`. */
  lines(path: string, options: Omit<StreamOptions, 'timeoutSeconds'>): Promise<void>;
  /** Reads the credentials again, which may have changed or expired. */
  refresh(): Promise<void>;
}

/** Which cluster is asked, and how long it may take. */
export interface ConnectOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  /** For each answer. */
  readonly timeoutSeconds: number;
  /**
   * Whether it is asked again and again: the limits on all answers together hold for each such time anew.
   * @default false
   */
  readonly isLong?: boolean;
}

/** Loads the client; where it is not installed, says how to get on. */
export async function loadClient(
  load: () => Promise<Client> = () => import('@kubernetes/client-node'),
): Promise<Client> {
  try {
    return await load();
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (!['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND'].includes(code)) throw error;
    if (!message.includes('@kubernetes/')) throw error;
    throw new UserError(
      'a cluster is asked through the package @kubernetes/client-node, which is not installed',
      `npm install --save-dev @kubernetes/client-node\n  ${DUMPS}`,
    );
  }
}

/** Reads the kubeconfig and makes a connection; the API server is not asked yet. */
export async function connect(client: Client, options: ConnectOptions, io: Io): Promise<LongConnection> {
  const config = configOf(client, options, io);
  const context: string | undefined = config.getCurrentContext();
  if (!context) {
    const names = config.getContexts().map(({ name }) => name);
    const named = names.length === 0 ? 'it has no contexts at all' : `name one with --context: ${names.join(', ')}`;
    throw new UserError(
      `the kubeconfig${options.kubeconfig ? ` "${options.kubeconfig}"` : ''} has no current context`,
      named,
    );
  }
  const cluster = config.getCurrentCluster();
  if (!cluster) {
    throw new UserError(`the context "${context}" names no cluster`, 'name another one with --context');
  }
  const server = withoutCredentials(cluster.server);
  let base: URL;
  try {
    base = new URL(cluster.server);
  } catch {
    throw new UserError(`"${server}" of the context "${context}" is no URL of an API server`);
  }
  const withCredentials = async (): Promise<RequestOptions> => {
    const secured = { headers: { accept: 'application/json', 'user-agent': agentName() } };
    try {
      await config.applyToHTTPSOptions(secured);
      keepConnections(secured, options);
      return secured;
    } catch (error) {
      throw new UserError(
        `no credentials for the context "${context}": ${(error as Error).message.trim()}`,
        'log in as for kubectl, and try kubectl get namespaces',
      );
    }
  };
  let secured = await withCredentials();
  const close = ({ agent }: RequestOptions) => (typeof agent === 'object' ? agent.destroy() : undefined);
  const { timeoutSeconds, isLong = false } = options;
  let spending = new Spending(timeoutSeconds * ANSWERS_OF_ALL);
  const current = () => {
    if (isLong && spending.isOver) spending = new Spending(timeoutSeconds * ANSWERS_OF_ALL);
    return spending;
  };
  return {
    from: `${server} (context "${context}")`,
    get: (path) => {
      const once = () => get(base, path, secured, timeoutSeconds, current());
      return once().catch((error) => (error instanceof ClosedInBetween ? once() : Promise.reject(error)));
    },
    lines: (path, how) => streamLines(urlOf(base, path), secured, { ...how, timeoutSeconds }),
    async refresh() {
      const old = secured;
      secured = await withCredentials();
      close(old);
    },
    close: () => close(secured),
  };
}

/** Connections that are open at a time; each is used for many requests, since a new one costs more than an answer. */
export const CONNECTIONS = 10;

/** The client makes its agent without these options. A watch holds a connection for each kind, as long as it lasts. */
function keepConnections({ agent }: RequestOptions, { isLong = false }: ConnectOptions): void {
  if (typeof agent !== 'object' || isLong) return;
  Object.assign(agent, { keepAlive: true, maxSockets: CONNECTIONS, maxFreeSockets: CONNECTIONS });
}

function urlOf(base: URL, path: string): URL {
  return new URL(`${base.pathname.replace(/\/$/, '')}${path}`, base);
}

/** A URL may hold a name and a password, which no report shows. */
function withoutCredentials(url: string): string {
  return url.replace(/\/\/[^/?#]*@/, '//');
}

const MIB = 1024 * 1024;

/** What a server may send: far more than a large cluster has, and far less than what exhausts memory. */
const MAX_ANSWER = 64 * MIB;
const MAX_ALL = 512 * MIB;

/** All answers together may take so many times as long as one. */
const ANSWERS_OF_ALL = 10;

/** What one connection has taken so far, over all answers. */
class Spending {
  private bytes = 0;
  private readonly end: number;

  constructor(private readonly seconds: number) {
    this.end = performance.now() + seconds * 1000;
  }

  /** Whether the time is over for which its limits hold. */
  get isOver(): boolean {
    return performance.now() >= this.end;
  }

  /** The time that is left for an answer. */
  secondsLeft(): number {
    const left = (this.end - performance.now()) / 1000;
    if (left <= 0) throw new ApiError(0, `all answers together took more than ${this.seconds} s`);
    return left;
  }

  /** Counts a part of an answer; says which limit it exceeds. */
  add(bytes: number, ofAnswer: number): ApiError | undefined {
    this.bytes += bytes;
    if (ofAnswer > MAX_ANSWER) return new ApiError(0, `the answer has more than ${MAX_ANSWER / MIB} MiB`);
    if (this.bytes > MAX_ALL) return new ApiError(0, `all answers together have more than ${MAX_ALL / MIB} MiB`);
    return undefined;
  }
}

function agentName(): string {
  return `rollout-constructs/${packageVersion()}`;
}

/** By option, else the variable, else the usual file, else what a pod has. */
function configOf({ KubeConfig: Config }: Client, { kubeconfig, context }: ConnectOptions, io: Io): KubeConfig {
  const { HOME, USERPROFILE, KUBECONFIG, KUBERNETES_SERVICE_HOST } = io.env;
  const usual = join(HOME ?? USERPROFILE ?? '', '.kube', 'config');
  const named = kubeconfig === undefined ? (KUBECONFIG ?? '').split(delimiter) : [kubeconfig];
  const files = named.filter((file) => file !== '');
  const config = new Config();
  if (files.length > 0) load(config, files, Config, io);
  else if (existsSync(usual)) load(config, [usual], Config, io);
  else if (KUBERNETES_SERVICE_HOST) config.loadFromCluster();
  else throw new UserError('there is no kubeconfig, so no cluster is known', `name one with --kubeconfig, ${DUMPS}`);
  if (context !== undefined) choose(config, context);
  return config;
}

function load(config: KubeConfig, files: readonly string[], Config: Client['KubeConfig'], io: Io): void {
  for (const [index, file] of files.entries()) {
    const path = toAbsolute(io, file);
    if (!existsSync(path)) throw new UserError(`there is no kubeconfig "${file}"`);
    try {
      if (index === 0) {
        config.loadFromFile(path);
        continue;
      }
      const next = new Config();
      next.loadFromFile(path);
      config.mergeConfig(next, true);
    } catch (error) {
      throw new UserError(`"${file}" is no kubeconfig: ${(error as Error).message.split('\n')[0]}`);
    }
  }
}

function choose(config: KubeConfig, context: string): void {
  const names = config.getContexts().map(({ name }) => name);
  if (!names.includes(context)) {
    const meant = didYouMean(context, names);
    throw new UserError(
      `the kubeconfig has no context "${context}"${meant ? `; did you mean "${meant}"?` : ''}`,
      `it has: ${names.join(', ')}`,
    );
  }
  config.setCurrentContext(context);
}

function get(
  base: URL,
  path: string,
  secured: RequestOptions,
  timeoutSeconds: number,
  spending: Spending,
): Promise<JsonObject> {
  const url = urlOf(base, path);
  const send = url.protocol === 'http:' ? plainRequest : tlsRequest;
  return new Promise((resolve, reject) => {
    const seconds = Math.min(timeoutSeconds, spending.secondsLeft());
    let size = 0;
    const request = send(url, { ...secured, method: 'GET' }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        const excess = spending.add(chunk.length, size);
        if (excess !== undefined) request.destroy(excess);
        else chunks.push(chunk);
      });
      response.on('error', fail);
      response.on('end', () => {
        clearTimeout(timer);
        const { statusCode = 0, headers } = response;
        const body = parsed(Buffer.concat(chunks).toString('utf8'));
        if (statusCode === 200 && body !== undefined) resolve(body);
        else reject(new ApiError(statusCode, messageOf(statusCode, body), Number(headers['retry-after']) || undefined));
      });
    });
    const timer = setTimeout(
      () => request.destroy(new ApiError(0, `no answer within ${Math.round(seconds * 1000) / 1000} s`)),
      seconds * 1000,
    );
    const fail = (error: Error): void => {
      clearTimeout(timer);
      const isOld = request.reusedSocket && size === 0 && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
      const Kind = isOld ? ClosedInBetween : ApiError;
      reject(error instanceof ApiError ? error : new Kind(0, problemOf(error)));
    };
    request.on('error', fail);
    request.end();
  });
}
