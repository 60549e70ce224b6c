import { describe, expect, test } from 'vitest';
import {
  type AlbRollout,
  annotationsOf,
  readAlbRollout,
  setWeight,
  type WeightDestination,
} from '../../../src/argo/controller';
import { actionOf, albRolloutOf, BOOKS, forward, ingressOf, pathTo, rolloutOf, SCHEME } from './manifests';

function writtenBy(rollout: AlbRollout, weight: number, experiments?: readonly WeightDestination[]) {
  return annotationsOf(setWeight(rollout, [ingressOf({ annotations: SCHEME })], weight, experiments).ingresses[0]!);
}

describe('setWeight', () => {
  test('writes the exact action, and lists it as managed', () => {
    const result = setWeight(albRolloutOf(), [ingressOf({ annotations: SCHEME })], 20);
    expect(Object.fromEntries(annotationsOf(result.ingresses[0]!))).toEqual({
      ...SCHEME,
      [actionOf('stable')]: forward(['canary', 20], ['stable', 80]),
      [BOOKS]: `{"shop":["${actionOf('stable')}"]}`,
    });
    expect(result.written).toEqual(['shop']);
    expect(result.error).toBeUndefined();
  });

  test('works on an Ingress without annotations', () => {
    expect(setWeight(albRolloutOf(), [ingressOf()], 20).written).toEqual(['shop']);
  });

  test('writes nothing if nothing changes', () => {
    const once = setWeight(albRolloutOf(), [ingressOf()], 20).ingresses;
    const twice = setWeight(albRolloutOf(), once, 20);
    expect(twice.written).toEqual([]);
    expect(twice.ingresses).toEqual(once);
  });

  test('puts experiments between canary and stable, which may get a negative weight', () => {
    const experiments = [
      { serviceName: 'b', weight: 60 },
      { serviceName: 'a', weight: 0 },
    ];
    expect(writtenBy(albRolloutOf(), 50, experiments).get(actionOf('stable'))).toBe(
      forward(['canary', 50], ['b', 60], ['a', 0], ['stable', -10]),
    );
  });

  test('leaves out the Service name of an experiment without one', () => {
    expect(writtenBy(albRolloutOf(), 0, [{ serviceName: '', weight: 5 }]).get(actionOf('stable'))).toContain(
      '{"ServicePort":"80","Weight":5}',
    );
  });

  test('names the action after rootService and uses the prefix unchanged', () => {
    const rollout = albRolloutOf({
      alb: { rootService: 'stable', annotationPrefix: 'example.com/', servicePort: 443 },
    });
    expect(writtenBy(rollout, 1).get('example.com//actions.stable')).toContain('"ServicePort":"443"');
  });

  test.each([
    [undefined, 'ping', 'pong'],
    ['pong', 'ping', 'pong'],
    ['ping', 'pong', 'ping'],
  ])('with ping-pong and stable %s the canary is %s', (stablePingPong, canary, stable) => {
    const rollout = albRolloutOf({
      alb: { rootService: 'stable' },
      canary: { stableService: undefined, pingPong: { pingService: 'ping', pongService: 'pong' } },
      status: { canary: { stablePingPong } },
    });
    expect(writtenBy(rollout, 25).get(actionOf('stable'))).toBe(forward([canary, 25], [stable, 75]));
  });

  test('adds stickiness if it is enabled', () => {
    const sticky = (enabled: boolean, durationSeconds: number) =>
      albRolloutOf({ alb: { stickinessConfig: { enabled, durationSeconds } } });
    expect(writtenBy(sticky(true, 604_800), 0).get(actionOf('stable'))).toContain(
      '],"TargetGroupStickinessConfig":{"Enabled":true,"DurationSeconds":604800}}}',
    );
    expect(writtenBy(sticky(false, 0), 0).get(actionOf('stable'))).toBe(forward(['canary', 0], ['stable', 100]));
    expect(setWeight(sticky(true, 604_801), [ingressOf()], 0)).toMatchObject({
      written: [],
      error: {
        class: 'stickiness',
        message: "TargetGroupStickinessConfig's duration must be between 1 and 604800 seconds (7 days)!",
      },
    });
  });

  test('requires a path to the Service, not only the default backend', () => {
    const ingress = ingressOf({ rules: [{ host: 'a' }, { http: { paths: [pathTo('other')] } }] });
    expect(setWeight(albRolloutOf(), [ingress], 20).error).toMatchObject({
      class: 'service-not-in-rules',
      message: 'ingress does not have service `stable` in rules',
      ingress: 'shop',
    });
  });

  test('panics on a backend that is not a Service, unless the Service comes first', () => {
    const resource = { path: '/r', pathType: 'Prefix', backend: { resource: { kind: 'Bucket', name: 'r' } } };
    const rules = (...paths: object[]) => [{ http: { paths } }];
    expect(setWeight(albRolloutOf(), [ingressOf({ rules: rules(resource, pathTo('stable')) })], 5).error).toMatchObject(
      {
        class: 'panic',
        message: 'runtime error: invalid memory address or nil pointer dereference',
        path: 'spec.rules[0].http.paths[0].backend.service',
      },
    );
    expect(
      setWeight(albRolloutOf(), [ingressOf({ rules: rules(pathTo('stable'), resource) })], 5).error,
    ).toBeUndefined();
  });

  test('does nothing for a Rollout without alb', () => {
    expect(readAlbRollout(rolloutOf({ canary: { trafficRouting: { nginx: {} } } }))).toBeUndefined();
  });
});

describe('the list of managed annotations', () => {
  const withBooks = (books: string) => setWeight(albRolloutOf(), [ingressOf({ annotations: { [BOOKS]: books } })], 5);
  const booksAfter = (books: string) => annotationsOf(withBooks(books).ingresses[0]!).get(BOOKS);
  const mine = `"shop":["${actionOf('stable')}"]`;

  test.each([
    ['', `{${mine}}`],
    ['{"zoo":["x"],"a":null}', `{"a":null,${mine},"zoo":["x"]}`],
    ['{"shop":null}', `{${mine}}`],
    ['{"shop":["<x>"]}', `{"shop":["\\u003cx\\u003e","${actionOf('stable')}"]}`],
    [`{${mine}}`, `{${mine}}`],
  ])('%s becomes %s', (before, after) => {
    expect(booksAfter(before)).toBe(after);
  });

  test.each([
    ['shop:x', "invalid character 's' looking for beginning of value"],
    ['[]', 'json: cannot unmarshal array into Go value of type ingress.ManagedALBAnnotations'],
    ['{"shop":"x"}', 'json: cannot unmarshal string into Go value of type ingress.ManagedALBAnnotation'],
    ['{"shop":[true]}', 'json: cannot unmarshal bool into Go value of type string'],
  ])('%s cannot be decoded', (before, message) => {
    expect(withBooks(before)).toMatchObject({ written: [], error: { class: 'bookkeeping', message } });
  });

  test('null panics the controller', () => {
    expect(withBooks('null').error).toMatchObject({ class: 'panic', message: 'assignment to entry in nil map' });
  });
});

describe('several Ingresses', () => {
  const rollout = albRolloutOf({ alb: { ingress: undefined, ingresses: ['shop', 'internal'] } });
  const internal = ingressOf({ name: 'internal' });

  test('are written in order', () => {
    expect(setWeight(rollout, [internal, ingressOf()], 20).written).toEqual(['shop', 'internal']);
  });

  test('the first without a change ends the call', () => {
    const [done] = setWeight(albRolloutOf(), [ingressOf()], 20).ingresses;
    const result = setWeight(rollout, [done, internal], 20);
    expect(result.written).toEqual([]);
    expect(result.ingresses[1]).toEqual(internal);
  });

  test('writes before an error remain', () => {
    const result = setWeight(rollout, [ingressOf()], 20);
    expect(result.written).toEqual(['shop']);
    expect(annotationsOf(result.ingresses[0]!).has(actionOf('stable'))).toBe(true);
    expect(result.error).toMatchObject({
      class: 'not-found',
      message: 'ingress.networking.k8s.io "internal" not found',
      ingress: 'internal',
    });
  });

  test('an empty list counts as none, and the namespace distinguishes Ingresses', () => {
    expect(albRolloutOf({ alb: { ingresses: [] } }).ingresses).toEqual(['shop']);
    const elsewhere = { ...ingressOf(), metadata: { name: 'shop', namespace: 'other' } };
    expect(setWeight(albRolloutOf(), [elsewhere], 20).error?.class).toBe('not-found');
  });
});
