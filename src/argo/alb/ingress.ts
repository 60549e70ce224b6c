/** The Ingresses whose traffic a Rollout splits. */

import { compact } from '../../core/json';
import type { AlbIngressPath, AlbIngressRule } from '../../routers/aws-alb/ingress-options';
import { type AlbPlan, metadataFor, type PlannedIngress } from './plan';
import { preparedIngress } from './prepared';
import { type Annotations, settingsOf } from './settings';

/** An Ingress as Kubernetes has it. */
export interface IngressManifest {
  readonly apiVersion: 'networking.k8s.io/v1';
  readonly kind: 'Ingress';
  readonly metadata: { readonly annotations: Annotations };
  readonly spec: object;
}

/** An Ingress of a Rollout. The actions are not in it: Argo writes them, and an apply would put them back. */
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

/** Everything, as a header route of Argo is written too. */
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
 * Paths of no given type in the order that Kubernetes has for prefixes, the longest first: of the type
 * ImplementationSpecific the load balancer controller tries them as they stand.
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
