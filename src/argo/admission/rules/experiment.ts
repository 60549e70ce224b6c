import { defineRules, type RuleExample } from '../../../core/rule';
import { EXPERIMENT } from './examples';

const PODS = 'template: {metadata: {labels: {app: shop}}, spec: {containers: [{name: web, image: "nginx:1.25"}]}}';
const TEMPLATE = `{name: baseline, selector: {matchLabels: {app: shop}}, ${PODS}}`;

const experiment = (template: string, more = ''): RuleExample => ({
  language: 'yaml',
  text: `apiVersion: argoproj.io/v1alpha1
kind: Experiment
metadata: {name: compare}
spec:
  duration: 10m
  templates:
    - ${template}
${more}`,
});

const ANALYSES = '  analyses: [{name: ok, templateName: success}]\n';
const FOUND = `---
apiVersion: argoproj.io/v1alpha1
kind: AnalysisTemplate
metadata: {name: success}
spec:
  metrics: [{name: ok, provider: {web: {url: "https://example.com"}}}]
`;

/** The controller's rules for Experiments. */
export const experimentRules = defineRules({
  'argo-experiment-invalid': {
    severity: 'error',
    title: 'a template of an Experiment is invalid',
    because:
      'kubectl apply succeeds, but the controller sets the condition InvalidSpec, or cannot create the ReplicaSet ' +
      'and the Experiment fails',
    fix: 'correct the template: it needs a unique name, a selector that matches its pods, and a valid pod template',
    basis: 'read',
    sources: EXPERIMENT,
    failing: experiment(TEMPLATE.replace('{matchLabels: {app: shop}}', '{matchLabels: {app: store}}')),
    corrected: experiment(TEMPLATE),
  },
  'argo-experiment-template-not-found': {
    severity: 'error',
    title: 'an analysis template of an Experiment does not exist',
    because: 'the analysis fails, and with it the Experiment; a ClusterAnalysisTemplate needs clusterScope: true',
    fix: 'add the template, or set clusterScope',
    basis: 'read',
    sources: EXPERIMENT,
    failing: experiment(TEMPLATE, ANALYSES),
    corrected: experiment(TEMPLATE, `${ANALYSES}${FOUND}`),
  },
});
