/** In which order each release writes, and what requests meet in between. */
import { describe, expect, it } from 'vitest';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import { rehearseStack, rulesOf, sharesOf } from '../../rehearsal/stack';
import { GATEWAY_API, NGINX, PARTITION, writesOf } from './writes';

const { V0_3_0, V0_4_4, V0_5_0, V0_5_5, V0_6_0, V0_6_2 } = KruiseRolloutVersion;
const STEPS = [
  { weight: 20, replicas: '20%' },
  { weight: 100, replicas: '100%' },
];

/** The old API, which every release serves. */
function rehearseOld(kruiseVersion: KruiseRolloutVersion) {
  return rehearseStack({ ...NGINX, api: 'v1alpha1', steps: STEPS }, { kruiseVersion });
}

describe('the first step', () => {
  it('begins with the stable Service from 0.6 on', () => {
    for (const version of [V0_6_0, V0_6_2]) {
      expect(writesOf(rehearseOld(version)).slice(0, 3)).toEqual([
        'before',
        'steps[0]: canary Ingress created; changed Service web; created Service web-canary; created Ingress web-canary',
        'steps[0]: 20%; changed Ingress web-canary',
      ]);
    }
  });

  it('begins with the pods in 0.4 and 0.5', () => {
    for (const version of [V0_4_4, V0_5_0, V0_5_5]) {
      expect(writesOf(rehearseOld(version)).slice(0, 4)).toEqual([
        'before',
        'steps[0]: canary pods ready',
        'steps[0]: canary Ingress created; created Service web-canary; changed Service web; created Ingress web-canary',
        'steps[0]: 20%; changed Ingress web-canary',
      ]);
    }
  });

  it('begins with the canary Ingress in 0.3', () => {
    expect(writesOf(rehearseOld(V0_3_0)).slice(0, 4)).toEqual([
      'before',
      'steps[0]: canary Ingress created; created Ingress web-canary',
      'steps[0]: canary pods ready',
      'steps[0]: 20%; created Service web-canary; changed Service web; changed Ingress web-canary',
    ]);
  });

  it('lets requests reach new pods too early up to 0.5, and the advice is a newer release', () => {
    const rehearsal = rehearseStack(NGINX, { kruiseVersion: V0_5_5 });
    const finding = rehearsal.findings.find(({ rule }) => rule === 'rehearsal-canary-too-early');

    // 2 new pods beside 10 old ones.
    expect(sharesOf(rehearsal)['steps[0]: canary pods ready']).toMatchObject({ any: 17 });
    expect(finding).toMatchObject({
      because: expect.stringContaining('release v0.5.5 waits for the new pods'),
      fix: expect.stringContaining('0.6.0 or later'),
    });
    expect(rulesOf(rehearseStack(NGINX, { kruiseVersion: V0_6_0 }))).toEqual([]);
  });
});

describe('the end', () => {
  it('deletes route and canary Service one after the other from 0.6 on', () => {
    expect(writesOf(rehearseOld(V0_6_2)).slice(4, 8)).toEqual([
      'end: Service web selects all pods again; changed Service web',
      'end: routes restored; deleted Ingress web-canary',
      'end: Service web-canary deleted; deleted Service web-canary',
      'end: released',
    ]);
  });

  it('gives the canary weight 0 first up to 0.5, and then deletes everything at once', () => {
    expect(writesOf(rehearseOld(V0_5_5)).slice(5, 10)).toEqual([
      'end: Service web selects all pods again; changed Service web',
      'end: the workload has only pods of the new version',
      'end: the canary gets weight 0; changed Ingress web-canary',
      'end: routes restored, Service web-canary deleted; deleted Ingress web-canary; deleted Service web-canary',
      'end: released',
    ]);
  });

  it('of a blue-green release sends everything to the new pods before it restores the Service', () => {
    const steps = [
      { traffic: '0%', replicas: '100%' },
      { traffic: '50%', replicas: '100%' },
    ];
    const writes = writesOf(rehearseStack({ ...NGINX, style: 'blueGreen', steps }));

    expect(writes.filter((each) => each.startsWith('end'))).toEqual([
      'end: all traffic routed to the new version; changed Ingress web-canary',
      'end: Service web selects all pods again; changed Service web',
      'end: the workload has only pods of the new version',
      'end: routes restored; deleted Ingress web-canary',
      'end: Service web-canary deleted; deleted Service web-canary',
      'end: released',
    ]);
  });
});

describe('a rollback', () => {
  const rollbackOf = (version: KruiseRolloutVersion, strategy = {}) =>
    writesOf(rehearseStack({ ...NGINX, strategy }, { kruiseVersion: version })).filter((each) =>
      each.startsWith('rollback'),
    );

  it('restores the routes first from 0.6 on', () => {
    expect(rollbackOf(V0_6_2)).toEqual([
      'rollback: routes restored; deleted Ingress web-canary',
      'rollback: Service web selects all pods again; changed Service web',
      'rollback: Service web-canary deleted; deleted Service web-canary',
    ]);
  });

  it('begins with the stable Service up to 0.5: more requests reach the new version than before', () => {
    expect(rollbackOf(V0_5_5)).toEqual([
      'rollback: Service web selects all pods again; changed Service web',
      'rollback: the canary gets weight 0; changed Ingress web-canary',
      'rollback: routes restored, Service web-canary deleted; deleted Ingress web-canary; deleted Service web-canary',
      'rollback: only pods of the old version are left',
    ]);
    const rehearsal = rehearseStack(NGINX, { kruiseVersion: V0_5_5 });

    // 20 % by weight, and 2 of 12 pods for the rest.
    expect(sharesOf(rehearsal)['rollback: Service web selects all pods again']).toMatchObject({ any: 33 });
    expect(rehearsal.findings.find(({ rule }) => rule === 'rehearsal-rollback-incomplete')).toMatchObject({
      severity: 'warning',
      fix: expect.stringContaining('0.6.0 or later'),
    });
  });

  it('in partition style leaves the canary Service without pods for a while, up to 0.5', () => {
    const steps = [{ traffic: '20%', replicas: '20%' }];
    const stack = { ...GATEWAY_API, strategy: PARTITION, steps };
    const failing = (version: KruiseRolloutVersion) =>
      rehearseStack(stack, { kruiseVersion: version }).findings.find(({ rule }) => rule === 'rehearsal-requests-fail');

    expect(failing(V0_5_5)).toMatchObject({
      severity: 'warning',
      message: expect.stringContaining('20% of the requests get an error'),
      fix: expect.stringContaining('0.6.0 or later'),
    });
    expect(failing(V0_6_2)).toBeUndefined();
  });
});

describe('several kinds of routes', () => {
  const both = {
    ...NGINX,
    route: { ...NGINX.route, gateway: { httpRouteName: 'web' } },
    more: GATEWAY_API.more,
  };

  it('are written together from 0.6 on: the HTTPRoute is as the step declares when the canary Ingress is created', () => {
    const rehearsal = rehearseStack(both);

    expect(writesOf(rehearsal).slice(1, 3)).toEqual([
      'steps[0]: canary Ingress created; changed Service web; created Service web-canary; created Ingress web-canary; changed HTTPRoute web',
      'steps[0]: 20%; changed Ingress web-canary',
    ]);
    expect(rulesOf(rehearsal)).toEqual([]);
  });

  it('are only one up to 0.5: the first of customNetworkRefs, ingress and gateway', () => {
    const rehearsal = rehearseStack(both, { kruiseVersion: V0_5_5 });

    expect(writesOf(rehearsal).join()).toContain('Ingress web-canary');
    expect(writesOf(rehearsal).join()).not.toContain('HTTPRoute');
  });
});

describe('a step without traffic', () => {
  it('in 0.3 deletes the canary Ingress, which a later step then misses for ever', () => {
    const steps = [{ replicas: '20%' }, { weight: 50, replicas: '50%' }];
    const rehearsal = rehearseStack({ ...NGINX, api: 'v1alpha1', steps }, { kruiseVersion: V0_3_0 });

    expect(writesOf(rehearsal).slice(1, 4)).toEqual([
      'steps[0]: canary Ingress created; created Ingress web-canary',
      'steps[0]: routes restored; deleted Ingress web-canary',
      'steps[0]: no traffic is routed',
    ]);
    expect(rehearsal.stopped).toMatchObject({ class: 'not-found', step: 1 });
  });
});
