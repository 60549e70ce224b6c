import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { rolloutSchema } from '../../../src/argo/admission/schema/rollout';
import type { JsonObject } from '../../../src/core/json';
import { checkObject } from '../../../src/core/schema';

const CRD = join(__dirname, '..', '..', '..', '..', 'shared', 'upstream', 'argo-rollouts', 'crd-rollout.yaml');

/** A schema without what the API server does not check on creation, in one order. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(
      ([key, one]) =>
        !(key === 'description' && typeof one === 'string') &&
        key !== 'x-kubernetes-map-type' &&
        !(key === 'x-kubernetes-list-type' && one === 'atomic'),
    )
    .map(([key, one]) => [key, key === 'required' ? [...(one as string[])].sort() : plain(one)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

describe('the schema of Rollouts', () => {
  it.runIf(existsSync(CRD))('takes and refuses what the CRD does', () => {
    const crd = parse(readFileSync(CRD, 'utf8'));
    expect(plain(rolloutSchema)).toEqual(plain(crd.spec.versions[0].schema.openAPIV3Schema));
  });

  const rollout = (spec: JsonObject) => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Rollout',
    metadata: { name: 'shop' },
    spec,
  });

  it('keeps volumes and the configuration of plugins whole', () => {
    const object = rollout({
      template: { spec: { containers: [{ name: 'web' }], volumes: [{ name: 'x', csi: { anything: [1] } }] } },
      strategy: { canary: { trafficRouting: { plugins: { 'a/b': { c: { d: 1 } } } } } },
    });
    const { errors, unknown, object: stored } = checkObject(object, rolloutSchema);
    expect({ errors, unknown }).toEqual({ errors: [], unknown: [] });
    expect(stored).toEqual(object);
  });

  it('finds unknown fields and wrong types in the pod template', () => {
    const object = rollout({
      template: { spec: { containers: [{ name: 'web', imag: 'x', ports: [{ containerPort: '80' }] }] } },
    });
    const { errors, unknown } = checkObject(object, rolloutSchema);
    expect(unknown.map(({ path }) => path.join('.'))).toEqual(['spec.template.spec.containers.0.imag']);
    expect(errors.map(({ path }) => path.join('.'))).toEqual(['spec.template.spec.containers.0.ports.0.containerPort']);
  });
});
