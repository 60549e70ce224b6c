/** Host names and wildcards: `shop.example.com`, `*.example.com`, `*`. */
import { addTo } from '../core/grouped';

/** Whether a host name matches a pattern. A leading `*` stands for one or more labels. */
function hostMatches(host: string, pattern: string): boolean {
  const wanted = pattern.toLowerCase();
  if (wanted === '' || wanted === '*') return true;
  if (!wanted.startsWith('*')) return host === wanted;
  const suffix = wanted.slice(1);
  return host.length > suffix.length && host.endsWith(suffix);
}

/** The specificity of a pattern: names before wildcards, longer wildcards before shorter ones. */
export function hostSpecificity(pattern: string): number {
  if (pattern === '' || pattern === '*') return 0;
  return pattern.startsWith('*') ? pattern.length : EXACT + pattern.length;
}

const EXACT = 1_000_000;

/** The hosts that match both patterns, as a pattern; undefined if there are none. */
export function intersectHosts(a: string, b: string): string | undefined {
  const [left, right] = [a.toLowerCase(), b.toLowerCase()];
  if (left === right || right === '' || right === '*') return left === '' ? '*' : left;
  if (left === '' || left === '*') return right;
  if (left.startsWith('*') && right.startsWith('*')) {
    if (left.endsWith(right.slice(1))) return left;
    return right.endsWith(left.slice(1)) ? right : undefined;
  }
  if (left.startsWith('*')) return hostMatches(right, left) ? right : undefined;
  return hostMatches(left, right) ? left : undefined;
}

const NONE: readonly never[] = [];

/** Values by host pattern. A lookup does not walk through all patterns. */
export class HostIndex<T> {
  private readonly byName = new Map<string, T[]>();
  private readonly byWildcard = new Map<string, T[]>();
  private wildcards: readonly string[] | undefined;

  /** Adds a value; the values of one pattern keep their order. */
  add(pattern: string, value: T): void {
    const key = pattern === '' ? '*' : pattern.toLowerCase();
    const values = key.startsWith('*') ? this.byWildcard : this.byName;
    addTo(values, key, value);
    this.wildcards = undefined;
  }

  /** Whether a pattern has values. */
  has(pattern: string): boolean {
    const key = pattern === '' ? '*' : pattern.toLowerCase();
    return this.byName.has(key) || this.byWildcard.has(key);
  }

  /** The values of each pattern that matches a host, the most specific pattern first. */
  matching(host: string): readonly (readonly T[])[] {
    const exact = this.byName.get(host);
    const wildcards = this.sorted().filter((pattern) => hostMatches(host, pattern));
    return [...(exact === undefined ? [] : [exact]), ...wildcards.map((pattern) => this.byWildcard.get(pattern)!)];
  }

  /** The values of the most specific pattern that matches a host. */
  best(host: string): readonly T[] {
    const exact = this.byName.get(host);
    if (exact !== undefined) return exact;
    const wildcard = this.sorted().find((pattern) => hostMatches(host, pattern));
    return wildcard === undefined ? NONE : this.byWildcard.get(wildcard)!;
  }

  private sorted(): readonly string[] {
    this.wildcards ??= [...this.byWildcard.keys()].sort((a, b) => hostSpecificity(b) - hostSpecificity(a));
    return this.wildcards;
  }

  /** The values of all patterns that match a host, the most specific pattern first. */
  all(host: string): readonly T[] {
    return this.matching(host).flat();
  }
}

/** Whether a pattern takes a host name: `*.example.com` takes `shop.example.com`. */
export function patternTakes(pattern: string, host: string): boolean {
  return hostMatches(host.toLowerCase().replace(/\.$/, ''), pattern);
}
