/** Which kinds an API server has, and under which paths. */
import { isJsonObject, type Json, type JsonObject } from '../../core/json';
import { groupKindOf } from '../../core/manifest';
import { UserError } from '../../settings/user-error';
import { ApiError, type Connection } from './client';

/** A kind as it can be asked for. */
export interface ServedKind {
  readonly groupKind: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

/** What an API server has. */
export interface Discovery {
  /** By `<Kind>.<group>`, in the version that the server prefers. */
  readonly kinds: ReadonlyMap<string, ServedKind>;
  /** Groups that do not answer, and why. */
  readonly broken: ReadonlyMap<string, string>;
  /** `1.34.1`; undefined if the server does not report it. */
  readonly release: string | undefined;
}

/**
 * Asks for the kinds of some groups.
 * @param groups without their versions; empty for the core API
 */
export async function discover(connection: Connection, groups: readonly string[]): Promise<Discovery> {
  const [release, versions] = await Promise.all([releaseOf(connection), versionsOf(connection)]);
  const kinds = new Map<string, ServedKind>();
  const broken = new Map<string, string>();
  await Promise.all(
    groups.map(async (group) => {
      const known = group === '' ? ['v1'] : versions.get(group);
      if (known === undefined) return;
      try {
        // What the preferred version does not have may be in another one.
        for (const answer of await Promise.allSettled(known.map((version) => kindsOf(connection, group, version)))) {
          if (answer.status === 'rejected') throw answer.reason;
          for (const kind of answer.value) if (!kinds.has(kind.groupKind)) kinds.set(kind.groupKind, kind);
        }
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.status !== 404) broken.set(group, error.message);
      }
    }),
  );
  return { kinds, broken, release };
}

/** Not every user may ask for it. What else goes wrong here would go wrong everywhere. */
async function releaseOf(connection: Connection): Promise<string | undefined> {
  try {
    const { gitVersion } = await connection.get('/version');
    return typeof gitVersion === 'string' ? /^v?(\d+\.\d+(?:\.\d+)?)/.exec(gitVersion)?.[1] : undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 403 || error.status === 404) return undefined;
    throw unreachable(connection, error);
  }
}

/** The versions of every group, the preferred one first. */
async function versionsOf(connection: Connection): Promise<ReadonlyMap<string, readonly string[]>> {
  let answer: JsonObject;
  try {
    answer = await connection.get('/apis');
  } catch (error) {
    if (error instanceof ApiError) throw unreachable(connection, error);
    throw error;
  }
  const entries = objects(answer.groups).map(({ name, preferredVersion, versions }) => {
    const preferred = isJsonObject(preferredVersion) ? [preferredVersion.version] : [];
    const all = [...preferred, ...objects(versions).map(({ version }) => version)];
    return [String(name), [...new Set(all.filter((one): one is string => typeof one === 'string'))]] as const;
  });
  return new Map(entries);
}

async function kindsOf(connection: Connection, group: string, version: string): Promise<ServedKind[]> {
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const { resources } = await connection.get(group === '' ? `/api/${version}` : `/apis/${apiVersion}`);
  return objects(resources).flatMap(({ name, kind, namespaced, verbs }): ServedKind[] => {
    // `ingresses/status` is part of another one.
    if (typeof name !== 'string' || typeof kind !== 'string' || name.includes('/')) return [];
    if (Array.isArray(verbs) && !verbs.includes('list')) return [];
    return [
      { groupKind: groupKindOf(kind, apiVersion), apiVersion, kind, plural: name, namespaced: namespaced === true },
    ];
  });
}

function unreachable({ from }: Connection, { status, message }: ApiError): UserError {
  if (status === 401) {
    return new UserError(`${from} does not accept the credentials: ${message}`, 'log in again, as for kubectl');
  }
  return new UserError(
    `${from} cannot be asked: ${message}`,
    'try kubectl get namespaces with the same context; --context names another one',
  );
}

function objects(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
