/** Which requests a host and a path cover on an AWS load balancer, and which script makes a canary Ingress. */
import { describe, expect, it } from 'vitest';
import { Manifest, World } from '../../../src/core';
import { canaryScriptsOf } from '../../../src/kruise/alb/canary-script';
import { covers, type HostPath, isSame } from '../../../src/kruise/alb/coverage';
import { aliyun, cloned, edit, INGRESS, inPlace, ROLLOUT } from '../../../src/kruise/alb/examples';
import { type RolloutCheckOptions, rolloutCheck } from '../../../src/kruise/rules/context';
import { configMap, ingress, rollout } from '../rules/stack';
import { check } from './check';

const P = 'Prefix';
const E = 'Exact';
const I = 'ImplementationSpecific';
const at = (path: string, pathType: string | undefined = P, host = ''): HostPath => ({
  host,
  path: { path, pathType },
});

describe('a path', () => {
  it.each<
    [wide: string, wideType: string | undefined, narrow: string, narrowType: string | undefined, covered: boolean]
  >([
    ['', P, '/a', E, true],
    ['', P, '/', P, true],
    ['', undefined, '', undefined, true],
    ['/', P, '', P, true],
    ['/a', P, '', P, false],
    ['/a', P, '/a', P, true],
    ['/a', P, '/a/', P, true],
    ['/a/', P, '/a', P, true],
    ['/a', P, '/a/b', P, true],
    ['/a', P, '/a/b', E, true],
    ['/a', P, '/ab', P, false],
    ['/a', P, '/b', P, false],
    ['/a/b', P, '/a', P, false],
    ['/a', P, '/a/*', I, true],
    ['/a', P, '/a/b*', I, true],
    ['/a', P, '/a?', I, false],
    ['/a', P, '/a/?/c', I, true],
    ['/a', E, '/a', E, true],
    ['/a', E, '/a/', E, false],
    ['/a', E, '/a', P, false],
    ['/a', E, '/a', I, true],
    ['/a', I, '/a', E, true],
    ['/a', undefined, '/a', E, true],
    ['/a', I, '/a/b', E, false],
    ['/*', I, '/a', E, true],
    ['/*', I, '/', P, true],
    ['/a/*', I, '/a', E, false],
    ['/a/*', I, '/a', P, false],
    ['/a/*', I, '/a/b', E, true],
    ['/a/*', I, '/a/*', I, true],
    ['/a/*', I, '/a/b/*', I, true],
    ['/a/b/*', I, '/a/*', I, false],
    ['/a/*', P, '/a/b', E, false],
    ['/a/*', E, '/a/b', E, false],
    ['/a?/*', I, '/ab/c', E, false],
    ['/a*', I, '/a*', I, true],
    ['/a*', I, '/ab', E, false],
    ['/a?', I, '/a*', I, false],
    ['/*.png', I, '/*.png', I, true],
  ])('%s (%s) covers %s (%s): %s', (wide, wideType, narrow, narrowType, covered) => {
    expect(covers(at(wide, wideType), at(narrow, narrowType))).toBe(covered);
  });
});

describe('a host', () => {
  it.each<[wide: string, narrow: string, covered: boolean]>([
    ['', '', true],
    ['', 'a.example', true],
    ['a.example', '', false],
    ['a.example', 'a.example', true],
    ['A.example', 'a.EXAMPLE', true],
    ['a.example', 'b.example', false],
    ['*.example', 'a.example', true],
    ['*.Example', 'a.example', true],
    ['*.example', 'A.EXAMPLE', true],
    ['*.example', 'a.b.example', true],
    ['*.example', 'example', false],
    ['*.example', 'aexample', false],
    ['*.example', '*.example', true],
    ['*.example', '*.a.example', true],
    ['*.a.example', '*.example', false],
    ['a.*', 'a.example', false],
  ])('%j covers %j: %s', (wide, narrow, covered) => {
    expect(covers(at('/', P, wide), at('/', P, narrow))).toBe(covered);
  });

  it('and a path must both cover', () => {
    expect(covers(at('/a', P, 'a.example'), at('/a/b', P, 'b.example'))).toBe(false);
    expect(covers(at('/b', P, 'a.example'), at('/a/b', P, 'a.example'))).toBe(false);
  });

  it('are the same where each covers the other', () => {
    expect(isSame(at('/a'), at('/a/'))).toBe(true);
    expect(isSame(at(''), at('/'))).toBe(true);
    expect(isSame(at('/a', P, 'A'), at('/a', P, 'a'))).toBe(true);
    expect(isSame(at('/a'), at('/a', E))).toBe(false);
    expect(isSame(at('/'), at('/a'))).toBe(false);
    expect(isSame(at('/a'), at('/'))).toBe(false);
  });
});

describe('the script of a canary Ingress', () => {
  const ANNOTATION = 'rollout-constructs.io/canary-order';
  const scriptOf = (classType: string, objects: readonly object[] = [], options: RolloutCheckOptions = {}) => {
    const route = { service: 'web', ingress: { name: 'web', classType } };
    const world = World.of([rollout({ route }), ...objects].map((each) => Manifest.of(each)));
    const rollouts = rolloutCheck(world, options);
    return canaryScriptsOf(rollouts, [ANNOTATION])(rollouts.routes[0]!);
  };
  const own = (script: string) => configMap({ 'lua.traffic.routing.ingress.own': script });
  const EXTERNAL = { external: [{ kind: 'ConfigMap', name: 'kruise-rollout-configuration' }] };
  const READS = `return { order = obj.annotations["${ANNOTATION}"], service = obj.canaryService, weight = obj.weight }`;

  it('is built in, of this library, another, or unknown', () => {
    expect(scriptOf('nginx').kind).toBe('builtin');
    expect(scriptOf('').kind).toBe('builtin');
    expect(scriptOf('own', [own(READS)]).kind).toBe('library');
    expect(scriptOf('own', [own('return obj.annotations')]).kind).toBe('other');
    expect(scriptOf('own').kind).toBe('unknown');
    expect(scriptOf('own', [configMap({})]).kind).toBe('unknown');
    expect(scriptOf('nginx', [], EXTERNAL).kind).toBe('unknown');
    expect(scriptOf('own', [own(READS)], EXTERNAL).kind).toBe('library');
  });

  it('writes these annotations when the canary Ingress is created', () => {
    const stable = Manifest.of(ingress('web', {}, { annotations: { [ANNOTATION]: '5' } }));
    expect(scriptOf('own', [own(READS)]).annotationsOf(stable)).toStrictEqual({
      order: '5',
      service: 'web-canary',
      weight: '0',
    });
    expect(scriptOf('own', [own('error("no")')]).annotationsOf(stable)).toBeUndefined();
    expect(scriptOf('own').annotationsOf(stable)).toBeUndefined();
  });
});

describe('findings on an Ingress on AWS', () => {
  const PREFIX = 'alb.ingress.kubernetes.io';
  const found = (objects: readonly string[], ...edits: readonly (readonly [from: string, to: string])[]) =>
    check(
      objects
        .map((text) => edits.reduce((all, [from, to]) => (all.includes(from) ? edit(all, [from, to]) : all), text))
        .join('---\n'),
    );

  it('say what to write instead', () => {
    const redirect = INGRESS.match(/actions\.web: '(.*)'/)![1]!;
    const [action] = found(inPlace(), [redirect, '{"type":"redirect","redirectConfig":{"statusCode":"HTTP_301"}}']);
    expect(action!.rule).toBe('kruise-alb-action');
    expect(action!.fix).toBe(`forward to this Service only: ${redirect}`);
    const [unnamed] = found(inPlace(), ['ingressClassName: alb', 'ingressClassName: alb-internal']);
    expect(unnamed!.fix).toBe('add the annotation rollout-constructs.io/alb-ingress-class: alb-internal');
  });

  it('show the Ingress that leads to a Service with authentication', () => {
    const plain = 'kind: Service\nmetadata: { name: web, namespace: shop }';
    const [finding] = found(inPlace(), [plain, plain.replace(' }', `, annotations: { ${PREFIX}/auth-type: oidc } }`)]);
    expect(finding!.object).toMatchObject({ kind: 'Service', name: 'web' });
    expect(finding!.related).toMatchObject({
      message: 'the Ingress "web" leads to the Service',
      object: { kind: 'Ingress', namespace: 'shop', name: 'web' },
    });
  });

  it('are none for a route without a Service', () => {
    const nameless = edit(ROLLOUT, ['service: web', 'service: ""']);
    const rules = found(
      [nameless, ...inPlace().slice(1)],
      ['port: { name: use-annotation }', 'port: { number: 80 }'],
    ).map(({ rule }) => rule);
    expect(rules.filter((rule) => rule.startsWith('kruise-alb-'))).toEqual([]);
  });

  it('name the step, on both clouds', () => {
    const STEP = '{ matches: [{ headers: [{ name: user-agent, value: pc }] }], replicas: 20%, pause: {} }';
    const second = `${STEP}\n        - { matches: [{}], replicas: 30%, pause: {} }`;
    for (const objects of [inPlace(), cloned(), aliyun()]) {
      const steps = found(objects, [STEP, second]).map(({ rule, step, path }) => [
        rule.replace(/^kruise-(alb|aliyun)-/, ''),
        step,
        path,
      ]);
      expect(steps).toEqual([[expect.stringMatching(/^match/), 1, 'spec.strategy.canary.steps[1].matches[0]']]);
    }
  });
});
