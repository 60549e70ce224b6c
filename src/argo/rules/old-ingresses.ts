import type { Finding } from '../../core/finding';
import { defineRules } from '../../core/rule';
import { canary, ingress, service } from '../admission/rules/examples';
import { MANAGED_ACTIONS, MANAGED_ANNOTATIONS } from '../controller';
import { OLD_INGRESS_API } from '../ingress-versions';
import type { ArgoAlbChecker } from './context';
import { sources } from './sources';

const SERVICES = `${service('shop-stable')}${service('shop-canary')}`;
const OLD = `---
apiVersion: ${OLD_INGRESS_API}
kind: Ingress
metadata: {name: shop, annotations: {kubernetes.io/ingress.class: alb}}
spec:
  rules:
    - http: {paths: [{path: "/*", backend: {serviceName: shop-stable, servicePort: use-annotation}}]}
`;
const booked = (key: string) => canary({ objects: `${SERVICES}${ingress({ annotations: `${key}: '{"shop":[]}'` })}` });

/** Rules for Ingresses that follow outdated instructions. */
export const argoOldIngressRules = defineRules({
  'argo-alb-ingress-api': {
    severity: 'error',
    title: `an Ingress of a Rollout has the API version ${OLD_INGRESS_API}`,
    because: 'Kubernetes does not serve this version since 1.22: the cluster refuses the Ingress',
    fix: 'write apiVersion: networking.k8s.io/v1, and a backend as service: {name: shop, port: {name: use-annotation}} with a pathType',
    basis: 'documented',
    sources: ['https://kubernetes.io/docs/reference/using-api/deprecation-guide/#ingress-v122'],
    failing: canary({ objects: `${SERVICES}${OLD}` }),
    corrected: canary(),
  },
  'argo-alb-bookkeeping-in-manifest': {
    severity: 'warning',
    title: 'a manifest has the annotation that lists what Argo has written',
    because:
      'every apply overwrites the list of Argo, which then does not know which annotations to reset when ' +
      `the Rollout is deleted; ${MANAGED_ACTIONS} is the annotation of early releases, which Argo only removes`,
    fix: `remove the annotation; Argo writes ${MANAGED_ANNOTATIONS} itself`,
    basis: 'read',
    rehearsedAs: ['rehearsal-group-freezes'],
    sources: [sources.reset, sources.alb],
    failing: booked(MANAGED_ACTIONS),
    corrected: canary(),
  },
});

/** Reports Ingresses of Rollouts with annotations that only Argo may write, or with a removed API version. */
export const checkOldIngresses: ArgoAlbChecker = ({ rollouts }) =>
  rollouts.flatMap(({ manifest, ingresses }) =>
    ingresses.flatMap(({ manifest: object }): Finding[] => {
      const named = `Ingress "${object.name}" of Rollout "${manifest.name}"`;
      const keys = [MANAGED_ACTIONS, MANAGED_ANNOTATIONS].filter((key) => object.annotations[key] !== undefined);
      const notes = keys.map((key) =>
        object.finding(argoOldIngressRules['argo-alb-bookkeeping-in-manifest'], {
          path: ['metadata', 'annotations', key],
          message: `${named}: only Argo may write the annotation ${key}`,
        }),
      );
      if (object.apiVersion !== OLD_INGRESS_API) return notes;
      return [
        ...notes,
        object.finding(argoOldIngressRules['argo-alb-ingress-api'], {
          path: ['apiVersion'],
          message: `${named} has the API version ${object.apiVersion}`,
        }),
      ];
    }),
  );
