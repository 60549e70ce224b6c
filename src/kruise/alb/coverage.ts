/** Compares hosts and paths of Ingresses by the requests that an AWS load balancer routes with them. */

/** A host, empty for any, and a path with its type. */
export interface HostPath {
  readonly host: string;
  readonly path: { readonly path: string; readonly pathType: string | undefined };
}

/** Whether the first takes every request that the second takes. Different paths with wildcards inside count as disjoint. */
export function covers(wide: HostPath, narrow: HostPath): boolean {
  return coversHost(wide.host, narrow.host) && coversPath(shapeOf(wide), shapeOf(narrow));
}

/** Whether both take the same requests. */
export function isSame(a: HostPath, b: HostPath): boolean {
  return covers(a, b) && covers(b, a);
}

function coversHost(wide: string, narrow: string): boolean {
  if (wide === '' || wide.toLowerCase() === narrow.toLowerCase()) return true;
  return wide.startsWith('*.') && narrow.toLowerCase().endsWith(wide.slice(1).toLowerCase());
}

/** A single path, a path with everything below it, only what is below it, or a pattern, which is compared as text. */
interface Shape {
  readonly kind: 'exact' | 'prefix' | 'below' | 'pattern';
  /** Without a trailing slash. */
  readonly base: string;
}

function shapeOf({ path: { path, pathType } }: HostPath): Shape {
  if (path === '') return { kind: 'prefix', base: '' };
  if (pathType === 'Exact') return { kind: 'exact', base: path };
  if (pathType === 'Prefix') return { kind: 'prefix', base: path.replace(/\/$/, '') };
  const below = /^([^*?]*)\/\*$/.exec(path)?.[1];
  if (below !== undefined) return { kind: below === '' ? 'prefix' : 'below', base: below };
  return { kind: /[*?]/.test(path) ? 'pattern' : 'exact', base: path };
}

function coversPath(wide: Shape, narrow: Shape): boolean {
  const { base } = narrow;
  switch (wide.kind) {
    case 'exact':
    case 'pattern':
      return narrow.kind === wide.kind && base === wide.base;
    case 'prefix':
      return base === wide.base || isBelow(base, wide.base);
    case 'below':
      return isBelow(base, wide.base) || (narrow.kind === 'below' && base === wide.base);
  }
}

/** For a pattern, the part before its first wildcard decides. */
function isBelow(path: string, base: string): boolean {
  return path.split(/[*?]/, 1)[0]!.startsWith(`${base}/`);
}
