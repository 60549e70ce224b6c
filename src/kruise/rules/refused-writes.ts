/** Checks that the controller can write to a Rollout of v1alpha1. */
import { defineRules } from '../../core/rule';
import { admitRollout } from '../admission';
import { refusedWrite } from '../refused-write';
import type { RolloutChecker } from './context';
import * as example from './examples';
import { yaml } from './examples';
import { source } from './sources';

const OF_V1ALPHA1 = (weight: number) => `apiVersion: rollouts.kruise.io/v1alpha1
kind: Rollout
metadata: { name: web, namespace: shop }
spec:
  objectRef: { workloadRef: { apiVersion: apps/v1, kind: Deployment, name: web } }
  strategy:
    canary:
      steps:
        - { weight: ${weight}, replicas: 20%, pause: {} }
        - { weight: 100, replicas: 100% }
      trafficRoutings:
        - service: web
          ingress: { name: web, classType: nginx }
`;
const STACK = [example.DEPLOYMENT, example.SERVICE, example.INGRESS] as const;

/** Rules for Rollouts that the controller can only read. */
export const refusedWriteRules = defineRules({
  'kruise-rollout-unwritable': {
    severity: 'error',
    title: 'the webhook refuses what the controller writes to a Rollout of v1alpha1',
    because:
      'the controller writes each Rollout as v1beta1, and the webhook refuses there what it accepts in v1alpha1. The controller can neither ' +
      'register a new Rollout nor begin a release: the webhook pauses the workload at the next version, it stays paused, and the Rollout ' +
      'goes on to say what it said before',
    fix: 'correct the field as v1beta1 asks for it, or leave it out',
    basis: 'run',
    sources: [source.conversion, source.validation],
    failing: yaml(OF_V1ALPHA1(0), ...STACK),
    corrected: yaml(OF_V1ALPHA1(10), ...STACK),
  },
});

/** Checks every Rollout of v1alpha1. */
export const checkRefusedWrites: RolloutChecker = ({ rollouts, version }) =>
  rollouts.flatMap(({ manifest }) => {
    const refused = refusedWrite(manifest, { version });
    if (refused === undefined || !admitRollout(manifest.object, {}, { version }).allowed) return [];
    return [
      manifest.finding(refusedWriteRules['kruise-rollout-unwritable'], {
        message: `the controller cannot write to Rollout "${manifest.name}": in v1beta1, ${refused.text}`,
        path: refused.path,
      }),
    ];
  });
