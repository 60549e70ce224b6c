/** Releases that hang: what is written before, where they stay, and what to do. */
import { describe, expect, it } from 'vitest';
import { asList, asObject } from '../../../src/core/json';
import type { Rehearsal } from '../../../src/core/rehearsal-result';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import { albAnnotations, albScript, objectsOf, rehearseObjects, rehearseStack } from '../../rehearsal/stack';
import { kruiseLabs } from '../../stage/labs/kruise';
import { GATEWAY_API, NGINX, PARTITION, PARTITION_STEPS, writesOf } from './writes';

const { V0_5_5, V0_6_0, V0_6_2 } = KruiseRolloutVersion;

const stuckIn = ({ findings }: Rehearsal) => findings.filter(({ rule }) => rule === 'rehearsal-controller-stuck');

describe('partition style with all pods in the first step', () => {
  const alone = { ...NGINX, strategy: PARTITION, steps: PARTITION_STEPS, replicas: 1 };

  it('never begins from 0.6 on: the selector of the Service comes and goes', () => {
    for (const kruiseVersion of [V0_6_0, V0_6_2]) {
      const rehearsal = rehearseStack(alone, { kruiseVersion });

      expect(writesOf(rehearsal)).toEqual([
        'before',
        'steps[0]: Service web selects only the old pods; changed Service web',
        'steps[0]: Service web selects all pods again; changed Service web',
      ]);
      expect(rehearsal.stopped).toMatchObject({ class: 'livelock', step: 0 });
      expect(stuckIn(rehearsal)).toMatchObject([
        {
          severity: 'error',
          message: expect.stringContaining('steps[0] never leaves the state BeforeStepUpgrade'),
          because: expect.stringContaining('"Rollout is in Progressing"'),
          fix: expect.stringContaining('use canary style'),
        },
      ]);
    }
  });

  it('goes on up to 0.5, and without routing', () => {
    expect(rehearseStack(alone, { kruiseVersion: V0_5_5 }).stopped).toBeUndefined();
    const steps = [{ replicas: 1 }];
    expect(rehearseStack({ ...alone, steps }).stopped).toBeUndefined();
  });

  it('goes on where a later step replaces the last pods: routing stays as it was', () => {
    const steps = [
      { traffic: '20%', replicas: 1 },
      { traffic: '50%', replicas: 2 },
    ];
    const rehearsal = rehearseStack({ ...alone, replicas: 2, steps });

    expect(rehearsal.stopped).toBeUndefined();
    expect(writesOf(rehearsal)).toContain('steps[1]: 50%; changed Service web');
  });

  it('goes on without a canary Service, up to the end, which takes the only Service out of the HTTPRoute', () => {
    const strategy = { ...PARTITION, disableGenerateCanaryService: true };
    const { stopped, moments } = rehearseStack({ ...alone, ...GATEWAY_API, strategy });
    expect(stopped).toMatchObject({ class: 'never-settles', message: expect.stringContaining('the last rule') });
    expect(moments.at(-1)!.cells[0]!.shares.failed, moments.map(({ title }) => title).join()).toBe(1);
  });
});

describe('an HTTPRoute that the controller cannot write back', () => {
  const withFilter = (filter: object) =>
    objectsOf(GATEWAY_API).map((object) => {
      const { kind, spec } = asObject(object);
      if (kind !== 'HTTPRoute') return object;
      const rules = asList(asObject(spec).rules).map((rule) => ({ ...asObject(rule), filters: [filter] }));
      return { ...asObject(object), spec: { ...asObject(spec), rules } };
    });
  const cors = { type: 'CORS', cors: { allowOrigins: ['https://example.com'] } };

  it('because a filter loses its configuration ends the release at its first step', () => {
    const [rehearsal] = rehearseObjects(withFilter(cors));

    expect(rehearsal!.stopped).toMatchObject({
      class: 'rejected',
      step: 0,
      message: 'spec.rules[0].filters[0]: filter.cors must be specified for CORS filter.type',
    });
    expect(writesOf(rehearsal!).join()).not.toContain('HTTPRoute');
    expect(stuckIn(rehearsal!).length).toBe(1);
  });

  it('depends on the release: 0.5 does not know the response headers', () => {
    const objects = withFilter({ type: 'ResponseHeaderModifier', responseHeaderModifier: { remove: ['server'] } });
    const stoppedIn = (kruiseVersion: KruiseRolloutVersion) =>
      rehearseObjects(objects, { kruiseVersion })[0]!.stopped?.class;

    expect(stoppedIn(V0_5_5)).toBe('rejected');
    expect(stoppedIn(V0_6_2)).toBeUndefined();
  });

  it('in full loses what the API server does not ask for', () => {
    const mirror = { type: 'RequestMirror', requestMirror: { backendRef: { name: 'web', port: 80 }, percent: 10 } };
    const [rehearsal] = rehearseObjects(withFilter(mirror));
    const written = rehearsal!.moments
      .flatMap(({ changes }) => changes)
      .find(({ object }) => object.kind === 'HTTPRoute')!;

    expect(rehearsal!.stopped).toBeUndefined();
    expect(JSON.stringify(written.before)).toContain('percent');
    expect(JSON.stringify(written.after)).not.toContain('percent');
  });
});

describe('blue-green style without a canary Service', () => {
  const strategy = { disableGenerateCanaryService: true };
  const stack = { ...NGINX, style: 'blueGreen', strategy } as const;

  it('waits for ever in the first step', () => {
    const rehearsal = rehearseStack(stack);

    expect(writesOf(rehearsal)).toEqual(['before']);
    expect(rehearsal.stopped).toMatchObject({ class: 'waits', step: 0 });
    expect(stuckIn(rehearsal)).toMatchObject([
      {
        message: expect.stringContaining('steps[0] never leaves the state BeforeStepUpgrade'),
        fix: 'remove disableGenerateCanaryService, or use canary style',
      },
    ]);
  });

  it('does not wait in canary style', () => {
    expect(rehearseStack({ ...NGINX, strategy }).stopped).toBeUndefined();
  });
});

describe('a DaemonSet', () => {
  const workloadRef = { apiVersion: 'apps.kruise.io/v1alpha1', kind: 'DaemonSet', name: 'web' };

  it('of OpenKruise never gets its routes, because the controller does not know its old pods', () => {
    for (const kruiseVersion of [V0_5_5, V0_6_2]) {
      const [rollout, deployment, ...others] = objectsOf({ ...NGINX, strategy: PARTITION, steps: PARTITION_STEPS }).map(
        asObject,
      );
      const { replicas: _replicas, ...spec } = asObject(deployment!.spec);
      const daemonSet = { ...deployment, apiVersion: workloadRef.apiVersion, kind: workloadRef.kind, spec };
      const released = { ...rollout, spec: { ...asObject(rollout!.spec), workloadRef } };
      const [rehearsal] = rehearseObjects([released, daemonSet, ...others], { kruiseVersion });

      expect(writesOf(rehearsal!).filter((each) => each.includes(';'))).toEqual([]);
      expect(stuckIn(rehearsal!)).toMatchObject([
        {
          message: expect.stringContaining('steps[0] never leaves the state StepTrafficRouting'),
          because: expect.stringContaining('stableRevision or podTemplateHash can not be empty'),
          fix: expect.stringContaining('without trafficRoutings'),
        },
      ]);
    }
  });
});

describe('a refused write', () => {
  it('of an annotation whose key is too long shows what was written before', () => {
    const key = `actions.${'s'.repeat(56)}`;
    const script = `obj.annotations["alb.ingress.kubernetes.io/${key}"] = "{}"\nreturn obj.annotations`;
    const rehearsal = rehearseStack({ annotations: albAnnotations('web'), scripts: albScript(script) });

    expect(writesOf(rehearsal)).toEqual([
      'before',
      'steps[0]: the controller gets no further; changed Service web; created Service web-canary',
    ]);
    expect(rehearsal.stopped).toMatchObject({ class: 'rejected', step: 0 });
    expect(stuckIn(rehearsal)[0]?.message).toContain('name part must be no more than 63');
  });
});

describe('a missing object', () => {
  it('ends the release before anything is written', () => {
    for (const kind of ['Service', 'Ingress']) {
      const objects = objectsOf(NGINX).filter((object) => (object as { kind: string }).kind !== kind);
      const [rehearsal] = rehearseObjects(objects);

      expect(writesOf(rehearsal!)).toEqual(['before']);
      expect(rehearsal!.findings).toMatchObject([
        { rule: 'rehearsal-incomplete', because: expect.stringContaining('Progressing (Initializing)') },
      ]);
    }
  });
});

describe('an Ingress without annotations', () => {
  const without = (route: 'mse' | 'nginx') =>
    kruiseLabs('0.6.2').find(({ name }) => name === `canary-${route}-no-annotations`)!.manifests;

  it('stops the built-in script for mse, and the finding says who writes such an Ingress', () => {
    const [finding] = stuckIn(rehearseObjects(without('mse'))[0]!);
    expect(finding).toMatchObject({ fix: expect.stringContaining('client-side kubectl apply adds') });
  });

  it('is as good as any other for nginx', () => {
    expect(stuckIn(rehearseObjects(without('nginx'))[0]!)).toEqual([]);
  });
});

describe('a Rollout of v1alpha1 that loses the step at which it waits', () => {
  const { manifests, story } = kruiseLabs('0.6.2').find(({ name }) => name === 'alpha-canary-edit-fewer-steps')!;
  const told = (kruiseVersion: KruiseRolloutVersion) =>
    rehearseObjects(manifests, { kruiseVersion, stories: [{ name: 'fewer', actions: story }] })[0]!.stories!.at(-1)!;

  it('makes 0.6.0 and 0.6.1 panic, and others go on', () => {
    const why = 'runtime error: index out of range [2] with length 2';
    expect(told(V0_6_0)).toMatchObject({ end: 'stuck', why });
    expect([told(V0_5_5).end, told(V0_6_2).end]).toEqual(['released', 'released']);
  });
});

describe('what a release cannot find', () => {
  it('is a script, which is to be added', () => {
    const rehearsal = rehearseStack({ ...NGINX, route: { ingress: { name: 'web', classType: 'nobodys' } } });
    expect(rehearsal.stopped?.class).toBe('script-not-found');
    expect(stuckIn(rehearsal)).toMatchObject([
      { fix: expect.stringContaining('add the script to the ConfigMap "kruise-rollout-configuration"') },
    ]);
  });
});
