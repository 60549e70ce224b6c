/** Plugins that a Rollout names. A plugin is a program of its own, and no manifest says what it does. */
import type { Manifest, World } from '../../core';
import { asObject, asText, partOf } from '../../core/json';
import type { ReleasePlay, Remark } from '../../release';
import { CONFIG_NAME } from '../install/names';
import { argoReleaseRules } from './rules';
import type { ArgoSubject } from './subject';

/** The ConfigMaps that list the plugins of a controller. */
export function pluginConfigsOf(world: World): readonly Manifest[] {
  return world.list('ConfigMap').filter(({ name }) => name === CONFIG_NAME);
}

/** A step that runs a plugin. */
interface PluginStep {
  readonly name: string;
  readonly step: number;
}

/** The remark about a traffic router that is a plugin, which ends every rehearsal. */
export function pluginRouterRemark(subject: ArgoSubject, world: World): Remark | undefined {
  const path = [...subject.traffic.path, 'plugins'];
  const names = Object.keys(asObject(subject.manifest.get(path)));
  const unknown = names.find((name) => isMissing(world, 'trafficRouterPlugins', name));
  if (unknown !== undefined) {
    return {
      rule: argoReleaseRules['rehearsal-plugin-missing'],
      message: `not rehearsed: no ConfigMap "${CONFIG_NAME}" of these manifests has the traffic router plugin "${unknown}", so the Rollout is never deployed`,
      path: [...path, unknown],
    };
  }
  const [name] = names;
  if (name === undefined) return undefined;
  return {
    rule: 'rehearsal-incomplete',
    message: `not rehearsed: what the traffic router plugin "${name}" writes is not known`,
    path: [...path, name],
    because: 'a plugin is a program of its own, and no manifest says what it does',
    fix: 'nothing; all other checks of the Rollout still run',
  };
}

/** A play that ends at the step whose plugin the controller does not have. */
export function untilMissingPlugin(subject: ArgoSubject, play: ReleasePlay, world: World): ReleasePlay {
  const missing = pluginSteps(subject).find(({ name }) => isMissing(world, 'stepPlugins', name));
  if (missing === undefined) return play;
  const { name, step } = missing;
  const end = play.moments.findIndex((moment) => moment.phase === 'finish' || (moment.step ?? -1) > step);
  const message = `no ConfigMap "${CONFIG_NAME}" of these manifests has the step plugin "${name}"`;
  return {
    ...play,
    moments: end < 0 ? play.moments : play.moments.slice(0, end),
    stop: {
      class: 'plugin',
      message,
      step,
      remark: {
        rule: argoReleaseRules['rehearsal-plugin-missing'],
        message: `the release never gets beyond steps[${step}]: ${message}`,
        path: [...subject.path, 'steps', step, 'plugin', 'name'],
        step,
      },
    },
  };
}

/** Remarks on steps with plugins that the controller may have. */
export function pluginStepRemarks(subject: ArgoSubject, world: World): Remark[] {
  const steps = pluginSteps(subject);
  if (steps.some(({ name }) => isMissing(world, 'stepPlugins', name))) return [];
  return steps.map(({ name, step }) => ({
    rule: 'rehearsal-incomplete',
    message: `steps[${step}] runs the plugin "${name}": whether and when the release goes on is not known, and it is rehearsed as if the plugin succeeds`,
    path: [...subject.path, 'steps', step, 'plugin', 'name'],
    step,
    because: 'a plugin is a program of its own, and no manifest says what it does',
    fix: 'nothing; the steps before and after it are rehearsed',
  }));
}

function pluginSteps({ steps }: ArgoSubject): PluginStep[] {
  return steps.flatMap((one, step) => {
    const plugin = partOf(one, 'plugin');
    return plugin === undefined ? [] : [{ name: asText(plugin.name), step }];
  });
}

/** Whether the ConfigMaps of the stack lack a plugin; unknown, and so false, without a ConfigMap. */
function isMissing(world: World, list: string, name: string): boolean {
  const configs = pluginConfigsOf(world);
  return configs.length > 0 && !configs.some((config) => namesIn(config, list).includes(name));
}

/** All names in a list of plugins, which is YAML or JSON in a text: those of plugins, and those of their Secrets. */
function namesIn(config: Manifest, list: string): string[] {
  const text = asText(asObject(config.get('data'))[list]);
  return [...text.matchAll(/(?:^|[\s,{-])["']?name["']?\s*:\s*["']?([^"'\s,}]+)/gm)].map(([, name]) => name!);
}
