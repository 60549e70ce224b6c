import { defineRules, type RuleExample } from '../../../core/rule';
import { ANALYSIS, VERSION } from './examples';

const WEB = 'provider: {web: {url: "https://example.com"}}';

const object = (kind: string, spec: string, version = 'v1alpha1'): RuleExample => ({
  language: 'yaml',
  text: `apiVersion: argoproj.io/${version}\nkind: ${kind}\nmetadata: {name: success}\nspec:\n${spec
    .split('\n')
    .map((line) => `  ${line}\n`)
    .join('')}`,
});
const template = (metric: string, more = '') => object('AnalysisTemplate', `${more}metrics: [{name: ok, ${metric}}]`);
const run = (metric: string, more = '') => object('AnalysisRun', `${more}metrics: [{name: ok, ${metric}}]`);

const ENDS =
  'the AnalysisRun fails before its first measurement, and the controller aborts the Rollout that waits for it';

const ruled = { severity: 'error', because: ENDS, basis: 'read', sources: ANALYSIS } as const;

/** The controller's rules for AnalysisTemplates and AnalysisRuns. */
export const analysisRules = defineRules({
  'argo-version-unknown': {
    severity: 'error',
    title: 'Argo Rollouts does not serve a kind in this API version',
    because: 'the API server refuses the object',
    fix: 'use apiVersion argoproj.io/v1alpha1',
    basis: 'read',
    sources: VERSION,
    failing: object('AnalysisTemplate', `metrics: [{name: ok, ${WEB}}]`, 'v1'),
    corrected: template(WEB),
  },
  'argo-analysis-without-metrics': {
    ...ruled,
    title: 'an analysis has no metrics',
    fix: 'add a metric',
    failing: object('AnalysisTemplate', 'metrics: []'),
    corrected: template(WEB),
  },
  'argo-metric-name-twice': {
    ...ruled,
    title: 'two metrics of an analysis have the same name',
    because: `${ENDS}; the controller cannot merge templates with such metrics`,
    fix: 'give each metric a unique name',
    failing: object('AnalysisTemplate', `metrics: [{name: ok, ${WEB}}, {name: ok, ${WEB}}]`),
    corrected: object('AnalysisTemplate', `metrics: [{name: ok, ${WEB}}, {name: fast, ${WEB}}]`),
  },
  'argo-metric-provider': {
    ...ruled,
    title: 'a metric has no provider, or several',
    fix: 'set one provider; each plugin counts as one',
    failing: template('provider: {}'),
    corrected: template(WEB),
  },
  'argo-metric-interval': {
    ...ruled,
    title: 'a metric with several measurements has no interval, or has an invalid duration',
    fix: 'set interval to the time between two measurements, such as 30s or 5m',
    failing: template(`count: 3, ${WEB}`),
    corrected: template(`count: 3, interval: 30s, ${WEB}`),
  },
  'argo-metric-limit': {
    ...ruled,
    title: 'the limits of a metric exceed its count, or are out of range',
    because: `${ENDS}; the metric could never reach such a limit`,
    fix: 'let failureLimit and consecutiveSuccessLimit together be at most count; failureLimit: -1 needs a consecutiveSuccessLimit',
    failing: template(`count: 3, interval: 30s, failureLimit: 5, ${WEB}`),
    corrected: template(`count: 3, interval: 30s, failureLimit: 1, ${WEB}`),
  },
  'argo-placeholder-unknown': {
    ...ruled,
    title: 'a metric has a placeholder that is not an argument of its analysis',
    because: `${ENDS}; in a template it is a warning if another template of the same analysis may declare the argument`,
    fix: 'declare the argument in spec.args, or correct its name',
    failing: run('provider: {web: {url: "https://{{args.host}}"}}'),
    corrected: run('provider: {web: {url: "https://{{args.host}}"}}', 'args: [{name: host, value: example.com}]\n'),
  },
  'argo-argument-without-value': {
    ...ruled,
    title: 'an argument of an AnalysisRun has no value',
    fix: 'set value, or valueFrom.secretKeyRef',
    failing: run(WEB, 'args: [{name: host}]\n'),
    corrected: run(WEB, 'args: [{name: host, value: example.com}]\n'),
  },
  'argo-argument-two-values': {
    ...ruled,
    severity: 'warning',
    title: 'an argument of an analysis template has value and valueFrom',
    because: 'the controller refuses a Rollout that uses the template, except in a background analysis',
    fix: 'keep one of the two',
    failing: template(WEB, 'args: [{name: key, value: x, valueFrom: {secretKeyRef: {name: keys, key: web}}}]\n'),
    corrected: template(WEB, 'args: [{name: key, valueFrom: {secretKeyRef: {name: keys, key: web}}}]\n'),
  },
  'argo-metric-rule-unmatched': {
    ...ruled,
    title: 'dryRun or measurementRetention refers to a metric that does not exist',
    because: `${ENDS}; in a template it is a warning, because another template of the same analysis may have the metric`,
    fix: 'use the name of a metric, or a regular expression that matches one',
    failing: run(WEB, 'dryRun: [{metricName: latency}]\n'),
    corrected: run(WEB, 'dryRun: [{metricName: ok}]\n'),
  },
});
