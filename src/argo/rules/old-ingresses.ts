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

/** What Ingresses have that were written after old recipes. */
export const argoOldIngressRules = defineRules({
  'argo-alb-ingress-api': {
    severity: 'error',
    title: `an Ingress of a Rollout is one of ${OLD_INGRESS_API}`,
    because: 'Kubernetes serves this version no more since 1.22: the Ingress does not come into the cluster',
    fix: 'write apiVersion: networking.k8s.io/v1, and a backend as service: {name: shop, port: {name: use-annotation}} with a pathType',
    basis: 'documented',
    sources: ['https://kubernetes.io/docs/reference/using-api/deprecation-guide/#ingress-v122'],
    failing: canary({ objects: `${SERVICES}${OLD}` }),
    corrected: canary(),
  },
  'argo-alb-bookkeeping-in-manifest': {
    severity: 'warning',
    title: 'a manifest holds the annotation in which Argo notes what it has written',
    because:
      'every apply puts the note of the manifest in the place of that of Argo, which then does not know what to reset when ' +
      `the Rollout is deleted; ${MANAGED_ACTIONS} is the name of early releases, and only ever removed`,
    fix: `leave the annotation out; Argo writes ${MANAGED_ANNOTATIONS} by itself`,
    basis: 'read',
    sources: [sources.reset, sources.alb],
    failing: booked(MANAGED_ACTIONS),
    corrected: canary(),
  },
});

/** Checks the Ingresses of all Rollouts for what Argo writes by itself, and for what Kubernetes takes no more. */
export const checkOldIngresses: ArgoAlbChecker = ({ rollouts }) =>
  rollouts.flatMap(({ manifest, ingresses }) =>
    ingresses.flatMap(({ manifest: object }): Finding[] => {
      const named = `Ingress "${object.name}" of Rollout "${manifest.name}"`;
      const keys = [MANAGED_ACTIONS, MANAGED_ANNOTATIONS].filter((key) => object.annotations[key] !== undefined);
      const notes = keys.map((key) =>
        object.finding(argoOldIngressRules['argo-alb-bookkeeping-in-manifest'], {
          path: ['metadata', 'annotations', key],
          message: `${named}: the annotation ${key} is Argo's to write`,
        }),
      );
      if (object.apiVersion !== OLD_INGRESS_API) return notes;
      return [
        ...notes,
        object.finding(argoOldIngressRules['argo-alb-ingress-api'], {
          path: ['apiVersion'],
          message: `${named} is one of ${object.apiVersion}`,
        }),
      ];
    }),
  );
