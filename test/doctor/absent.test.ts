import { describe, expect, it } from 'vitest';
import { examine, LiveCluster } from '../../src/doctor';
import { canary, PING_PONG } from '../rehearsal/argo/stack';
import { clusterOf, examined } from './examined';

const rulesOf = ({ stack }: ReturnType<typeof examined>) => stack.findings.map(({ rule }) => rule);

describe('findings about a cluster that was read in part', () => {
  it('keeps a finding that reports no missing object, whatever its words', () => {
    const { stack } = examined(canary(PING_PONG));
    const note = stack.findings.find(({ rule }) => rule === 'rehearsal-weights-stay');
    expect(note?.message).toMatch(/\bRollout\b.*\bmissing\b/);
  });

  it('leaves out what a kind that was not read may hold', () => {
    const rollout = `apiVersion: rollouts.kruise.io/v1beta1
kind: Rollout
metadata: {name: web, namespace: shop}
spec:
  workloadRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  strategy: {canary: {steps: [{replicas: 1}]}}
---
apiVersion: v1
kind: Service
metadata: {name: other, namespace: shop}
spec: {selector: {app: other}, ports: [{port: 80}]}
`;
    const { manifests } = clusterOf(rollout).world;
    const live = { from: 'test', manifests, served: new Set(['Deployment.apps', 'Rollout.rollouts.kruise.io']) };
    expect(rulesOf(examine(new LiveCluster(live)))).toContain('kruise-reference-missing');
    const unread = [{ groupKind: 'Deployment.apps', why: 'forbidden' }];
    expect(rulesOf(examine(new LiveCluster({ ...live, unread })))).not.toContain('kruise-reference-missing');
  });
});
