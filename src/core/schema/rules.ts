import { defineRules } from '../rule';

const PRUNING =
  'https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#field-pruning';
const STRUCTURAL =
  'https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation';
const NAMES = 'https://kubernetes.io/docs/concepts/overview/working-with-objects/names/';
const LABELS = 'https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/';

const rollout = (rest: string) =>
  ({
    language: 'yaml',
    text: `apiVersion: rollouts.kruise.io/v1beta1
kind: Rollout
metadata:
  name: web
spec:
  workloadRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  strategy:
    canary:
      enableExtraWorkloadForCanary: true
      steps:
        ${rest}
      trafficRoutings:
        - {service: web, ingress: {name: web}}
`,
  }) as const;

const named = (metadata: string) =>
  ({ language: 'yaml', text: rollout('- replicas: 20%').text.replace('  name: web\n', metadata) }) as const;

/** Rules for what the API server rejects or drops, for all objects with a known schema. */
export const schemaRules = defineRules({
  'field-unknown': {
    severity: 'error',
    title: 'the API does not know a field',
    because:
      'kubectl refuses the object; a client without strict validation sends it, and the API server drops the field ' +
      'without a word, so that it has no effect',
    fix: 'correct the name, or remove the field',
    basis: 'run',
    sources: [PRUNING],
    failing: rollout('- {weight: 20, replicas: 20%}'),
    corrected: rollout('- {traffic: 20%, replicas: 20%}'),
  },
  'field-null': {
    severity: 'error',
    title: 'a field of a custom object is null',
    because:
      'server-side apply, as of kubectl apply --server-side and of GitOps tools, refuses the object; other clients send it, ' +
      'and the API server drops the field',
    fix: 'write a value, such as {} or [], or leave the field out',
    basis: 'run',
    sources: [
      'https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#defaulting-and-nullable',
    ],
    failing: rollout('- {replicas: 20%, pause: null}'),
    corrected: rollout('- {replicas: 20%, pause: {}}'),
  },
  'field-missing': {
    severity: 'error',
    title: 'a required field is missing',
    because: 'the API server refuses the object',
    fix: 'add the field',
    basis: 'run',
    sources: [STRUCTURAL],
    failing: rollout('- {replicas: 20%, matches: [{headers: [{name: user-agent}]}]}'),
    corrected: rollout('- {replicas: 20%, matches: [{headers: [{name: user-agent, value: Android}]}]}'),
  },
  'field-invalid': {
    severity: 'error',
    title: 'the API refuses the value of a field',
    because: 'the API server refuses the object',
    fix: 'correct the value',
    basis: 'run',
    sources: [STRUCTURAL],
    failing: rollout('- {traffic: 20, replicas: 20%}'),
    corrected: rollout('- {traffic: 20%, replicas: 20%}'),
  },
  'list-item-duplicate': {
    severity: 'error',
    title: 'a list has the same item twice',
    because: 'the API server refuses the object: it distinguishes items of this list by their keys',
    fix: 'remove one of the two, or merge them',
    basis: 'run',
    sources: ['https://kubernetes.io/docs/reference/using-api/server-side-apply/#merge-strategy'],
    failing: rollout('- {replicas: 20%, matches: [{headers: [{name: a, value: b}, {name: a, value: c}]}]}'),
    corrected: rollout(
      '- {replicas: 20%, matches: [{headers: [{name: a, value: b}]}, {headers: [{name: a, value: c}]}]}',
    ),
  },
  'metadata-invalid': {
    severity: 'error',
    title: 'the API refuses a name, label or annotation',
    because: 'the API server refuses the object',
    fix: 'correct the name, label or annotation',
    basis: 'run',
    sources: [NAMES, LABELS],
    failing: named('  name: Web_Shop\n'),
    corrected: named('  name: web-shop\n'),
  },
});
