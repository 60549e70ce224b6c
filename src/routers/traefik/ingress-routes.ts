/** The routes of IngressRoutes. */
import { type Json, type Manifest, ownValue, type Path, type World } from '../../core';
import type { Ignored } from '../router';
import { byAge, numberOf, placedItems, textOf, textsOf, valueIn } from '../values';
import type { Backends } from './backends';
import { GROUPS } from './kinds';
import { redirectsOfRoute } from './redirects';
import { RouteError, readRule, routeOf, type TraefikRoute, unlessDropped } from './route';
import type { TraefikFacts } from './version';

/** Reads IngressRoutes, and notes what makes no route. */
export class IngressRoutes {
  readonly manifests: readonly Manifest[];
  readonly ignored: Ignored[] = [];

  constructor(
    private readonly world: World,
    private readonly backends: Backends,
    private readonly facts: TraefikFacts,
  ) {
    this.manifests = byAge(
      world,
      GROUPS.flatMap((group) => world.list(`IngressRoute.${group}`)),
    );
  }

  routes(): readonly TraefikRoute[] {
    return this.manifests.flatMap((manifest) => this.routesOf(manifest));
  }

  private routesOf(manifest: Manifest): readonly TraefikRoute[] {
    // Traefik names its routers by their rules, so the last of equal rules replaces the earlier ones.
    const byRule = new Map<string, TraefikRoute>();
    for (const { value, at } of placedItems(valueIn(manifest.object, 'spec', 'routes'), ['spec', 'routes'])) {
      for (const route of unlessDropped(this.ignored, { manifest, path: at }, () => [
        this.routeOf(manifest, value, at),
      ])) {
        const rule = textOf(ownValue(value, 'match')) ?? '';
        const replaced = byRule.get(rule);
        if (replaced !== undefined) this.replace(replaced, at);
        byRule.set(rule, route);
      }
    }
    return [...byRule.values()];
  }

  private replace({ candidate: { rule } }: TraefikRoute, by: Path): void {
    const why = `routes[${by.at(-1)}] has the same match and replaces it`;
    this.ignored.push({ manifest: rule.manifest, path: rule.path, reason: 'route-replaced', why });
  }

  private routeOf(manifest: Manifest, route: Json, at: Path): TraefikRoute {
    const kind = ownValue(route, 'kind');
    if (kind !== 'Rule' && kind !== undefined) {
      throw new RouteError(`kind is ${JSON.stringify(kind)}, and only Rule is known`);
    }
    const said = ownValue(route, 'syntax');
    const ownSyntax = said === 'v2' || said === 'v3' ? said : this.facts.ruleSyntax;
    const syntax = manifest.group === 'traefik.containo.us' ? 'v2' : ownSyntax;
    const namespace = this.world.namespaceOf(manifest);
    return routeOf(this.world, {
      manifest,
      at,
      rule: readRule(textOf(ownValue(route, 'match')) ?? '', syntax, this.facts),
      priority: numberOf(ownValue(route, 'priority')) ?? 0,
      entryPoints: textsOf(valueIn(manifest.object, 'spec', 'entryPoints')),
      hasTls: valueIn(manifest.object, 'spec', 'tls') !== undefined,
      redirects: redirectsOfRoute(this.world, route, namespace),
      answer: this.backends.answerOf(placedItems(ownValue(route, 'services'), [...at, 'services']), namespace),
    });
  }
}
