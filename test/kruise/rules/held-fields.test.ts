import { describe, expect, it } from 'vitest';
import { deployment, found, object, rollout, service } from './stack';

const RULE = 'warning kruise-workload-field-held';
const withSpec = (each: object, fields: object, metadata: object = {}) => {
  const { metadata: own, spec } = each as { metadata: object; spec: object };
  return { ...each, metadata: { ...own, ...metadata }, spec: { ...spec, ...fields } };
};
const heldIn = (...objects: readonly object[]) => found(objects).filter((line) => line.startsWith(RULE));

describe('fields of a workload that the controller holds', () => {
  it('are found in blue-green style', () => {
    const declared = withSpec(deployment(), { minReadySeconds: 0 });
    expect(heldIn(rollout({ blueGreen: true }), declared, service())).toEqual([
      `${RULE} spec.minReadySeconds: Deployment "web" declares minReadySeconds: an apply in the middle of a release replaces all pods, and the stable Service has none`,
    ]);
    expect(heldIn(rollout({}), declared, service())).toEqual([]);
  });

  it('are the partition of other workloads', () => {
    const workloadRef = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web' };
    const set = (updateStrategy: object) => object('apps/v1', 'StatefulSet', { replicas: 4, updateStrategy });
    const heldBy = (updateStrategy: object) => heldIn(rollout({ workloadRef }), set(updateStrategy), service());
    expect(heldBy({ type: 'RollingUpdate', rollingUpdate: { partition: 0 } })).toHaveLength(1);
    expect(heldBy({ type: 'RollingUpdate' })).toEqual([]);
  });

  it('are not known of an object from a cluster, which has defaults', () => {
    const live = withSpec(deployment(), { minReadySeconds: 0 }, { resourceVersion: '7' });
    expect(heldIn(rollout({ blueGreen: true }), live, service())).toEqual([]);
  });
});
