/** Rules that no request reaches: the controller leaves them out, or earlier rules take all of their requests. */
import { type Finding, formatPath, type Path, sameJson } from '../../../core';
import { addTo } from '../../../core/grouped';
import { defineRules } from '../../../core/rule';
import type { Ingress, IngressPath } from '../../ingress/ingress';
import type { AlbGroup, AlbListener, ListenerRule } from '../model';
import { takesAllOf } from '../takes-all-of';
import type { AwsAlbCheck } from './context';
import { annotated, edit, INGRESS, named, SERVICE, yaml } from './examples';
import { sources } from './sources';

const redirect = (config: object) => ({
  'actions.moved': { type: 'redirect', redirectConfig: { ...config, statusCode: 'HTTP_301' } },
});
const MOVED =
  '          - { path: /old, pathType: Prefix, backend: { service: { name: moved, port: { name: use-annotation } } } }\n';
const grouped = (order: string, ingress: string) => annotated({ 'group.name': 'shop', 'group.order': order }, ingress);
const CART = edit(
  named('cart'),
  ['host: cart.', 'host: shop.'],
  ['path: /,', 'path: /cart,'],
  ['serviceName":"web', 'serviceName":"cart'],
);
const SERVICES = [SERVICE, edit(SERVICE, ['name: web,', 'name: cart,'])];

/** Rules on rules that no request reaches. */
export const unreachedRules = defineRules({
  'alb-rule-left-out': {
    severity: 'error',
    title: 'the controller leaves out a rule',
    because:
      'the controller makes no rule that redirects to where its requests came from, and none behind a redirect that takes ' +
      'all of its requests; it says nothing',
    fix: 'give the redirect another host, path, port or protocol, or remove the path; move a path that is behind a redirect before it',
    basis: 'run',
    sources: [sources.optimizer],
    failing: yaml(annotated(redirect({ host: 'shop.example.com' }), `${INGRESS}${MOVED}`), SERVICE),
    corrected: yaml(annotated(redirect({ host: 'www.example.com' }), `${INGRESS}${MOVED}`), SERVICE),
  },

  'alb-rule-shadowed': {
    severity: 'error',
    title: 'earlier rules of the load balancer take all requests of a rule',
    because:
      'a load balancer uses the first rule that matches: no request ever reaches this one, which leads elsewhere',
    fix: 'give the Ingress with the more exact paths a lower group.order, or remove one of the paths',
    basis: 'run',
    sources: [sources.rules],
    failing: yaml(grouped('1', INGRESS), grouped('2', CART), ...SERVICES),
    corrected: yaml(grouped('2', INGRESS), grouped('1', CART), ...SERVICES),
  },
});

/** Finds the paths of a load balancer that have no rule on any port, or only rules that no request reaches. */
export function unreachedFindings({ members, listeners }: AlbGroup, { isRuled }: AwsAlbCheck): Finding[] {
  const shadows = listeners.map(shadowsOf);
  return members.filter(isRuled).flatMap((ingress) =>
    pathsOf(ingress).flatMap(({ host, path }) => {
      const places = shadows.flatMap((rules) => rules.get(placeKey(ingress, path.at)) ?? []);
      const what = `the path ${path.path || '/'} of ${host || 'all hosts'}`;
      if (places.length === 0) return [leftOut(ingress, path, what)];
      const [by] = places.flatMap(({ shadow }) => shadow ?? []);
      const isReached = places.some(({ shadow }) => shadow === undefined);
      return by === undefined || isReached ? [] : [shadowed(ingress, path, what, by)];
    }),
  );
}

function pathsOf({ rules }: Ingress): readonly { readonly host: string; readonly path: IngressPath }[] {
  return rules.flatMap(({ host, paths }) => paths.map((path) => ({ host, path })));
}

function placeKey({ key }: Pick<Ingress, 'key'>, path: Path): string {
  return `${key} ${formatPath(path)}`;
}

interface Place {
  /** The rule that takes all of its requests. */
  readonly shadow: ListenerRule | undefined;
}

/** The rules of a listener by the path of an Ingress that made them. */
function shadowsOf({ rules }: AlbListener): ReadonlyMap<string, Place> {
  const earlier = new EarlierRules();
  return new Map(
    rules.map((rule) => {
      const shadow = earlier.over(rule);
      earlier.add(rule);
      return [placeKey(rule.ingress, rule.path), { shadow }] as const;
    }),
  );
}

/** Rules in their order, by host: most rules of a shared load balancer are for other hosts. */
class EarlierRules {
  private readonly byHost = new Map<string, ListenerRule[]>();

  add(rule: ListenerRule): void {
    addTo(this.byHost, hostKey(rule), rule);
  }

  over(rule: ListenerRule): ListenerRule | undefined {
    const key = hostKey(rule);
    const same = key === ANY ? [] : (this.byHost.get(key) ?? []);
    const all = [...same, ...(this.byHost.get(ANY) ?? [])];
    const shadow = all.find(({ conditions }) => takesAllOf(conditions, rule.conditions));
    return shadow === undefined || doesTheSame(shadow, rule) ? undefined : shadow;
  }
}

/** A rule too much changes nothing. */
function doesTheSame(a: ListenerRule, b: ListenerRule): boolean {
  return sameJson(a.actions as never, b.actions as never) && sameJson(a.transforms as never, b.transforms as never);
}

const ANY = '';

/** The only host of a rule; ANY for several hosts, patterns and none. */
function hostKey({ conditions }: ListenerRule): string {
  const hosts = conditions.flatMap((condition) =>
    condition.field === 'host-header' ? [...(condition.values ?? []), ...(condition.regexValues ?? ['*'])] : [],
  );
  const [host = ANY] = hosts;
  return hosts.length !== 1 || /[*?]/.test(host) ? ANY : host.toLowerCase();
}

function leftOut({ manifest }: Ingress, { at }: IngressPath, what: string): Finding {
  return manifest.finding(unreachedRules['alb-rule-left-out'], {
    message: `${what} gets no rule: it redirects to where its requests came from, or an earlier rule redirects all of them`,
    path: at,
  });
}

function shadowed({ manifest }: Ingress, { at }: IngressPath, what: string, by: ListenerRule): Finding {
  const source = by.ingress.manifest.sourceOf(by.path);
  return manifest.finding(unreachedRules['alb-rule-shadowed'], {
    message: `no request reaches ${what}: ${formatPath(by.path)} of ${by.ingress.key} takes all of them first`,
    path: at,
    related: {
      message: `this path of ${by.ingress.key} comes first`,
      object: by.ingress.manifest.ref,
      ...(source === undefined ? {} : { source }),
    },
  });
}
