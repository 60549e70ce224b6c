import { describe, expect, it } from 'vitest';
import { checkEnvironments, isAboutEnvironments, isInNamespace } from '../../src/check';
import { type Finding, type ObjectRef, parseManifests, World } from '../../src/core';

function about(rule: string, object?: ObjectRef, related?: ObjectRef): Finding {
  const texts = { severity: 'error', message: '', because: '', fix: '', docs: '' } as const;
  return { rule, ...texts, ...(object && { object }), ...(related && { related: { message: '', object: related } }) };
}

describe('findings about virtual environments', () => {
  it.each([
    ['ktenv-gateway-port', undefined, 'env.alibaba.com/v1alpha2'],
    ['suppression-unused', undefined, 'apps/v1'],
    ['field-unknown', 'VirtualEnvironment', 'env.alibaba.com/v1alpha2'],
  ])('are those of KtEnv, those of manifests, and those of the schema of its kinds: %s', (rule, kind, apiVersion) => {
    expect(isAboutEnvironments(about(rule, { kind: kind ?? 'Namespace', name: 'demo', apiVersion }))).toBe(true);
  });

  it.each([
    ['field-unknown', 'argoproj.io/v1alpha1'],
    ['field-unknown', 'env.alibaba.community/v1'],
    ['argo-service-not-found', 'env.alibaba.com/v1alpha2'],
    ['rehearsal-incomplete', 'rollouts.kruise.io/v1beta1'],
  ])('are no others: %s of %s', (rule, apiVersion) => {
    expect(isAboutEnvironments(about(rule, { kind: 'Rollout', name: 'demo', apiVersion }))).toBe(false);
    expect(isAboutEnvironments(about('field-unknown'))).toBe(false);
  });

  it('are all that checkEnvironments finds', () => {
    const yaml = `apiVersion: env.alibaba.com/v1alpha2
kind: VirtualEnvironment
metadata: {name: demo, namespace: shop, annotations: {rollout-constructs.io/ignore: "ktenv-splitter: known\\nargo-service-not-found: known"}}
spec: {envHeader: {name: x-env}, envLabel: {name: virtual-env, splitter: .}, nonsense: 1}
---
apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: web, namespace: shop}
spec: {nonsense: 1}
`;
    const { manifests } = parseManifests(yaml, 'a.yaml');
    const { findings, suppressed } = checkEnvironments(World.of(manifests), { istioVersion: '1.24' });
    expect(findings.length).toBeGreaterThan(0);
    expect(
      [...findings, ...suppressed.map(({ finding }) => finding)].filter((one) => !isAboutEnvironments(one)),
    ).toEqual([]);
    const accepting = yaml.replaceAll(
      '{name: ',
      '{annotations: {rollout-constructs.io/ignore: "field-unknown: known"}, name: ',
    );
    const plain = accepting.replace(/, annotations: \{rollout-constructs.io\/ignore: "ktenv[^}]*\}/, '');
    const accepted = checkEnvironments(World.of(parseManifests(plain, 'a.yaml').manifests), { istioVersion: '1.24' });
    expect([...new Set(accepted.suppressed.map(({ finding }) => `${finding.rule} ${finding.object?.kind}`))]).toEqual([
      'field-unknown VirtualEnvironment',
    ]);
    expect(findings.map(({ rule, object }) => `${rule} ${object?.kind}`)).toContain('field-unknown VirtualEnvironment');
    expect(findings.map(({ object }) => object?.kind)).not.toContain('Rollout');
  });
});

describe('a finding is in a namespace', () => {
  const pod = { kind: 'Pod', name: 'a' };
  it.each<[string, ObjectRef | undefined, ObjectRef | undefined, boolean]>([
    ['of its object', { ...pod, namespace: 'shop' }, undefined, true],
    ['of the object that it is about too', { ...pod, namespace: 'other' }, { ...pod, namespace: 'shop' }, true],
    ['that is its object', { kind: 'Namespace', name: 'shop' }, undefined, true],
    ['and in no other', { ...pod, namespace: 'other' }, undefined, false],
    [
      'and not in one that only has its name',
      { kind: 'Namespace', name: 'other', namespace: 'shop' },
      undefined,
      false,
    ],
    ['but not without an object', undefined, undefined, false],
  ])('%s', (_, object, related, isHere) => {
    expect(isInNamespace(about('some-rule', object, related), 'shop')).toBe(isHere);
  });

  it('called default where none is written', () => {
    expect(isInNamespace(about('some-rule', pod), 'default')).toBe(true);
    expect(isInNamespace(about('some-rule', { kind: 'Pod', name: 'default' }), 'shop')).toBe(false);
  });
});
