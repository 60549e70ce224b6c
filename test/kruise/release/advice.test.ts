/** What a finding advises: an upgrade, another header, another order, an action. */
import { describe, expect, it } from 'vitest';
import { Manifest, World } from '../../../src/core';
import { kruiseAdvice } from '../../../src/kruise/release/advice';
import { readRollout } from '../../../src/kruise/subject';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import type { Moment, SeenOutcome, Situation } from '../../../src/release';
import { httpRoute, ingress, rollout, service } from '../rules/stack';

const { V0_5_5, V0_6_2 } = KruiseRolloutVersion;

const UPGRADE = 'install Kruise Rollouts 0.6.0 or later';
const TOO_EARLY = {
  because:
    'release v0.5.5 waits for the new pods before it lets the stable Service select only the old ones, so requests reach both versions for some seconds',
  fix: `${UPGRADE}, which changes the Service first`,
};
const INCOMPLETE = {
  severity: 'warning',
  because: 'release v0.5.5 begins a rollback with the Service: it selects all pods while new ones still run',
  fix: `${UPGRADE}, which restores the routes first`,
};
const FAILING_BACK = {
  severity: 'warning',
  because: 'release v0.5.5 replaces the new pods before it takes the requests away from them',
  fix: `${UPGRADE}, which restores the routes first, or use canary style`,
};
const NO_OLD_POD = {
  because: 'the step leaves no old pod, and release v0.5.5 lets the stable Service select only old pods',
  fix: 'let the step replace fewer pods than the workload has, or use canary style (enableExtraWorkloadForCanary: true)',
};

interface Case {
  readonly version?: KruiseRolloutVersion;
  readonly route?: object;
  readonly objects?: readonly object[];
  readonly moment?: Partial<Moment>;
  readonly outcome?: Partial<SeenOutcome>;
  readonly router?: string;
}

function advice(rule: string, options: Case = {}) {
  const { version = V0_6_2, route, objects = [service()], router = 'nginx' } = options;
  const manifest = Manifest.of(rollout(route === undefined ? {} : { route: { service: 'web', ...route } }));
  const world = World.of(objects.map((each) => Manifest.of(each)));
  const situation: Situation = {
    rule,
    router,
    isFrozen: false,
    moment: { phase: 'step', event: 'settled', world, pods: [], ...options.moment },
    outcome: {
      answer: { kind: 'nothing' },
      shares: { stable: 1, canary: 0, failed: 0, other: 0 },
      ...options.outcome,
    },
  };
  return kruiseAdvice(situation, readRollout(manifest, 'shop', version).route!, version);
}

describe('what follows from the order of old releases', () => {
  const pinned = (label: string) => [service({ selector: { app: 'web', [label]: 'stable' } })];
  const old = (rule: string, options: Case = {}) => advice(rule, { version: V0_5_5, ...options });

  it.each([
    ['rehearsal-canary-too-early', TOO_EARLY],
    ['rehearsal-rollback-incomplete', INCOMPLETE],
  ])('%s, where the stable Service selects all pods', (rule, expected) => {
    expect(old(rule)).toStrictEqual(expected);
    expect(old(rule, { objects: [] })).toStrictEqual(expected);
    expect(old(rule, { objects: [service({ selector: {} })] })).toStrictEqual(expected);
    expect(old(rule, { objects: pinned('track') })).toStrictEqual(expected);
    expect(old(rule, { objects: pinned('pod-template-hash') })).toStrictEqual({});
    expect(old(rule, { objects: pinned('controller-revision-hash') })).toStrictEqual({});
    expect(advice(rule)).toStrictEqual({});
  });

  it('rehearsal-requests-fail in a rollback', () => {
    const abort = { phase: 'abort' } as const;
    expect(old('rehearsal-requests-fail', { moment: abort })).toStrictEqual(FAILING_BACK);
    expect(advice('rehearsal-requests-fail', { moment: abort })).toStrictEqual({});
  });

  it('rehearsal-requests-fail in a step that leaves no old pod', () => {
    const pods = (...groups: readonly (readonly ['stable' | 'canary', number])[]) => ({
      pods: groups.map(([revision, replicas]) => ({ revision, replicas })),
    });
    const rule = 'rehearsal-requests-fail';
    expect(old(rule, { moment: pods(['stable', 0], ['canary', 10]) })).toStrictEqual(NO_OLD_POD);
    expect(old(rule, { moment: pods(['canary', 10]) })).toStrictEqual(NO_OLD_POD);
    expect(old(rule, { moment: pods(['stable', 1], ['canary', 9]) })).toStrictEqual({});
    expect(advice(rule, { moment: pods(['stable', 0], ['canary', 10]) })).toStrictEqual({});
  });

  it('nothing about other rules', () => {
    expect(old('rehearsal-weight-differs')).toStrictEqual({});
  });
});

describe('what nginx does to the conditions of a canary Ingress', () => {
  const PREFIX = 'nginx.ingress.kubernetes.io';
  const canary = (annotations: Record<string, string>) =>
    ingress('web-canary', {}, { name: 'web-canary', annotations });
  const by = (annotations: Record<string, string>, options: Case = {}) =>
    advice('rehearsal-canary-gets-nothing', { objects: [service(), canary(annotations)], ...options });
  const UNDERSCORE = { [`${PREFIX}/canary-by-header`]: 'x_user' };
  const DROPPED = {
    because: 'nginx drops headers with an underscore in their name, such as x_user',
    fix: 'use a name with hyphens, or set enable-underscores-in-headers: "true" in the ConfigMap of ingress-nginx',
  };

  it('is to drop headers with an underscore', () => {
    expect(by(UNDERSCORE)).toStrictEqual(DROPPED);
    const objects = [service(), canary(UNDERSCORE)];
    expect(advice('rehearsal-match-ignored', { objects })).toStrictEqual(DROPPED);
    expect(advice('rehearsal-weight-differs', { objects })).toStrictEqual({});
    expect(by({ [`${PREFIX}/canary-by-header`]: 'x-user' })).toStrictEqual({});
    expect(by({})).toStrictEqual({});
  });

  it('is to read a value with other characters as empty', () => {
    const advised = by({ [`${PREFIX}/canary-by-header-value`]: 'a,b' });
    expect(advised.because).toContain('read canary-by-header-value: "a,b" as empty');
    expect(advised.fix).toBe('match a value without other characters: a header that names a group of users');
  });

  it('concerns nginx, a canary Ingress that is there, and routes through an Ingress', () => {
    expect(by(UNDERSCORE, { router: 'aws-alb' }).fix).not.toBe(DROPPED.fix);
    expect(by(UNDERSCORE, { objects: [service()] })).toStrictEqual({});
    expect(by(UNDERSCORE, { route: { gateway: { httpRouteName: 'web' } } })).toStrictEqual({});
  });
});

describe('what an AWS load balancer needs', () => {
  const GROUP = { 'alb.ingress.kubernetes.io/group.name': 'shop' };
  const rule = (name: string, path = 'spec.rules[0].http.paths[0]') => ({
    description: 'rule 1',
    object: { kind: 'Ingress', namespace: 'shop', name },
    path,
  });
  const canary = (annotations: object) => ingress('web-canary', {}, { name: 'web-canary', annotations });
  const PUT =
    'put Ingress "web" into a group with an order (alb.ingress.kubernetes.io/group.name and group.order: "10"), ' +
    'and use the script trafficrouting_ingress/aws-alb.lua of this library, which gives the canary a lower order';
  const GIVE =
    'give the canary Ingress a lower group.order than Ingress "web": set alb.ingress.kubernetes.io/group.order: "10" ' +
    'and rollout-constructs.io/canary-group-order: "9" on it, and use the script trafficrouting_ingress/aws-alb.lua of this library';
  const aws = (id: string, outcome: Partial<SeenOutcome>, options: Case = {}) =>
    advice(id, { router: 'aws-alb', outcome, ...options });

  it.each<[what: string, objects: readonly object[], fix: string]>([
    ['a group', [canary({})], PUT],
    ['a lower order in the group', [canary(GROUP)], GIVE],
    ['a lower order than that of a canary Ingress that is not there', [], GIVE],
  ])('is %s for a canary that gets nothing', (_, objects, fix) => {
    expect(aws('rehearsal-canary-gets-nothing', { rule: rule('web') }, { objects })).toStrictEqual({ fix });
  });

  it('is nothing of that where another Ingress, or none, takes the requests', () => {
    expect(aws('rehearsal-canary-gets-nothing', { rule: rule('other') })).toStrictEqual({});
    expect(aws('rehearsal-canary-gets-nothing', {})).toStrictEqual({});
  });

  it.each(['rehearsal-canary-too-early', 'rehearsal-canary-gets-everything'])('is an action for %s', (id) => {
    const withPort = (port: object) => {
      const paths = [{ path: '/', backend: { service: { name: 'web', port } } }];
      return Manifest.of(ingress('web', { rules: [{ http: { paths } }] }));
    };
    const fix =
      'give the backend of Ingress "web" the port name use-annotation and an action; with a port number the load balancer ignores what the script writes';
    expect(aws(id, { rule: rule('web'), manifest: withPort({ number: 80 }) })).toStrictEqual({ fix });
    expect(aws(id, { rule: rule('web'), manifest: withPort({ name: 'http' }) })).toStrictEqual({ fix });
    expect(aws(id, { rule: rule('web'), manifest: withPort({ name: 'use-annotation' }) })).toStrictEqual({});
    expect(aws(id, { rule: rule('web') })).toStrictEqual({});
    expect(aws(id, { manifest: withPort({ number: 80 }) })).toStrictEqual({});
  });

  it('is nothing for other rules, other load balancers and other routes', () => {
    expect(aws('rehearsal-weight-differs', { rule: rule('web') })).toStrictEqual({});
    const outcome = { rule: rule('web') };
    expect(advice('rehearsal-canary-gets-nothing', { router: 'gateway', outcome })).toStrictEqual({});
    const route = { gateway: { httpRouteName: 'web' } };
    const objects = [httpRoute({ name: 'web' })];
    expect(aws('rehearsal-canary-gets-nothing', outcome, { route, objects })).toStrictEqual({});
  });
});
