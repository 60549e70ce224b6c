import type { Finding } from '../../core/finding';
import { defineRules } from '../../core/rule';
import { ARGO_ROLLOUT } from '../admission/findings';
import { canary } from '../admission/rules/examples';
import { canaryOf } from '../controller';
import { NO_TEMPLATE } from '../controller/analysis';
import { neverEnds } from '../controller/never-ends';
import { thresholdOf } from '../controller/threshold';
import { ArgoRolloutsVersion } from '../version';
import type { ArgoAlbChecker } from './context';

const PATH = ['spec', 'strategy', 'canary', 'replicaProgressThreshold'];
const SOURCES = ['https://github.com/argoproj/argo-rollouts/blob/v1.10.2/utils/replicaset/canary.go'];

const withThreshold = (threshold: string) =>
  canary({ spec: 'replicas: 10', rest: `replicaProgressThreshold: {${threshold}}` });

/** Rules for `replicaProgressThreshold`. */
export const argoThresholdRules = defineRules({
  'argo-threshold-never-met': {
    severity: 'error',
    title: 'replicaProgressThreshold asks for more ready pods than a step has',
    because:
      'a step with setWeight or setCanaryScale goes on when enough pods of the new version are ready; where the threshold asks for more ' +
      'than the step has, the controller waits for ever, and the new version keeps the weight of the step before',
    fix: 'ask for a part of the pods (type: Percent, at most 100), or for no more pods than each step has, from the first one on',
    basis: 'run',
    rehearsedAs: ['rehearsal-step-never-ends'],
    sources: SOURCES,
    failing: withThreshold('type: Pods, value: 5'),
    corrected: withThreshold('type: Percent, value: 50'),
  },
  'argo-threshold-type': {
    severity: 'warning',
    title: 'replicaProgressThreshold has a type that is neither Percent nor Pods',
    because: 'the API server takes any text, and the controller counts pods for every type but "Percent"',
    fix: 'write Percent or Pods',
    basis: 'run',
    sources: SOURCES,
    failing: withThreshold('type: pods, value: 1'),
    corrected: withThreshold('type: Pods, value: 1'),
  },
  'argo-threshold-zero': {
    severity: 'warning',
    title: 'replicaProgressThreshold is 0',
    because:
      'no pod of the new version has to be ready: a release of a version whose pods never become ready goes through its steps without ' +
      'traffic, and the Rollout is Healthy while the old pods serve; the next release then takes the broken version for the stable one',
    fix: 'ask for one ready pod at least',
    basis: 'run',
    sources: SOURCES,
    failing: withThreshold('type: Percent, value: 0'),
    corrected: withThreshold('type: Percent, value: 50'),
  },
});

/** Checks that a release goes on with as many ready pods as its steps have, and not with none. */
export const checkThreshold: ArgoAlbChecker = ({ world, options: { version = ArgoRolloutsVersion.LATEST } }) =>
  world.list(ARGO_ROLLOUT).flatMap((manifest): Finding[] => {
    const threshold = thresholdOf(canaryOf(manifest.object), version);
    if (threshold === undefined) return [];
    const { type, value } = threshold;
    const name = `Rollout "${manifest.name}"`;
    const finding = (rule: keyof typeof argoThresholdRules, field: 'type' | 'value', message: string) =>
      manifest.finding(argoThresholdRules[rule], { path: [...PATH, field], message });
    const findings: Finding[] = [];
    if (type !== 'Percent' && type !== 'Pods') {
      const message = `replicaProgressThreshold of ${name} has the type "${type}", so the controller counts pods: ${value} of them`;
      findings.push(finding('argo-threshold-type', 'type', message));
    }
    if (value === 0) {
      const message = `${name} becomes Healthy even if no pod of its new version is ready, because replicaProgressThreshold is 0`;
      findings.push(finding('argo-threshold-zero', 'value', message));
    }
    const end = neverEnds(manifest, world, version);
    // An analysis without a template has a rule of its own.
    if (end?.why !== undefined && end.why !== NO_TEMPLATE) {
      findings.push(
        finding('argo-threshold-never-met', 'value', `steps[${end.step}] of ${name} never ends: ${end.why}`),
      );
    }
    return findings;
  });
