import { describe, expect, test } from 'vitest';
import { annotationsOf, applyAlb, resetAfterDeletion, setHeaderRoute, setWeight } from '../../../src/argo/controller';
import { actionOf, albRolloutOf, BOOKS, forward, ingressOf, pathTo, rolloutOf, SCHEME } from './manifests';

const weighted = setWeight(albRolloutOf(), [ingressOf({ annotations: SCHEME })], 30).ingresses;

describe('after the deletion of a Rollout', () => {
  test('its action sends all traffic to the Service of that name, and the list of managed annotations is removed', () => {
    const result = resetAfterDeletion(weighted);
    expect(Object.fromEntries(annotationsOf(result.ingresses[0]!))).toEqual({
      ...SCHEME,
      [actionOf('stable')]: forward(['stable', 100]),
    });
    expect(result).toMatchObject({ written: ['shop'], givenUp: [] });
  });

  test('stickiness is kept, even if disabled', () => {
    const action = `{"type":"forward","forwardConfig":{"targetGroups":[{"serviceName":"stable","servicePort":"80"}],"targetGroupStickinessConfig":{"durationSeconds":9}}}`;
    const ingress = ingressOf({
      annotations: { [actionOf('stable')]: action, [BOOKS]: `{"x":["${actionOf('stable')}"]}` },
    });
    expect(annotationsOf(resetAfterDeletion([ingress]).ingresses[0]!).get(actionOf('stable'))).toBe(
      forward(['stable', 100]).replace(
        ']}}',
        '],"TargetGroupStickinessConfig":{"Enabled":false,"DurationSeconds":9}}}',
      ),
    );
  });

  test('nothing is written with rootService, and the weights remain', () => {
    const rules = [{ http: { paths: [pathTo('root')] } }];
    const { ingresses } = setWeight(albRolloutOf({ alb: { rootService: 'root' } }), [ingressOf({ rules })], 30);
    expect(resetAfterDeletion(ingresses)).toEqual({
      ingresses,
      written: [],
      givenUp: [{ ingress: 'shop', message: 'unable to reset annotation due to missing port' }],
    });
  });

  test('nothing is written while a header route is listed', () => {
    const match = [{ headerName: 'X', headerValue: { exact: 'y' } }];
    const { ingresses } = setHeaderRoute(albRolloutOf(), weighted, { name: 'hr', match });
    expect(resetAfterDeletion(ingresses).written).toEqual([]);
  });

  test.each([
    [
      'a numeric port',
      '{"forwardConfig":{"targetGroups":[{"serviceName":"stable","servicePort":80}]}}',
      'unable to unmarshal previous ALB action',
    ],
    [
      'a weight with a fraction',
      '{"ForwardConfig":{"TargetGroups":[{"Weight":1.5}]}}',
      'unable to unmarshal previous ALB action',
    ],
    ['no JSON', '', 'unable to unmarshal previous ALB action'],
    ['another Service', forward(['canary', 100]), 'unable to reset annotation due to missing port'],
  ])('nothing is written for an action with %s', (_name, action, message) => {
    const ingress = ingressOf({
      annotations: { [actionOf('stable')]: action, [BOOKS]: `{"x":["${actionOf('stable')}"]}` },
    });
    expect(resetAfterDeletion([ingress])).toMatchObject({ written: [], givenUp: [{ message }] });
  });

  test('lists of existing Rollouts are kept', () => {
    const { ingresses } = setWeight(albRolloutOf({ name: 'web' }), weighted, 10);
    const result = resetAfterDeletion(ingresses, { rollouts: ['web'] });
    expect(annotationsOf(result.ingresses[0]!).get(BOOKS)).toBe(`{"web":["${actionOf('stable')}"]}`);
    expect(resetAfterDeletion(ingresses, { rollouts: ['web', 'shop'] }).written).toEqual([]);
  });

  test.each([
    ['"shop"', []],
    ['null', []],
    ['{"shop":[]}', ['shop']],
    ['{"shop":["a/conditions.hr"]}', ['shop']],
    ['{"shop":["a/actions.b/actions.c"]}', []],
  ])('with the list %s writes %j', (books, written) => {
    expect(resetAfterDeletion([ingressOf({ annotations: { [BOOKS]: books } })]).written).toEqual(written);
  });

  test('the annotation of earlier releases is removed too', () => {
    const annotations = { [BOOKS]: '{"shop":[]}', 'rollouts.argoproj.io/managed-alb-actions': 'shop:x' };
    expect(annotationsOf(resetAfterDeletion([ingressOf({ annotations })]).ingresses[0]!).size).toBe(0);
  });

  test('only classes that the controller watches, the annotation first', () => {
    const annotations = { [BOOKS]: '{"shop":[]}' };
    const own = ingressOf({ annotations, className: 'internal' });
    expect(resetAfterDeletion([own]).written).toEqual([]);
    expect(resetAfterDeletion([own], { albIngressClasses: ['alb', 'internal'] }).written).toEqual(['shop']);
    const annotated = ingressOf({ annotations: { ...annotations, 'kubernetes.io/ingress.class': 'internal' } });
    expect(resetAfterDeletion([annotated]).written).toEqual([]);
  });
});

describe('applyAlb', () => {
  const match = [{ headerName: 'X', headerValue: { exact: 'y' } }];

  test('makes the calls of one reconcile, in order', () => {
    const rollout = rolloutOf({ managedRoutes: ['hr'] });
    const input = { rollout, ingresses: [ingressOf({ annotations: SCHEME })] };
    const routed = applyAlb({
      ...input,
      removeManagedRoutes: true,
      headerRoute: { name: 'hr', match },
      desiredWeight: 20,
    });
    expect(routed.written).toEqual(['shop']);
    expect([...annotationsOf(routed.ingresses[0]!).keys()]).toContain(actionOf('hr'));
    const gone = applyAlb({ rollout, ingresses: routed.ingresses, removeManagedRoutes: true, rolloutDeleted: true });
    expect(annotationsOf(gone.ingresses[0]!)).toEqual(
      new Map([...Object.entries(SCHEME), [actionOf('stable'), forward(['stable', 100])]]),
    );
  });

  test('stops at the first error and keeps earlier writes', () => {
    const rollout = rolloutOf({ managedRoutes: ['hr'] });
    const rules = [{ http: { paths: [pathTo('other')] } }];
    const input = { rollout, ingresses: [ingressOf({ annotations: SCHEME, rules })] };
    const result = applyAlb({ ...input, headerRoute: { name: 'hr', match }, desiredWeight: 20, rolloutDeleted: true });
    expect(result.error?.class).toBe('service-not-in-rules');
    expect(result.written).toEqual(['shop']);
    expect(annotationsOf(result.ingresses[0]!).has(actionOf('hr'))).toBe(true);
  });

  test('writes nothing for a Rollout without alb', () => {
    const ingresses = [ingressOf()];
    expect(applyAlb({ rollout: { spec: { strategy: { blueGreen: {} } } }, ingresses, desiredWeight: 5 })).toEqual({
      ingresses,
      written: [],
    });
  });
});
