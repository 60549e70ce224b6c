/** Every result of the lookup of a script. */
import { describe, expect, it } from 'vitest';
import {
  type BuiltinScripts,
  customScriptKey,
  DEFAULT_CLASS_TYPE,
  ingressScriptKey,
  lookupCustomScript,
  lookupIngressScript,
  NO_BUILTIN_SCRIPTS,
  type ScriptSources,
} from '../../../src/kruise/scripts/lookup';
import { proofKey } from '../../../src/kruise/scripts/proven';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import { configMap } from '../manifests';

const { V0_4_0, LATEST } = KruiseRolloutVersion;
const scripts = (source: string, found: (name: string) => boolean = () => true): BuiltinScripts => ({
  find: (target) => {
    const name = target.provider === 'ingress' ? target.classType : `${target.kind} of ${target.group}`;
    return found(name) ? { source: `${source} ${name}` } : undefined;
  },
});
const builtins = scripts('built in');
const KEY = 'lua.traffic.routing.';
const found = (source: string, from: string, key: string) => ({ found: true, source, from, key });
const missing = (error: string, key: string, unknownIn?: string) => ({
  found: false,
  error,
  key,
  ...(unknownIn === undefined ? {} : { unknownIn }),
});

describe('an ingress script', () => {
  const key = `${KEY}ingress.demo`;
  const absent = 'demo lua script is not found';

  it.each<[what: string, classType: string, sources: Partial<ScriptSources>, result: object]>([
    ['that is nowhere', 'demo', {}, missing(absent, key)],
    ['of the ConfigMap', 'demo', { configMap: configMap({ [key]: 'mine' }) }, found('mine', 'ConfigMap', key)],
    ['that is empty', 'demo', { configMap: configMap({ [key]: '' }) }, missing(absent, key)],
    ['that is no text', 'demo', { configMap: configMap({ [key]: 5 as never }) }, missing(absent, key)],
    ['of a ConfigMap without data', 'demo', { configMap: {} }, missing(absent, key)],
    ['of a ConfigMap that is null', 'demo', { configMap: null }, missing(absent, key)],
    ['that is assumed', 'demo', { assumed: scripts('assumed') }, found('assumed demo', 'assumed', key)],
    [
      'that is in the ConfigMap and assumed',
      'demo',
      { configMap: configMap({ [key]: 'mine' }), assumed: scripts('assumed') },
      found('mine', 'ConfigMap', key),
    ],
    [
      'that is not even assumed',
      'demo',
      { assumed: scripts('assumed', () => false) },
      missing(absent, key, 'kruise-rollout'),
    ],
    [
      'of another namespace that is not even assumed',
      'demo',
      { assumed: scripts('assumed', () => false), controllerNamespace: 'x' },
      missing(absent, key, 'x'),
    ],
    ['that is built in', 'nginx', {}, found('built in nginx', 'builtin', 'trafficrouting_ingress/nginx.lua')],
    ['of no class', '', {}, found('built in nginx', 'builtin', 'trafficrouting_ingress/nginx.lua')],
    [
      'that is built in, before one that is assumed',
      'nginx',
      { assumed: scripts('assumed') },
      found('built in nginx', 'builtin', 'trafficrouting_ingress/nginx.lua'),
    ],
    [
      'that should be built in, but is not',
      'nginx',
      { builtins: NO_BUILTIN_SCRIPTS },
      missing('nginx lua script is not found', `${KEY}ingress.nginx`),
    ],
  ])('%s', (_, classType, sources, result) => {
    expect(lookupIngressScript(classType, { builtins, ...sources })).toStrictEqual(result);
  });

  it('has a key for its class', () => {
    expect([ingressScriptKey('demo'), ingressScriptKey(''), DEFAULT_CLASS_TYPE]).toEqual([
      key,
      `${KEY}ingress.nginx`,
      'nginx',
    ]);
  });
});

describe('a custom script', () => {
  const route = { apiVersion: 'example.com/v1', kind: 'Route' };
  const service = { apiVersion: 'networking.istio.io/v1beta1', kind: 'VirtualService' };
  const key = `${KEY}Route.example.com`;
  const nowhere = 'expected script not found neither locally nor in ConfigMap';
  const noMap = (namespace = 'kruise-rollout') => `failed to get ConfigMap(${namespace}/kruise-rollout-configuration)`;
  const none = scripts('assumed', () => false);

  it.each<[what: string, sources: Partial<ScriptSources>, result: object]>([
    ['without a ConfigMap', {}, missing(noMap(), key)],
    ['with a ConfigMap that is null', { configMap: null }, missing(noMap(), key)],
    ['of another namespace', { controllerNamespace: 'x' }, missing(noMap('x'), key)],
    ['of the ConfigMap', { configMap: configMap({ [key]: 'mine' }) }, found('mine', 'ConfigMap', key)],
    ['that is empty', { configMap: configMap({ [key]: '' }) }, found('', 'ConfigMap', key)],
    ['that is no text', { configMap: configMap({ [key]: 5 as never }) }, missing(nowhere, key)],
    ['that is not in the ConfigMap', { configMap: configMap({}) }, missing(nowhere, key)],
    ['of a ConfigMap without data', { configMap: {} }, missing(nowhere, key)],
    ['that is assumed', { assumed: scripts('assumed') }, found('assumed Route of example.com', 'assumed', key)],
    ['that is not even assumed', { assumed: none }, missing(noMap(), key, 'kruise-rollout')],
    ['that is not even assumed elsewhere', { assumed: none, controllerNamespace: 'x' }, missing(noMap('x'), key, 'x')],
    [
      'that is not in the ConfigMap, whatever is assumed',
      { configMap: configMap({}), assumed: scripts('assumed') },
      missing(nowhere, key),
    ],
    [
      'of a release without custom scripts',
      { version: V0_4_0, configMap: configMap({ [key]: 'mine' }) },
      missing('customNetworkRefs do not exist in Kruise Rollouts v0.4.0', key),
    ],
  ])('%s', (_, sources, result) => {
    expect(lookupCustomScript(route, { builtins, ...sources })).toStrictEqual(result);
  });

  it('that is built in comes first', () => {
    const own = { configMap: configMap({ [customScriptKey(service)]: 'mine' }), assumed: scripts('assumed') };
    expect(lookupCustomScript(service, { builtins, ...own })).toStrictEqual(
      found(
        'built in VirtualService of networking.istio.io',
        'builtin',
        'networking.istio.io/VirtualService/trafficRouting.lua',
      ),
    );
    expect(lookupCustomScript(service, { builtins: NO_BUILTIN_SCRIPTS, ...own })).toStrictEqual(
      found('mine', 'ConfigMap', `${KEY}VirtualService.networking.istio.io`),
    );
  });

  it.each([
    ['example.com/v1', 'Route.example.com'],
    ['example.com/v1/x', 'Route.example.com'],
    ['example.com', 'Route.example.com'],
    ['v1', 'Route.v1'],
    ['', 'Route.'],
  ])('of the API %j has the key %s', (apiVersion, name) => {
    expect(customScriptKey({ apiVersion, kind: 'Route' })).toBe(KEY + name);
  });
});

describe('the key of a proof', () => {
  const script = { target: { provider: 'ingress', classType: 'x' }, source: 'return {}' } as const;
  const custom = { target: { provider: 'custom', kind: 'ingress', group: 'x' }, source: 'return {}' } as const;

  it('is another one for each part', () => {
    const { facts } = LATEST;
    const changed = KruiseRolloutVersion.of('9.9.9', facts);
    const other = KruiseRolloutVersion.of('9.9.9', { ...facts, builtinIngressScripts: [] });
    const keys = [
      proofKey(script, undefined, LATEST),
      proofKey(script, [], LATEST),
      proofKey(script, ['a'], LATEST),
      proofKey(script, ['a', ''], LATEST),
      proofKey(script, [{ error: 'a' }], LATEST),
      proofKey({ ...script, source: 'return { }' }, [], LATEST),
      proofKey({ ...script, target: { provider: 'ingress', classType: 'y' } }, [], LATEST),
      proofKey(custom, [], LATEST),
      proofKey(script, [], changed),
      proofKey(script, [], other),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(proofKey(script, [], LATEST)).toBe(proofKey({ ...script }, [], LATEST));
  });
});
