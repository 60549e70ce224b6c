import { isIP } from '../../core/ip-address';
import type { LabelSelectorRequirement } from '../../kubernetes/api';
import {
  budgetProblems,
  namespaceProblems,
  portProblems,
  replicaProblems,
  tagProblems,
} from '../../kubernetes/problems';
import { insteadOf, meant } from '../../kubernetes/words';
import type { KruiseInstallOptions, KruiseRolloutImage, KruiseRolloutNetworkPolicy } from './options';
import { type Settings, settingsOf } from './settings';

/** Flags that the install sets, and the option for each. */
const OWN_FLAGS: Readonly<Record<string, string | undefined>> = {
  'leader-elect': undefined,
  'health-probe-bind-address': 'healthPort',
  'metrics-bind-address': 'metrics',
  v: 'logLevel',
  'feature-gates': 'featureGates',
  'partition-percent-limit': 'partitionPercentLimit',
};

/** Environment variables that names, ports and folders of the install depend on, and the option for each. */
const OWN_VARIABLES: Readonly<Record<string, string | undefined>> = {
  POD_NAMESPACE: 'namespace',
  SECRET_NAME: undefined,
  SERVICE_NAME: undefined,
  WEBHOOK_CERT_DIR: undefined,
  WEBHOOK_CERT_WRITER: undefined,
  WEBHOOK_HOST: undefined,
  WEBHOOK_PORT: 'webhookPort',
};

/** All problems with the options of an install; empty if the options are valid. */
export function installProblems(options: KruiseInstallOptions): string[] {
  const settings = settingsOf(options);
  return [
    ...namespaceProblems(settings.namespace),
    ...controllerProblems(settings),
    ...imageProblems(options.image ?? {}),
    ...gateProblems(settings),
    ...numberProblems(settings),
    ...servedPortProblems(settings),
    ...argumentProblems(settings),
    ...variableProblems(settings),
    ...labelProblems(settings),
    ...settings.objectSelector.flatMap(selectorProblems),
    ...budgetProblems(settings, settings.replicas),
    ...networkProblems(options.networkPolicy, settings),
  ];
}

function controllerProblems({ replicas }: Settings): string[] {
  return replicaProblems('replicas', replicas).map(
    (problem) => `${problem}; while no controller runs, nobody can update a workload of a Rollout`,
  );
}

function imageProblems(image: KruiseRolloutImage): string[] {
  const { repository } = image;
  const problems: string[] = [];
  if (repository !== undefined && !/^[^\s:@]+(:\d+\/[^\s:@]+)?$/.test(repository)) {
    problems.push(
      `image.repository is "${repository}": must be an image without tag and digest; set image.tag and image.digest`,
    );
  }
  return [...problems, ...tagProblems('image', image)];
}

function gateProblems({ featureGates, version }: Settings): string[] {
  const known: readonly string[] = version.facts.featureGates;
  return Object.keys(featureGates)
    .filter((gate) => !known.includes(gate))
    .map(
      (gate) =>
        `featureGates.${gate} does not exist in ${version}, and the controller would exit${meant(gate, known)}; ` +
        `the feature gates are ${known.join(', ')}`,
    );
}

function numberProblems({ logLevel, partitionPercentLimit: limit, version }: Settings): string[] {
  const problems: string[] = [];
  if (!Number.isInteger(logLevel) || logLevel < 0) {
    problems.push(`logLevel is ${logLevel}: must be a whole number of at least 0`);
  }
  if (limit === undefined) return problems;
  if (!version.facts.partitionPercentLimitFlag) {
    problems.push(`partitionPercentLimit is set: ${version} does not have the flag and would exit; remove it`);
  } else if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
    problems.push(`partitionPercentLimit is ${limit}: must be a whole number from 1 to 100`);
  }
  return problems;
}

function servedPortProblems({ webhookPort, healthPort, metrics }: Settings): string[] {
  const ports: [string, number][] = [
    ['webhookPort', webhookPort],
    ['healthPort', healthPort],
    ...(metrics === undefined ? [] : [['metrics.port', metrics.port] as [string, number]]),
  ];
  const twice = ports.flatMap(([name, port], index) => {
    const other = ports.slice(0, index).find(([, taken]) => taken === port);
    return other === undefined ? [] : [`${name} is ${port}, the same as ${other[0]}: set another port for one of them`];
  });
  return [...portProblems(ports), ...twice];
}

function argumentProblems({ extraArgs }: Settings): string[] {
  return extraArgs.flatMap((argument) => {
    const flag = /^--?([a-z][a-z0-9_-]*)(=|$)/.exec(argument)?.[1];
    if (flag === undefined) return [`extraArgs has "${argument}": must be a flag such as "--rollout-workers=10"`];
    if (!Object.hasOwn(OWN_FLAGS, flag)) return [];
    return [`extraArgs has "${argument}", which the install sets itself: ${insteadOf(OWN_FLAGS[flag])}`];
  });
}

function variableProblems({ extraEnv }: Settings): string[] {
  const names = extraEnv.map(({ name }) => name);
  return names.flatMap((name, index) => {
    if (Object.hasOwn(OWN_VARIABLES, name)) {
      return [
        `extraEnv has ${name}, which names and ports of the install depend on: ${insteadOf(OWN_VARIABLES[name])}`,
      ];
    }
    return names.indexOf(name) < index ? [`extraEnv has ${name} twice: keep one of them`] : [];
  });
}

function labelProblems({ labels, podLabels }: Settings): string[] {
  return Object.entries({ labels, podLabels })
    .filter(([, set]) => Object.hasOwn(set, 'control-plane'))
    .map(([name]) => `${name} has "control-plane", which Services use to select the controller's pods: remove it`);
}

function selectorProblems({ key, operator, values }: LabelSelectorRequirement, index: number): string[] {
  const where = `objectSelector[${index}]`;
  const needsValues = operator === 'In' || operator === 'NotIn';
  const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist'];
  if (!operators.includes(operator)) return [`${where}.operator is "${operator}": must be ${operators.join(', ')}`];
  if (key === '') return [`${where}.key is empty: name a label`];
  if (needsValues && !values?.length) return [`${where} has the operator ${operator}: it needs values`];
  if (!needsValues && values?.length) return [`${where} has the operator ${operator}: remove its values`];
  return [];
}

function networkProblems(policy: KruiseRolloutNetworkPolicy | undefined, { metrics }: Settings): string[] {
  const { apiServerCidrs = [], apiServerPorts = [443], metricsFrom } = policy ?? {};
  const problems = apiServerCidrs
    .filter((cidr) => !isCidr(cidr))
    .map((cidr) => `networkPolicy.apiServerCidrs has "${cidr}": must be a CIDR such as "10.0.0.0/16"`);
  if (
    apiServerPorts.length === 0 ||
    apiServerPorts.some((port) => !Number.isInteger(port) || port < 1 || port > 65535)
  ) {
    problems.push(`networkPolicy.apiServerPorts is [${apiServerPorts.join(', ')}]: must be ports from 1 to 65535`);
  }
  if (metricsFrom !== undefined && metrics === undefined) {
    problems.push(
      'networkPolicy.metricsFrom is set, but the controller serves no metrics: set metrics, or remove metricsFrom',
    );
  }
  if (metricsFrom?.length === 0) {
    problems.push('networkPolicy.metricsFrom is empty: add a peer, or remove it to allow all pods');
  }
  return problems;
}

function isCidr(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/');
  const version = isIP(address);
  return rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : version === 6 ? 128 : -1);
}
