/** Builds the Ingresses whose traffic a Rollout splits. */

import { compact } from '../../core/json';
import type { AlbIngressPath, AlbIngressRule } from '../../routers/aws-alb/ingress-options';
import { type AlbPlan, metadataFor, type PlannedIngress } from './plan';
import { preparedIngress } from './prepared';
import { type Annotations, settingsOf } from './settings';

/** An Ingress as an API object. */
export interface IngressManifest {
  readonly apiVersion: 'networking.k8s.io/v1';
  readonly kind: 'Ingress';
  readonly metadata: { readonly annotations: Annotations };
  readonly spec: object;
}

/** An Ingress of a Rollout, without the actions: Argo writes them, and every apply would reset them. */
export function ingressManifest(plan: AlbPlan, ingress: PlannedIngress): IngressManifest {
  const { options, ingressClass, name, backend } = ingress;
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: {
      ...metadataFor(plan, name, options.metadata),
      annotations: preparedIngress(plan, { ...options.metadata?.annotations, ...settingsOf(ingress) }),
    },
    spec: compact({
      ingressClassName: ingressClass.by === 'field' ? ingressClass.settings.name : undefined,
      rules: (options.rules ?? [{}]).map((rule) => ruleOf(rule, backend)),
    }),
  };
}

/** Every path, with the same type as the header routes of Argo. */
const EVERYTHING: AlbIngressPath = { path: '/*', pathType: 'ImplementationSpecific' };

function ruleOf({ host, paths = [EVERYTHING] }: AlbIngressRule, own: PlannedIngress['backend']): object {
  return compact({
    host,
    http: {
      paths: inOrder(paths).flatMap(({ path, pathType, backend = own }) => {
        const service = { name: backend.name, port: backend.port };
        return written(path, pathType).map((each) => ({ ...each, backend: { service } }));
      }),
    },
  });
}

/**
 * Sorts paths without a type as Kubernetes sorts prefixes, the longest first. The load balancer controller does not sort
 * paths of the type ImplementationSpecific.
 */
function inOrder(paths: readonly AlbIngressPath[]): AlbIngressPath[] {
  const isPrefix = ({ path, pathType }: AlbIngressPath) => pathType === undefined && !hasWildcard(path);
  const sorted = paths.filter(isPrefix).sort((a, b) => stem(b.path).length - stem(a.path).length);
  return paths.map((path) => (isPrefix(path) ? sorted.shift()! : path));
}

function written(path: string, pathType: AlbIngressPath['pathType']) {
  if (pathType !== undefined) return [{ path, pathType }];
  const own = stem(path);
  const all = hasWildcard(path) ? [path] : own === '' ? ['/*'] : [own, `${own}/*`];
  return all.map((one) => ({ path: one, pathType: 'ImplementationSpecific' as const }));
}

function hasWildcard(path: string): boolean {
  return /[*?]/.test(path);
}

function stem(path: string): string {
  return path.replace(/\/+$/, '');
}
