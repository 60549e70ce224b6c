import { defineRules } from '../../../core/rule';
import { ALB, canary, ingress, OBJECTS, REFERENCES, REFUSED, service } from './examples';

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

const ruled = { severity: 'error', because: REFUSED, basis: 'run', sources: REFERENCES } as const;

/** What the controller asks of the objects that a Rollout names. */
export const referenceRules = defineRules({
  'argo-service-not-found': {
    ...ruled,
    title: 'a Service of an Argo Rollout does not exist',
    because: `${REFUSED}; it looks in the namespace of the Rollout only`,
    fix: 'add the Service',
    failing: canary({ objects: `${service('shop-stable')}${ingress()}` }),
    corrected: canary(),
  },
  'argo-service-selector-mismatch': {
    ...ruled,
    title: 'a Service of an Argo Rollout does not select its pods',
    because: `${REFUSED}; the controller adds rollouts-pod-template-hash to the selector itself`,
    fix: 'let the Service select labels of the pod template',
    failing: canary({ objects: `${service('shop-stable')}${service('shop-canary', '{app: store}')}${ingress()}` }),
    corrected: canary(),
  },
  'argo-service-managed-by-other': {
    ...ruled,
    title: 'a Service of an Argo Rollout belongs to another Rollout',
    because: `${REFUSED}; two Rollouts would overwrite the selector of each other`,
    fix: 'give each Rollout its own Services; if the other one is gone, remove the annotation',
    failing: canary({
      objects: `${service('shop-stable', '{app: shop}', 'argo-rollouts.argoproj.io/managed-by-rollouts: store')}${service('shop-canary')}${ingress()}`,
    }),
    corrected: canary(),
  },
  'argo-ingress-not-one': {
    ...ruled,
    title: 'a router of an Argo Rollout names one Ingress and several, or none',
    because: `${REFUSED}; an empty list counts as none`,
    fix: 'name one Ingress, or a list of them',
    failing: canary({ routing: 'alb: {ingresses: [], servicePort: 80}' }),
    corrected: canary({ routing: 'alb: {ingresses: [shop], servicePort: 80}' }),
  },
  'argo-ingress-not-found': {
    ...ruled,
    title: 'an Ingress of an Argo Rollout does not exist',
    because: `${REFUSED}; it looks in the namespace of the Rollout only`,
    fix: 'add the Ingress',
    failing: canary({ objects: SERVICES }),
    corrected: canary(),
  },
  'argo-ingress-without-backend': {
    ...ruled,
    title: 'an Ingress of an Argo Rollout has no path to rootService, or to stableService where there is none',
    because: `${REFUSED}; defaultBackend does not count`,
    fix: 'make it the backend of a path, with the port name use-annotation',
    failing: canary({
      objects: `${SERVICES}${ingress({ backend: '{service: {name: shop-canary, port: {name: use-annotation}}}' })}`,
    }),
    corrected: canary({ routing: ALB }),
  },
  'argo-ingress-resource-backend': {
    ...ruled,
    title: 'an Ingress of an Argo Rollout has a backend that is no Service',
    because: 'the controller dies of it whenever it comes to this Rollout, and releases nothing',
    fix: 'move the path to an Ingress of its own',
    failing: canary({
      objects: `${SERVICES}${ingress({ backend: '{resource: {kind: Bucket, name: files}}' })}`,
    }),
    corrected: canary(),
  },
  'argo-analysis-template-not-found': {
    ...ruled,
    title: 'an analysis template of an Argo Rollout does not exist',
    because: `${REFUSED}; templates of the cluster need clusterScope: true`,
    fix: 'add the template, or set clusterScope',
    failing: canary({ steps: '- analysis: {templates: [{templateName: success}]}' }),
    corrected: analysis('count: 3, interval: 10s'),
  },
  'argo-analysis-invalid': {
    ...ruled,
    title: 'an analysis of an Argo Rollout lacks an argument, has a name twice or does not end',
    because:
      `${REFUSED}; except in the background a metric with an interval needs a count, which may not be an ` +
      'argument: the controller tries it with a placeholder',
    fix: 'give every argument a value, and every metric with an interval a count in figures',
    failing: analysis('count: "{{args.times}}", interval: 10s', '[{name: times, value: "x"}]'),
    corrected: analysis('count: 3, interval: 10s'),
  },
});
