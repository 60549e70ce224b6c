import { defineRules } from '../core/rule';

const install = (tag: string) =>
  ({
    language: 'yaml',
    text: `apiVersion: apps/v1
kind: Deployment
metadata: {name: argo-rollouts, namespace: argo-rollouts}
spec:
  selector: {matchLabels: {app: argo-rollouts}}
  template:
    metadata: {labels: {app: argo-rollouts}}
    spec:
      containers: [{name: argo-rollouts, image: "quay.io/argoproj/argo-rollouts:${tag}"}]
`,
  }) as const;

/** Rules on the versions of controllers. */
export const versionRules = defineRules({
  'controller-version-unknown': {
    severity: 'warning',
    title: 'the stack installs a version of a controller that this library does not know',
    because: 'the nearest known version is checked and rehearsed instead, which may behave differently',
    fix: 'update rollout-constructs, or state the version whose behavior is closest',
    basis: 'run',
    sources: ['https://github.com/argoproj/argo-rollouts/releases', 'https://github.com/openkruise/rollouts/releases'],
    failing: install('v1.99.0'),
    corrected: install('v1.9.1'),
  },

  'controller-version-contradicted': {
    severity: 'warning',
    title: 'the stated version of a controller is not the one that the stack installs',
    because: 'the stated version is checked and rehearsed, and the installed one behaves differently',
    fix: 'state the version that the stack installs, or state none: the install decides then',
    basis: 'run',
    sources: ['https://github.com/argoproj/argo-rollouts/releases', 'https://github.com/openkruise/rollouts/releases'],
    failing: install('v1.8.3'),
    corrected: install('v1.9.1'),
  },
});
