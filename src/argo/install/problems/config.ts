import { repeated } from '../../../kubernetes/words';
import type { ArgoRolloutsPlugin } from '../options';
import type { Settings } from '../settings';

/** The problems with plugins and notifications. */
export function configProblems({ plugins, notifications }: Settings): string[] {
  const { metricProviders = [], steps = [], trafficRouters = [] } = plugins;
  const lists = { metricProviders, steps, trafficRouters };
  return [
    ...Object.entries(lists).flatMap(([list, entries]) =>
      entries.flatMap((plugin, index) => pluginProblems(`plugins.${list}[${index}]`, plugin)),
    ),
    ...repeated([...metricProviders, ...steps, ...trafficRouters].map(({ name }) => name)).map(
      (name) => `plugins has "${name}" twice: the controller identifies plugins by name, so rename one of them`,
    ),
    ...keyProblems('notifications.config', notifications.config),
    ...keyProblems('notifications.secret', notifications.secret),
  ];
}

function pluginProblems(where: string, { name, location, sha256 }: ArgoRolloutsPlugin): string[] {
  const problems: string[] = [];
  if (!/^[a-zA-Z0-9-]+\/[a-zA-Z0-9_.-]+$/.test(name)) {
    problems.push(
      `${where}.name is "${name}": must be a name such as "argoproj-labs/gatewayAPI", or the controller does not start`,
    );
  }
  if (!/^(https?|file):\/\/\S+$/.test(location)) {
    problems.push(`${where}.location is "${location}": must begin with "https://", "http://" or "file://"`);
  } else if (location.startsWith('http:') && sha256 === undefined) {
    problems.push(
      `${where}.location is "${location}": an attacker on the network could replace the program; set sha256, or use https`,
    );
  }
  if (sha256 !== undefined && !/^[0-9a-f]{64}$/.test(sha256)) {
    problems.push(`${where}.sha256 is "${sha256}": must be 64 hexadecimal digits`);
  }
  return problems;
}

function keyProblems(where: string, entries: { readonly [key: string]: string } = {}): string[] {
  return Object.keys(entries)
    .filter((key) => !/^[-._a-zA-Z0-9]{1,253}$/.test(key))
    .map((key) => `${where} has the key "${key}": must be letters, digits, "-", "_" and "."`);
}
