import { describe, expect, it } from 'vitest';
import { Manifest, World } from '../../../src/core';
import { builtinScripts, packagedScripts } from '../../../src/kruise/scripts/library';
import { type ScriptSourcesOptions, scriptSourcesOf } from '../../../src/kruise/scripts/sources';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import { configMap, ingress } from '../manifests';

const own = configMap({ 'lua.traffic.routing.ingress.own': 'return {}' });
const named = (metadata: object) => ({ ...own, metadata: { ...own.metadata, ...metadata } });
const inCluster = [packagedScripts().scripts[0]!];

/** Whether the scripts come from the stack, from the cluster, or are assumed. */
function originOf(objects: readonly object[], options: ScriptSourcesOptions = {}) {
  const { configMap: found, assumed } = scriptSourcesOf(World.of(objects.map((one) => Manifest.of(one))), options);
  const data = Object.keys((found as { data?: object } | undefined)?.data ?? {});
  const from = found === undefined ? 'none' : data.includes('lua.traffic.routing.ingress.own') ? 'stack' : 'cluster';
  return assumed === undefined
    ? from
    : `${from}, ${assumed === packagedScripts() ? 'those of the library' : 'others'} assumed`;
}

describe('where the controller of a stack finds its scripts', () => {
  it.each<[what: string, objects: readonly object[], options: ScriptSourcesOptions, origin: string]>([
    ['no ConfigMap', [ingress()], {}, 'none'],
    ['its ConfigMap', [own], {}, 'stack'],
    ['a ConfigMap with another name', [named({ name: 'other' })], {}, 'none'],
    ['a ConfigMap in another namespace', [named({ namespace: 'shop' })], {}, 'none'],
    [
      'a ConfigMap in the namespace of the controller',
      [named({ namespace: 'x' })],
      { controllerNamespace: 'x' },
      'stack',
    ],
    ['the ConfigMap of another controller', [own], { controllerNamespace: 'x' }, 'none'],
    ['the scripts of the cluster', [], { scripts: inCluster }, 'cluster'],
    ['its ConfigMap before that of the cluster', [own], { scripts: inCluster }, 'stack'],
    ['no script in the cluster', [], { scripts: [] }, 'cluster'],
    ['unknown scripts', [], { scripts: 'unknown' }, 'none, those of the library assumed'],
    ['its ConfigMap before unknown scripts', [own], { scripts: 'unknown' }, 'stack'],
  ])('%s', (_, objects, options, origin) => {
    expect(originOf(objects, options)).toBe(origin);
  });

  it('has the built-in scripts of its release', () => {
    const world = World.of([]);
    const version = KruiseRolloutVersion.V0_4_0;
    expect(scriptSourcesOf(world, {})).toEqual({
      builtins: builtinScripts(KruiseRolloutVersion.LATEST),
      version: KruiseRolloutVersion.LATEST,
      controllerNamespace: 'kruise-rollout',
    });
    expect(scriptSourcesOf(world, { version, controllerNamespace: 'x' })).toEqual({
      builtins: builtinScripts(version),
      version,
      controllerNamespace: 'x',
    });
  });
});
