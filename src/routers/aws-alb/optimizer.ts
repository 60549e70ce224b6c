import { addTo } from '../../core/grouped';
import type { ListenPort } from './listeners';
import type { Condition, RedirectAction } from './model';
import type { UnorderedRule } from './rules';

type Redirect = RedirectAction['redirect'];

/**
 * Drops the rules that the controller omits: redirects to themselves, and rules after a redirect that matches all of
 * their requests.
 */
export function optimize(
  listener: Pick<ListenPort, 'port' | 'protocol'>,
  rules: readonly UnorderedRule[],
): readonly UnorderedRule[] {
  // Only redirects make other rules unreachable for the controller.
  if (!rules.some((rule) => redirectOf(rule) !== undefined)) return rules;
  const redirects = new RedirectIndex();
  return rules.filter((rule) => {
    const redirect = redirectOf(rule);
    const scope = scopeOf(rule.conditions);
    if (redirect !== undefined && redirectsToItself(listener, redirect, scope)) return false;
    if (redirects.cover(scope)) return false;
    if (redirect !== undefined && !scope.hasOthers && !scope.hasRegex) redirects.add(scope);
    return true;
  });
}

/** The requests of a rule as the controller compares them: by the text of its hosts and paths. */
interface Scope {
  readonly hosts: ReadonlySet<string>;
  readonly paths: ReadonlySet<string>;
  /** True if a host or path is a regular expression, which cannot be compared. */
  readonly hasRegex: boolean;
  /** True if the rule has conditions other than host and path. */
  readonly hasOthers: boolean;
}

function scopeOf(conditions: readonly Condition[]): Scope {
  const valuesOf = (field: Condition['field']) =>
    new Set(
      conditions.flatMap((condition) =>
        condition.field === field && condition.field !== 'query-string' ? (condition.values ?? []) : [],
      ),
    );
  return {
    hosts: valuesOf('host-header'),
    paths: valuesOf('path-pattern'),
    hasRegex: conditions.some(
      (condition) =>
        (condition.field === 'host-header' || condition.field === 'path-pattern') &&
        condition.regexValues !== undefined,
    ),
    hasOthers: conditions.some(({ field }) => field !== 'host-header' && field !== 'path-pattern'),
  };
}

function redirectOf({ actions }: UnorderedRule): Redirect | undefined {
  return actions.find((action) => action.type === 'redirect')?.redirect;
}

/** Compares only the parts that the redirect names, so that a redirect with only a status code is a loop. */
function redirectsToItself(
  { port, protocol }: Pick<ListenPort, 'port' | 'protocol'>,
  redirect: Redirect,
  { hosts, paths, hasRegex }: Scope,
): boolean {
  const keeps = (value: string | undefined, placeholder: string, isOwn: (value: string) => boolean) =>
    value === undefined || value === placeholder || isOwn(value);
  return (
    !hasRegex &&
    keeps(redirect.host, '#{host}', (host) => hosts.has(host)) &&
    keeps(redirect.path, '/#{path}', (path) => paths.has(path)) &&
    keeps(redirect.port, '#{port}', (value) => value === String(port)) &&
    keeps(redirect.protocol, '#{protocol}', (value) => value === protocol) &&
    keeps(redirect.query, '#{query}', () => false)
  );
}

/**
 * The redirects so far, indexed by host and path, so that many redirects do not slow down every later rule.
 */
class RedirectIndex {
  private readonly byHostAndPath = new Map<string, Scope[]>();

  add(scope: Scope): void {
    for (const host of orAny(scope.hosts)) {
      for (const path of scope.paths.has('/*') ? [ANY] : orAny(scope.paths)) {
        addTo(this.byHostAndPath, keyOf(host, path), scope);
      }
    }
  }

  /** Whether one of the redirects matches all requests of the scope. */
  cover({ hosts, paths }: Scope): boolean {
    const hostKeys = [ANY, ...[...hosts].slice(0, 1)];
    const pathKeys = [ANY, ...[...paths].slice(0, 1)];
    return hostKeys.some((hostKey) =>
      pathKeys.some((pathKey) =>
        (this.byHostAndPath.get(keyOf(hostKey, pathKey)) ?? []).some(
          (redirect) =>
            (hostKey === ANY || isSuperset(redirect.hosts, hosts)) &&
            (pathKey === ANY || isSuperset(redirect.paths, paths)),
        ),
      ),
    );
  }
}

const ANY = null;

function orAny(values: ReadonlySet<string>): Iterable<string | null> {
  return values.size === 0 ? [ANY] : values;
}

function keyOf(host: string | null, path: string | null): string {
  return JSON.stringify([host, path]);
}

function isSuperset(values: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return [...others].every((value) => values.has(value));
}
