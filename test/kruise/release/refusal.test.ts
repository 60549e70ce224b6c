/** Why a release is not played, word for word; and what a step declares. */
import { describe, expect, it } from 'vitest';
import { Manifest, World } from '../../../src/core';
import { declaredBy } from '../../../src/kruise/release/moments';
import { refusalOf, unusedOf } from '../../../src/kruise/release/refusal';
import { trafficRoutingsOf } from '../../../src/kruise/subject';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import { rollout, rolloutV1alpha1 } from '../rules/stack';

const { V0_4_4, V0_6_2 } = KruiseRolloutVersion;
const refusal = (object: object, version?: KruiseRolloutVersion) =>
  refusalOf(Manifest.of(object), version === undefined ? {} : { version });
const refused = (by: string, text: string, ...path: readonly (string | number)[]) => ({
  rule: 'rehearsal-refused',
  message: `${by} refuses the Rollout, so it is not rehearsed: ${text}`,
  path,
});
const CANARY = ['spec', 'strategy', 'canary'];

describe('a Rollout', () => {
  it('that both accept has no remark', () => {
    expect(refusal(rollout())).toBeUndefined();
    expect(refusal(rollout(), V0_6_2)).toBeUndefined();
  });

  it('is refused by the API server, which does not serve it', () => {
    const text = 'Kruise Rollouts 0.4.4 does not serve this apiVersion';
    expect(refusal(rollout(), V0_4_4)).toStrictEqual(refused('the API server', text, 'apiVersion'));
    const unknown = { ...rollout(), apiVersion: 'rollouts.kruise.io/v2' };
    const latest = 'Kruise Rollouts 0.6.2 does not serve this apiVersion';
    expect(refusal(unknown)).toStrictEqual(refused('the API server', latest, 'apiVersion'));
  });

  it('is refused by the API server, because of its schema', () => {
    const steps = [{ traffic: 20, replicas: 1 }];
    const path = [...CANARY, 'steps', 0, 'traffic'];
    const { message, ...rest } = refusal(rollout({ steps }))!;
    expect(rest).toStrictEqual({ rule: 'rehearsal-refused', path });
    expect(message).toMatch(
      /^the API server refuses the Rollout, so it is not rehearsed: spec\.strategy\.canary\.steps\[0\]\.traffic: .*string/,
    );
  });

  it('is refused by the webhook, which can not read it', () => {
    const { message, path } = refusal(rollout({ steps: [{ replicas: 3_000_000_000 }] }))!;
    expect(path).toEqual([...CANARY, 'steps', 0, 'replicas']);
    expect(message).toContain('the webhook refuses the Rollout, so it is not rehearsed: json: cannot unmarshal number');
  });

  it('is refused by the webhook, because it panics', () => {
    const text = 'it panics, and a missing answer counts as a refusal';
    const withoutWorkload = rolloutV1alpha1({ steps: [{ weight: 1 }] });
    const { spec } = withoutWorkload;
    expect(refusal({ ...withoutWorkload, spec: { ...spec, objectRef: {} } })).toStrictEqual(
      refused('the webhook', text, 'spec'),
    );
  });

  it('is refused by the webhook, with its first reason', () => {
    const steps = [{ traffic: '0%', replicas: 0 }];
    const { message, path } = refusal(rollout({ steps }))!;
    expect(path).toEqual([...CANARY, 'steps', 0, 'replicas']);
    expect(message).toMatch(
      /^the webhook refuses the Rollout, so it is not rehearsed: spec\.strategy\.canary\.steps\[0\]\.replicas: /,
    );
  });
});

describe('a TrafficRouting', () => {
  const routing = (name: string, namespace = 'shop') => ({
    apiVersion: 'rollouts.kruise.io/v1alpha1',
    kind: 'TrafficRouting',
    metadata: { name, namespace },
    spec: { objectRef: [{ service: 'web', ingress: { name: 'web' } }], strategy: { weight: 20 } },
  });
  const unused = (...objects: readonly object[]) => {
    const world = World.of([routing('front'), ...objects].map((each) => Manifest.of(each)));
    return unusedOf(trafficRoutingsOf(world)[0]!, world);
  };
  const byField = (name: string, options: object = {}) =>
    rollout({ route: null, strategy: { trafficRoutingRef: name }, ...options });
  const byAnnotation = (name: string, options: object = {}) =>
    rollout({ route: null, annotations: { 'rollouts.kruise.io/trafficrouting': name }, ...options });
  const remark = (name: string) => ({
    rule: 'rehearsal-incomplete',
    message: `Rollout "${name}" names this TrafficRouting only in trafficRoutingRef, which no controller reads: it is never applied, so it is not rehearsed`,
    because: 'the controllers read only the annotation rollouts.kruise.io/trafficrouting of the Rollout',
    fix: `add the annotation rollouts.kruise.io/trafficrouting: front to Rollout "${name}"`,
  });

  it('is not applied where Rollouts name it by a field alone', () => {
    expect(unused(byField('front'))).toStrictEqual(remark('web'));
    expect(unused(byField('front', { blueGreen: true }))).toStrictEqual(remark('web'));
    expect(unused(byAnnotation('other'), byField('front', { name: 'second' }))).toStrictEqual(remark('second'));
  });

  it('may be applied otherwise', () => {
    expect(unused()).toBeUndefined();
    expect(unused(rollout())).toBeUndefined();
    expect(unused(byField('other'))).toBeUndefined();
    expect(unused(byField('front', { namespace: 'other' }))).toBeUndefined();
    expect(unused(byAnnotation('front'))).toBeUndefined();
    expect(unused(byField('front'), byAnnotation('front', { name: 'second' }))).toBeUndefined();
  });
});

describe('a step', () => {
  const matches = [{ headers: [{ type: 'Exact', name: 'a', value: 'b' }] }] as const;

  it('declares its matches first, then its traffic', () => {
    expect(declaredBy({ traffic: '20%' })).toStrictEqual({ share: 0.2, matches: [] });
    expect(declaredBy({ traffic: '20%', matches: [] })).toStrictEqual({ share: 0.2, matches: [] });
    expect(declaredBy({ traffic: '0%' })).toStrictEqual({ share: 0, matches: [] });
    expect(declaredBy({ traffic: '20%', matches })).toStrictEqual({ share: 0, matches });
    expect(declaredBy({ matches })).toStrictEqual({ share: 0, matches });
    expect(declaredBy({})).toBeUndefined();
    expect(declaredBy({ matches: [] })).toBeUndefined();
  });
});
