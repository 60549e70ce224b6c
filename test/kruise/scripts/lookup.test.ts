import { describe, expect, test } from 'vitest';
import {
  type BuiltinScripts,
  customScriptKey,
  ingressScriptKey,
  lookupCustomScript,
  lookupIngressScript,
} from '../../../src/kruise/scripts/lookup';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import { configMap } from '../manifests';

const { V0_3_0, V0_4_0 } = KruiseRolloutVersion;

/** The source of every script is its name, so that a test sees which one was found. */
const builtins: BuiltinScripts = {
  find: (target) => ({
    source: target.provider === 'ingress' ? `-- ${target.classType}` : `-- ${target.group}/${target.kind}`,
  }),
};
const virtualService = { apiVersion: 'networking.istio.io/v1beta1', kind: 'VirtualService' };
const route = { apiVersion: 'example.com/v1', kind: 'Route' };

describe('an ingress script', () => {
  test('comes from the ConfigMap even if one is built in', () => {
    const sources = { builtins, configMap: configMap({ 'lua.traffic.routing.ingress.nginx': '-- mine' }) };
    const key = 'lua.traffic.routing.ingress.nginx';
    expect(lookupIngressScript('nginx', sources)).toEqual({ found: true, source: '-- mine', from: 'ConfigMap', key });
  });

  test('is the built-in one if the ConfigMap is missing or has none or an empty one', () => {
    const found = { found: true, source: '-- mse', from: 'builtin', key: 'trafficrouting_ingress/mse.lua' };
    expect(lookupIngressScript('mse', { builtins })).toEqual(found);
    expect(lookupIngressScript('mse', { builtins, configMap: configMap({}) })).toEqual(found);
    const empty = configMap({ 'lua.traffic.routing.ingress.mse': '' });
    expect(lookupIngressScript('mse', { builtins, configMap: empty })).toEqual(found);
  });

  test('of an empty class is that of nginx', () => {
    expect(lookupIngressScript('', { builtins })).toMatchObject({ source: '-- nginx' });
    expect(ingressScriptKey('')).toBe('lua.traffic.routing.ingress.nginx');
    const sources = { builtins, configMap: configMap({ 'lua.traffic.routing.ingress.nginx': '-- mine' }) };
    expect(lookupIngressScript('', sources)).toMatchObject({ source: '-- mine' });
  });

  test('that does not exist is an error with the message of the controller', () => {
    expect(lookupIngressScript('aws-alb', { builtins })).toEqual({
      found: false,
      error: 'aws-alb lua script is not found',
      key: 'lua.traffic.routing.ingress.aws-alb',
    });
  });

  test('of mse is not built in before 0.4', () => {
    expect(lookupIngressScript('mse', { builtins, version: V0_3_0 }).found).toBe(false);
    expect(lookupIngressScript('mse', { builtins, version: V0_4_0 }).found).toBe(true);
  });

  test.each(['__proto__', 'constructor', '../nginx'])('of class "%s" is not found', (classType) => {
    expect(lookupIngressScript(classType, { builtins, configMap: configMap({}) }).found).toBe(false);
  });
});

describe('a custom script', () => {
  test('that is built in cannot be replaced by the ConfigMap', () => {
    const sources = { builtins, configMap: configMap({ [customScriptKey(virtualService)]: '-- mine' }) };
    expect(lookupCustomScript(virtualService, sources)).toEqual({
      found: true,
      source: '-- networking.istio.io/VirtualService',
      from: 'builtin',
      key: 'networking.istio.io/VirtualService/trafficRouting.lua',
    });
  });

  test('comes from the ConfigMap if none is built in, for any API version', () => {
    const key = 'lua.traffic.routing.Route.example.com';
    const sources = { builtins, configMap: configMap({ [key]: '-- mine' }) };
    const found = { found: true, source: '-- mine', from: 'ConfigMap', key };
    expect(lookupCustomScript(route, sources)).toEqual(found);
    expect(lookupCustomScript({ ...route, apiVersion: 'example.com/v2alpha1' }, sources)).toEqual(found);
  });

  test('that is empty in the ConfigMap is found', () => {
    const sources = { builtins, configMap: configMap({ [customScriptKey(route)]: '' }) };
    expect(lookupCustomScript(route, sources)).toMatchObject({ found: true, source: '' });
  });

  test('of a core kind has the version in place of the group', () => {
    expect(customScriptKey({ apiVersion: 'v1', kind: 'Service' })).toBe('lua.traffic.routing.Service.v1');
  });

  test('that is not in the ConfigMap is an error with the message of the controller', () => {
    expect(lookupCustomScript(route, { builtins, configMap: configMap({}) })).toEqual({
      found: false,
      error: 'expected script not found neither locally nor in ConfigMap',
      key: 'lua.traffic.routing.Route.example.com',
    });
  });

  test('without a ConfigMap is an error that names the ConfigMap', () => {
    expect(lookupCustomScript(route, { builtins })).toMatchObject({
      error: 'failed to get ConfigMap(kruise-rollout/kruise-rollout-configuration)',
    });
    expect(lookupCustomScript(route, { builtins, controllerNamespace: 'kruise' })).toMatchObject({
      error: 'failed to get ConfigMap(kruise/kruise-rollout-configuration)',
    });
  });

  test('does not exist before 0.5', () => {
    const sources = { builtins, configMap: configMap({ [customScriptKey(route)]: '-- mine' }), version: V0_4_0 };
    expect(lookupCustomScript(route, sources)).toMatchObject({
      error: 'customNetworkRefs do not exist in Kruise Rollouts v0.4.0',
    });
  });
});
