import { describe, expect, it } from 'vitest';
import { withCauses } from '../../src/check/causes';
import { type Finding, type ObjectRef, parseManifests, type Severity, World } from '../../src/core';

const world = World.of(
  parseManifests(
    `apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: web, namespace: shop}
spec: {strategy: {canary: {canaryService: web-canary, trafficRouting: {alb: {ingress: web-ingress}}, steps: [{setWeight: 5}]}}}
`,
    'a.yaml',
  ).manifests,
);

const rollout: ObjectRef = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', namespace: 'shop', name: 'web' };
const service: ObjectRef = { apiVersion: 'v1', kind: 'Service', namespace: 'shop', name: 'web-canary' };
const ingress: ObjectRef = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  namespace: 'shop',
  name: 'web-ingress',
};

function finding(rule: string, object?: ObjectRef, severity: Severity = 'error'): Finding {
  return { rule, severity, message: 'wrong', because: '', fix: '', docs: '', ...(object && { object }) };
}

/** Of the mistakes, the one that a rehearsal of the Rollout follows from. */
function causeOf(shown: string, ...mistakes: Finding[]) {
  const [rehearsed] = withCauses([finding(shown, rollout), ...mistakes], world);
  return rehearsed!.cause;
}

describe('what a rehearsal shows', () => {
  it('follows from a mistake of the Rollout that is known to show so', () => {
    expect(causeOf('rehearsal-group-freezes', finding('argo-alb-service-port-invalid', rollout))).toEqual({
      rule: 'argo-alb-service-port-invalid',
      object: rollout,
    });
    expect(causeOf('rehearsal-match-widened', finding('argo-alb-service-port-invalid', rollout))).toBeUndefined();
    for (const shown of ['rehearsal-group-freezes', 'rehearsal-weight-differs']) {
      expect(causeOf(shown, finding('argo-alb-experiment-port', rollout))).toBeDefined();
    }
  });

  it.each([service, ingress])('follows from one of an object that its spec names: $kind', (object) => {
    expect(causeOf('rehearsal-group-freezes', finding('argo-alb-service-without-port', object))?.object).toEqual(
      object,
    );
  });

  it('follows from no other object, Rollout or namespace', () => {
    const mistake = (object: ObjectRef) => finding('argo-alb-service-without-port', object);
    for (const object of [
      { ...service, name: 'other' },
      { ...service, namespace: 'other' },
      { ...rollout, name: 'web-canary' },
    ]) {
      expect(causeOf('rehearsal-group-freezes', mistake(object))).toBeUndefined();
    }
  });

  it('follows from no note, nor from what is about no object', () => {
    expect(
      causeOf('rehearsal-group-freezes', finding('argo-alb-service-without-port', service, 'note')),
    ).toBeUndefined();
    expect(causeOf('rehearsal-group-freezes', finding('argo-alb-service-without-port'))).toBeUndefined();
    expect(causeOf('rehearsal-group-freezes', finding('no-such-rule', rollout))).toBeUndefined();
  });

  it('follows from the first of several, wherever it is named', () => {
    const ofIngress = finding('argo-alb-service-without-port', ingress);
    const ofRollout = finding('argo-alb-service-port-invalid', rollout);
    expect(causeOf('rehearsal-group-freezes', ofIngress, ofRollout)?.object).toEqual(ingress);
    expect(causeOf('rehearsal-group-freezes', ofRollout, ofIngress)?.object).toEqual(rollout);
    expect(causeOf('rehearsal-group-freezes', { ...ofRollout, severity: 'note' }, ofIngress)?.object).toEqual(ingress);
  });

  it('is looked for among all findings, also those that are not given back', () => {
    const shown = finding('rehearsal-group-freezes', rollout);
    const cause = finding('argo-alb-service-without-port', { ...service });
    expect(withCauses([shown], world, [cause, shown])[0]!.cause?.rule).toBe(cause.rule);
  });
});

describe('what no rehearsal shows', () => {
  it('stays as it is', () => {
    const cause = finding('argo-alb-service-without-port', service);
    const others = [cause, finding('argo-service-shared', rollout), finding('rehearsal-group-freezes')];
    const found = withCauses(others, world);
    expect(found).toEqual(others);
    expect(found.every((one, at) => one === others[at])).toBe(true);
    const none = [finding('rehearsal-group-freezes', rollout)];
    expect(withCauses(none, world)).toBe(none);
  });
});

describe('an object without a namespace', () => {
  it('is in the namespace of the World', () => {
    const { namespace: _, ...bare } = service;
    const here = World.of(world.manifests, { defaultNamespace: 'shop' });
    const found = withCauses(
      [finding('rehearsal-group-freezes', rollout), finding('argo-alb-service-without-port', bare)],
      here,
    );
    expect(found[0]!.cause?.object).toEqual(bare);
  });
});
