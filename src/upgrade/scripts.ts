/** The routing scripts that the controller of each release runs for the Rollouts of a stack. */
import type { ObjectRef } from '../core/finding';
import type { Manifest } from '../core/manifest';
import { compareLines } from '../core/text-diff';
import type { ScriptOrigin, UpgradedScript } from '../core/upgrade-result';
import type { World } from '../core/world';
import { routingOfRollout, routingOfTrafficRouting } from '../kruise/routing';
import { scriptName } from '../kruise/scripts/library';
import {
  DEFAULT_CLASS_TYPE,
  lookupCustomScript,
  lookupIngressScript,
  type ScriptLookup,
  type ScriptSources,
} from '../kruise/scripts/lookup';
import { scriptSourcesOf } from '../kruise/scripts/sources';
import type { KruiseRolloutVersion } from '../kruise/version';
import type { StackCheckOptions } from '../settings/check-options';
import { clusterOf, kruiseFactsOf } from '../settings/cluster';
import type { Versions } from '../settings/versions';

/** A script that a Rollout needs, and how each release looks it up. */
interface Need {
  readonly name: string;
  readonly rollout: ObjectRef;
  find(sources: ScriptSources): ScriptLookup;
}

/** The scripts that differ, by name. */
export function differentScripts(
  world: World,
  options: StackCheckOptions,
  from: Versions,
  to: Versions,
): UpgradedScript[] {
  if (from.kruiseVersion === undefined || to.kruiseVersion === undefined) return [];
  const facts = kruiseFactsOf(clusterOf(world, options));
  const [before, after] = [from, to].map(({ kruiseVersion }) =>
    scriptSourcesOf(world, { ...facts, version: kruiseVersion! }),
  );
  const needs = needsOf(world, to.kruiseVersion);
  const names = [...new Set(needs.map(({ name }) => name))].sort();
  return names.flatMap((name): UpgradedScript[] => {
    const own = needs.filter((need) => need.name === name);
    const [old, now] = [own[0]!.find(before!), own[0]!.find(after!)];
    const isSame = originOf(old) === originOf(now) && sourceOf(old) === sourceOf(now);
    if (isSame) return [];
    const lines = compareLines(linesOf(old), linesOf(now));
    const count = (mark: string) => lines.filter((line) => line.mark === mark).length;
    return [
      {
        name,
        from: originOf(old),
        to: originOf(now),
        lines: { added: count('+'), dropped: count('-') },
        rollouts: own.map(({ rollout }) => rollout),
      },
    ];
  });
}

function needsOf(world: World, version: KruiseRolloutVersion): Need[] {
  const rollouts = world.list('Rollout.rollouts.kruise.io');
  const routings = world.list('TrafficRouting.rollouts.kruise.io');
  return [
    ...rollouts.flatMap((one) => needsOfRouting(one, routingOfRollout(one.object, 0, { version }))),
    ...routings.flatMap((one) => needsOfRouting(one, routingOfTrafficRouting(one.object, { version }))),
  ];
}

function needsOfRouting({ ref }: Manifest, routing: ReturnType<typeof routingOfRollout>): Need[] {
  const { ingress, customNetworkRefs = [] } = routing ?? {};
  const ofIngress = ingress && {
    name: scriptName({ provider: 'ingress', classType: ingress.classType || DEFAULT_CLASS_TYPE }),
    rollout: ref,
    find: (sources: ScriptSources) => lookupIngressScript(ingress.classType, sources),
  };
  const ofKinds = customNetworkRefs.map((one): Need => {
    const [group = ''] = one.apiVersion.split('/');
    return {
      name: scriptName({ provider: 'custom', group, kind: one.kind }),
      rollout: ref,
      find: (sources) => lookupCustomScript(one, sources),
    };
  });
  return [...(ofIngress ? [ofIngress] : []), ...ofKinds];
}

function originOf(lookup: ScriptLookup): ScriptOrigin {
  return lookup.found ? lookup.from : 'missing';
}

function sourceOf(lookup: ScriptLookup): string {
  return lookup.found ? lookup.source : '';
}

function linesOf(lookup: ScriptLookup): string[] {
  return lookup.found ? lookup.source.trimEnd().split('\n') : [];
}
