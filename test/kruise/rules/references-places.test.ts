/** What is said of each reference whose object is missing, in full: where, how severely, and what to do. */
import { describe, expect, it } from 'vitest';
import { collectFindings, Manifest, parseManifests, World } from '../../../src/core';
import { checkRollouts, type RolloutCheckOptions } from '../../../src/kruise/rules';
import { deployment, httpRoute, ingress, object, rollout, service } from './stack';

const RULE = 'kruise-reference-missing';
const found = (objects: readonly object[], options: RolloutCheckOptions = {}) =>
  collectFindings(checkRollouts(World.of(objects.map((each) => Manifest.of(each))), options)).filter(
    ({ rule }) => rule === RULE,
  );
/** `severity path: message | fix` */
const lines = (...args: Parameters<typeof found>) =>
  found(...args).map(({ severity, path, message, fix }) => `${severity} ${path}: ${message} | ${fix}`);

const ROUTES = 'spec.strategy.canary.trafficRoutings[0]';
const ADD = 'add the object, or declare it as external';
const FIX = `correct the name, ${ADD}`;
const MOVE = (kind: string, of = 'Rollout') =>
  `move both to one namespace: the controller looks for the ${kind} only in the namespace of the ${of}`;
const THERE_IS_NO = (kind: string, name = 'web') => `there is no ${kind} "${name}" in the namespace "shop"`;
const config = object('v1', 'ConfigMap', {}, { name: 'any' });

describe('a reference', () => {
  const custom = { apiVersion: 'example.com/v1', kind: 'Mesh', name: 'web' };
  const route = {
    service: 'web',
    ingress: { name: 'web', classType: 'nginx' },
    gateway: { httpRouteName: 'web' },
    customNetworkRefs: [custom, { ...custom, name: 'second' }],
  };
  const annotations = { 'rollouts.kruise.io/trafficrouting': 'front' };

  it('of each kind is followed', () => {
    expect(lines([rollout({ route, annotations }), config])).toEqual([
      `warning metadata.annotations["rollouts.kruise.io/trafficrouting"]: ${THERE_IS_NO('TrafficRouting', 'front')} | ${FIX}`,
      `warning ${ROUTES}.customNetworkRefs[0].name: ${THERE_IS_NO('Mesh')} | ${FIX}`,
      `warning ${ROUTES}.customNetworkRefs[1].name: ${THERE_IS_NO('Mesh', 'second')} | ${FIX}`,
      `warning ${ROUTES}.gateway.httpRouteName: ${THERE_IS_NO('HTTPRoute')} | ${FIX}`,
      `warning ${ROUTES}.ingress.name: ${THERE_IS_NO('Ingress')} | ${FIX}`,
      `warning ${ROUTES}.service: ${THERE_IS_NO('Service')} | ${FIX}`,
      `warning spec.workloadRef.name: ${THERE_IS_NO('Deployment')} | ${FIX}`,
    ]);
  });

  it('names what would have to exist', () => {
    expect(found([rollout({ route, annotations }), config]).map(({ absent }) => absent)).toEqual([
      [{ apiVersion: 'rollouts.kruise.io/v1alpha1', kind: 'TrafficRouting', namespace: 'shop', name: 'front' }],
      [{ ...custom, namespace: 'shop' }],
      [{ ...custom, name: 'second', namespace: 'shop' }],
      [{ apiVersion: 'gateway.networking.k8s.io/v1', kind: 'HTTPRoute', namespace: 'shop', name: 'web' }],
      [{ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', namespace: 'shop', name: 'web' }],
      [{ apiVersion: 'v1', kind: 'Service', namespace: 'shop', name: 'web' }],
      [{ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' }],
    ]);
  });

  it('without a name has no finding', () => {
    const nameless = { service: '', ingress: { name: '' }, gateway: { httpRouteName: '' }, customNetworkRefs: [{}] };
    const workloadRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: '' };
    expect(lines([rollout({ route: nameless, workloadRef }), config])).toEqual([]);
    expect(lines([rollout({ route: null, workloadRef: 'web' as never }), config])).toEqual([]);
  });

  it('to what is there, or external, has none', () => {
    const all = [deployment(), service(), ingress(), httpRoute({ name: 'web' }), object('example.com/v1', 'Mesh')];
    const others = [object('example.com/v1', 'Mesh', {}, { name: 'second' })];
    const front = { ...object('rollouts.kruise.io/v1alpha1', 'TrafficRouting', {}, { name: 'front' }) };
    expect(lines([rollout({ route, annotations }), ...all, ...others, front])).toEqual([]);
    const external = [{ kind: 'Mesh', name: 'second', namespace: 'shop' }];
    expect(lines([rollout({ route, annotations }), ...all, front], { external })).toEqual([]);
  });

  it('of a TrafficRouting is followed too', () => {
    const front = {
      ...object('rollouts.kruise.io/v1alpha1', 'TrafficRouting', {}, { name: 'front' }),
      spec: { objectRef: [{ service: 'web', ingress: { name: 'web' } }], strategy: { weight: 20 } },
    };
    expect(lines([front, config])).toEqual([
      `warning spec.objectRef[0].ingress.name: ${THERE_IS_NO('Ingress')} | ${FIX}`,
      `warning spec.objectRef[0].service: ${THERE_IS_NO('Service')} | ${FIX}`,
    ]);
    const elsewhere = service({}, { namespace: 'other' });
    expect(lines([front, ingress(), elsewhere])).toEqual([
      `error spec.objectRef[0].service: ${THERE_IS_NO('Service')} | ${MOVE('Service', 'TrafficRouting')}`,
    ]);
  });
});

describe('a missing Service', () => {
  const AT = `${ROUTES}.service`;
  const rest = [rollout(), deployment(), ingress()];
  const named = (name: string, namespace = 'shop') => service({}, { name, namespace });

  it.each<[what: string, objects: readonly object[], expected: string]>([
    ['of a kind that is nowhere', [], `warning ${AT}: ${THERE_IS_NO('Service')} | ${FIX}`],
    [
      'beside one with a similar name',
      [named('wbe')],
      `error ${AT}: ${THERE_IS_NO('Service')} | did you mean "wbe"? If not, ${ADD}`,
    ],
    ['beside one with another name', [named('database')], `error ${AT}: ${THERE_IS_NO('Service')} | ${FIX}`],
    [
      'beside one with a similar name in another namespace',
      [named('wbe', 'other')],
      `warning ${AT}: ${THERE_IS_NO('Service')} | ${FIX}`,
    ],
    [
      'that is in another namespace',
      [named('web', 'other')],
      `error ${AT}: ${THERE_IS_NO('Service')} | ${MOVE('Service')}`,
    ],
    [
      'that is in another namespace, beside one with a similar name',
      [named('web', 'other'), named('wbe')],
      `error ${AT}: ${THERE_IS_NO('Service')} | ${MOVE('Service')}`,
    ],
  ])('%s', (_, objects, expected) => {
    expect(lines([...rest, ...objects])).toEqual([expected]);
  });

  it('that is in another namespace is shown there', () => {
    const related = (objects: readonly object[]) => found(objects)[0]!.related;
    expect(related([...rest, named('web', 'other')])).toStrictEqual({
      message: 'the Service "web" is in the namespace "other"',
      object: Manifest.of(named('web', 'other')).ref,
    });
    expect(related([...rest, named('wbe')])).toBeUndefined();
    const text = 'apiVersion: v1\nkind: Service\nmetadata: { name: web, namespace: other }\nspec: {}\n';
    const { manifests } = parseManifests(text, 'service.yaml');
    const world = World.of([...rest.map((each) => Manifest.of(each)), ...manifests]);
    const [finding] = collectFindings(checkRollouts(world)).filter(({ rule }) => rule === RULE);
    expect(finding!.related).toStrictEqual({
      message: 'the Service "web" is in the namespace "other"',
      object: manifests[0]!.ref,
      source: expect.objectContaining({ file: 'service.yaml', line: 1 }),
    });
  });
});

describe('a Rollout in a namespace of which nothing else is known', () => {
  const NOTE_FIX = 'add the manifests of the whole namespace, or declare the objects as external';
  const note = (names: string, is = 'are', it = 'they were') =>
    `note undefined: ${names} ${is} not among the manifests, so ${it} not checked | ${NOTE_FIX}`;
  const only = (options: object) => lines([rollout(options)]);

  it('has one note', () => {
    expect(only({})).toEqual([note('Deployment "web", Service "web" and Ingress "web"')]);
    expect(only({ route: { service: 'web' } })).toEqual([note('Deployment "web" and Service "web"')]);
    expect(only({ route: null })).toEqual([note('Deployment "web"', 'is', 'it was')]);
  });

  it('has a note that names each object once', () => {
    const ref = { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', name: 'web' };
    const twice = { service: 'web', ingress: { name: 'web' }, customNetworkRefs: [ref] };
    const [finding] = found([rollout({ route: twice })]);
    expect(finding!.message).toContain('Deployment "web", Service "web" and Ingress "web" are not among');
    expect(finding!.absent?.map(({ kind }) => kind)).toEqual(['Deployment', 'Service', 'Ingress', 'Ingress']);
    expect(finding!.because).toBe('the checks see only the given manifests');
  });

  it('has a note beside that of another one', () => {
    expect(lines([rollout({ route: null }), rollout({ route: null, name: 'b' })])).toEqual([
      note('Deployment "web"', 'is', 'it was'),
      note('Deployment "web"', 'is', 'it was'),
    ]);
  });

  it('has a note even if others of Kruise Rollouts, or other namespaces, have objects', () => {
    const others = [
      rollout({ route: null, name: 'b', namespace: 'other' }),
      service({}, { namespace: 'other', name: 'x' }),
    ];
    expect(lines([rollout({ route: null }), ...others])).toEqual([
      expect.stringContaining('warning spec.workloadRef.name: there is no Deployment "web" in the namespace "other"'),
      note('Deployment "web"', 'is', 'it was'),
    ]);
  });
});
