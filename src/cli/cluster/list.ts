/** All objects of a kind, page by page. */
import { setTimeout as wait } from 'node:timers/promises';
import { isJsonObject, type JsonObject } from '../../core/json';
import { Manifest } from '../../core/manifest';
import { ApiError, type Connection } from './client';
import type { ServedKind } from './discovery';

/** Objects of a page. */
const PAGE = 250;

/** A list has at most so many pages; a page may be empty while the server looks further. */
const MAX_PAGES = 400;
const MAX_EMPTY_PAGES = 20;

/** A server that is asked too much says so, and when to come again. */
const TRIES = 4;
const LONGEST_WAIT_SECONDS = 30;

/** Which objects are asked for. */
export interface ListOptions {
  /** @default - of all namespaces */
  readonly namespace?: string;
  /** @default - of any name */
  readonly name?: string;
}

/** Lists a kind. */
export async function listKind(connection: Connection, kind: ServedKind, where: ListOptions = {}): Promise<Manifest[]> {
  return (await listWithVersion(connection, kind, where)).found;
}

/** Objects, and the version of the collection from which it can be watched. */
export interface Listed {
  readonly found: Manifest[];
  readonly resourceVersion: string;
}

/** Lists a kind to watch it from there on. */
export async function listWithVersion(
  connection: Connection,
  kind: ServedKind,
  { namespace, name }: ListOptions = {},
): Promise<Listed> {
  const path = pathOf(kind, namespace);
  const selector: Record<string, string> = name === undefined ? {} : { fieldSelector: `metadata.name=${name}` };
  const found: Manifest[] = [];
  const tokens = new Set<string>();
  let empty = 0;
  let token = '';
  let resourceVersion = '';
  let limit: Record<string, string> = { limit: String(PAGE) };
  for (;;) {
    const query = new URLSearchParams({ ...selector, ...limit, ...(token === '' ? {} : { continue: token }) });
    try {
      const answer = await patiently(connection, `${path}${query.size === 0 ? '' : `?${query}`}`);
      // One by one: a list in one answer may be longer than a call may have arguments.
      const items = itemsOf(answer, kind);
      for (const item of items) found.push(item);
      if (items.length === 0) empty++;
      token = textOf(answer, 'continue');
      resourceVersion = textOf(answer, 'resourceVersion');
    } catch (error) {
      // The snapshot of the first page is gone: all of it once more, in one answer.
      if (!(error instanceof ApiError) || error.status !== 410 || token === '') throw error;
      found.length = 0;
      token = '';
      limit = {};
      continue;
    }
    if (token === '') return { found, resourceVersion };
    if (tokens.has(token) || empty > MAX_EMPTY_PAGES || tokens.size >= MAX_PAGES)
      throw new ApiError(0, 'its pages do not come to an end');
    tokens.add(token);
  }
}

/** One object; undefined when there is none. */
export async function getObject(
  connection: Connection,
  kind: ServedKind,
  namespace: string,
  name: string,
): Promise<Manifest | undefined> {
  try {
    const path = `${pathOf(kind, namespace)}/${encodeURIComponent(name)}`;
    return Manifest.of({ ...(await patiently(connection, path)), apiVersion: kind.apiVersion, kind: kind.kind });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

async function patiently(connection: Connection, path: string): Promise<JsonObject> {
  for (let tried = 1; ; tried++) {
    try {
      return await connection.get(path);
    } catch (error) {
      const isBusy = error instanceof ApiError && error.status === 429;
      if (!isBusy || tried >= TRIES) throw error;
      await wait(Math.min(error.retryAfter ?? 0, LONGEST_WAIT_SECONDS) * 1000);
    }
  }
}

/** The path of a collection. */
export function pathOf({ apiVersion, plural, namespaced }: ServedKind, namespace: string | undefined): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const within = namespace === undefined || !namespaced ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${root}${within}/${plural}`;
}

/** Items of a list do not say what they are. */
function itemsOf({ items }: JsonObject, { apiVersion, kind }: ServedKind): Manifest[] {
  const objects = Array.isArray(items) ? items.filter(isJsonObject) : [];
  return objects.map((item) => Manifest.of({ ...item, apiVersion, kind }));
}

function textOf({ metadata }: JsonObject, field: 'continue' | 'resourceVersion'): string {
  const text = isJsonObject(metadata) ? metadata[field] : undefined;
  return typeof text === 'string' ? text : '';
}
