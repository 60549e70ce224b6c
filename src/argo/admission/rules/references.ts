import { defineRules } from '../../../core/rule';
import { ALB, BOTH_VERSIONS, canary, ingress, OBJECTS, REFERENCES, REFUSED, service, virtualService } from './examples';

const SERVICES = `${service('shop-stable')}${service('shop-canary')}`;

const template = (metric: string, args = '') => `---
apiVersion: argoproj.io/v1alpha1
kind: AnalysisTemplate
metadata: {name: success}
spec:
${args === '' ? '' : `  args: ${args}\n`}  metrics: [{name: ok, ${metric}, provider: {web: {url: "https://example.com"}}}]
`;
const analysis = (metric: string, args = '') =>
  canary({
    steps: '- analysis: {templates: [{templateName: success}]}',
    objects: `${OBJECTS}${template(metric, args)}`,
  });

const istio = (objects = '') =>
  canary({ routing: 'istio: {virtualService: {name: shop, routes: [primary]}}', objects: `${SERVICES}${objects}` });

const ruled = { severity: 'error', because: REFUSED, basis: 'run', sources: REFERENCES } as const;

/** The controller's rules for the objects that a Rollout refers to. */
export const referenceRules = defineRules({
  'argo-service-not-found': {
    ...ruled,
    title: 'a Service of an Argo Rollout does not exist',
    because: `${REFUSED}; it looks only in the namespace of the Rollout`,
    fix: 'add the Service',
    failing: canary({ objects: `${service('shop-stable')}${ingress()}` }),
    corrected: canary(),
  },
  'argo-service-selector-mismatch': {
    ...ruled,
    title: 'a Service of an Argo Rollout does not select its pods',
    because: `${REFUSED}; the controller adds rollouts-pod-template-hash to the selector itself`,
    fix: 'select labels of the pod template in the Service',
    failing: canary({ objects: `${service('shop-stable')}${service('shop-canary', '{app: store}')}${ingress()}` }),
    corrected: canary(),
  },
  'argo-service-managed-by-other': {
    ...ruled,
    title: 'a Service of an Argo Rollout belongs to another Rollout',
    because: `${REFUSED}; two Rollouts would overwrite each other's selector`,
    fix: 'use separate Services for each Rollout; if the other Rollout no longer exists, remove the annotation',
    failing: canary({
      objects: `${service('shop-stable', '{app: shop}', 'argo-rollouts.argoproj.io/managed-by-rollouts: store')}${service('shop-canary')}${ingress()}`,
    }),
    corrected: canary(),
  },
  'argo-ingress-not-one': {
    ...ruled,
    title: 'a router of an Argo Rollout has both Ingress fields, or none',
    because: `${REFUSED}; an empty list counts as none`,
    fix: 'set one Ingress, or a list of them',
    failing: canary({ routing: 'alb: {ingresses: [], servicePort: 80}' }),
    corrected: canary({ routing: 'alb: {ingresses: [shop], servicePort: 80}' }),
  },
  'argo-ingress-not-found': {
    ...ruled,
    title: 'an Ingress of an Argo Rollout does not exist',
    because: `${REFUSED}; it looks only in the namespace of the Rollout`,
    fix: 'add the Ingress',
    failing: canary({ objects: SERVICES }),
    corrected: canary(),
  },
  'argo-ingress-without-backend': {
    ...ruled,
    title: 'an Ingress of an Argo Rollout has no path to rootService, or to stableService if rootService is not set',
    because: `${REFUSED}; defaultBackend does not count`,
    fix: 'add a path with the Service as its backend; on an ALB, with the port name use-annotation',
    failing: canary({
      objects: `${SERVICES}${ingress({ backend: '{service: {name: shop-canary, port: {name: use-annotation}}}' })}`,
    }),
    corrected: canary({ routing: ALB }),
  },
  'argo-ingress-resource-backend': {
    ...ruled,
    title: 'an Ingress of an Argo Rollout has a backend that is not a Service',
    because:
      'every reconcile of the Rollout panics. The controller recovers and retries forever, so it releases nothing of this ' +
      'Rollout. Other Rollouts continue',
    fix: 'move the path to a separate Ingress',
    failing: canary({
      objects: `${SERVICES}${ingress({ backend: '{resource: {kind: Bucket, name: files}}' })}`,
    }),
    corrected: canary(),
  },
  'argo-istio-object-not-found': {
    ...ruled,
    title: 'a VirtualService or DestinationRule that an Argo Rollout names does not exist',
    because:
      'without a VirtualService the controller sets the condition InvalidSpec; without a DestinationRule every reconcile ends with an ' +
      'error. In both cases it releases nothing',
    fix: 'add the object, or correct its name; "name.namespace" names a VirtualService of another namespace',
    failing: istio(),
    corrected: istio(virtualService(BOTH_VERSIONS)),
  },
  'argo-istio-route-invalid': {
    ...ruled,
    title: 'a route that an Argo Rollout changes does not exist, or has no destination for each version',
    because: REFUSED,
    fix: 'name the route in virtualService.routes, and give it a destination for the stable and one for the canary version',
    failing: istio(virtualService('{destination: {host: shop-stable}}')),
    corrected: istio(virtualService(BOTH_VERSIONS)),
  },
  'argo-analysis-template-not-found': {
    ...ruled,
    title: 'an analysis template of an Argo Rollout does not exist',
    because: `${REFUSED}; a ClusterAnalysisTemplate needs clusterScope: true`,
    fix: 'add the template, or set clusterScope',
    failing: canary({ steps: '- analysis: {templates: [{templateName: success}]}' }),
    corrected: analysis('count: 3, interval: 10s'),
  },
  'argo-analysis-invalid': {
    ...ruled,
    title: 'an analysis of an Argo Rollout lacks an argument, has a duplicate name or does not end',
    because:
      `${REFUSED}; except in the background, a metric with an interval needs a count. The count must not be an ` +
      'argument, because the controller validates it with a placeholder',
    fix: 'set a value for every argument, and a literal count for every metric with an interval',
    failing: analysis('count: "{{args.times}}", interval: 10s', '[{name: times, value: "x"}]'),
    corrected: analysis('count: 3, interval: 10s'),
  },
});
