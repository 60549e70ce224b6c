import type { ArgoInstallOptions } from '../options';
import { TRAFFIC_ROUTERS } from '../router-rules';
import { type Settings, settingsOf } from '../settings';
import { accessProblems, awsProblems, classProblems } from './aws';
import { configProblems } from './config';
import { imageProblems, labelProblems, volumeProblems } from './pods';
import { argumentProblems, portProblems, processProblems, variableProblems } from './process';
import { mustBeOneOf } from './words';

/** What is wrong with the options of an install, all at once; empty when it can be written. */
export function argoInstallProblems(options: ArgoInstallOptions = {}): string[] {
  const settings = settingsOf(options);
  return [
    ...namespaceProblems(options, settings),
    ...replicaProblems(settings),
    ...imageProblems('image', options.image),
    ...imageProblems('dashboard.image', options.dashboard?.image),
    ...serviceAccountProblems(options),
    ...routerProblems(settings),
    ...awsProblems(settings),
    ...accessProblems(options),
    ...classProblems('albIngressClasses', settings.albIngressClasses),
    ...classProblems('nginxIngressClasses', settings.nginxIngressClasses),
    ...processProblems(settings),
    ...portProblems(settings),
    ...argumentProblems(settings),
    ...variableProblems(settings),
    ...labelProblems(settings),
    ...volumeProblems(settings),
    ...budgetProblems(settings),
    ...configProblems(settings),
  ];
}

function namespaceProblems(options: ArgoInstallOptions, { namespace, namespaced, crds }: Settings): string[] {
  const problems: string[] = [];
  if (namespaced && options.namespace === undefined) {
    problems.push('namespaced is set, but no namespace: name the one that the controller looks after');
  }
  if (!/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(namespace)) {
    problems.push(`namespace is "${namespace}": must be at most 63 lower-case letters, digits and "-"`);
  }
  return [...problems, ...mustBeOneOf('crds is', crds, ['keep', 'remove', 'skip'])];
}

function replicaProblems({ replicas, dashboard }: Settings): string[] {
  const counts: [string, number][] = [
    ['replicas', replicas],
    ['dashboard.replicas', dashboard?.replicas ?? 1],
  ];
  return counts
    .filter(([, count]) => !Number.isInteger(count) || count < 1)
    .map(([name, count]) => `${name} is ${count}: must be a whole number from 1 on`);
}

function serviceAccountProblems({ serviceAccountName, serviceAccountAnnotations = {} }: ArgoInstallOptions): string[] {
  if (serviceAccountName === undefined) return [];
  const problems: string[] = [];
  if (!/^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/.test(serviceAccountName)) {
    problems.push(`serviceAccountName is "${serviceAccountName}": must be lower-case letters, digits, "-" and "."`);
  }
  if (Object.keys(serviceAccountAnnotations).length > 0) {
    problems.push(
      `serviceAccountAnnotations are set, but the ServiceAccount "${serviceAccountName}" is made by somebody else: set ` +
        'them there, or leave serviceAccountName out',
    );
  }
  return problems;
}

function routerProblems({ trafficRouters }: Settings): string[] {
  return trafficRouters.flatMap((router) => mustBeOneOf('trafficRouters has', router, TRAFFIC_ROUTERS));
}

function budgetProblems({ podDisruptionBudget: budget, replicas }: Settings): string[] {
  if (budget === undefined) return [];
  const { minAvailable, maxUnavailable } = budget;
  if ((minAvailable === undefined) === (maxUnavailable === undefined)) {
    return ['podDisruptionBudget needs exactly one of minAvailable and maxUnavailable'];
  }
  const name = minAvailable === undefined ? 'maxUnavailable' : 'minAvailable';
  const value = (minAvailable ?? maxUnavailable)!;
  const pods = podsOf(value, replicas);
  if (pods === undefined) {
    return [`podDisruptionBudget.${name} is ${value}: must be a whole number, or a percentage as in "50%"`];
  }
  const left = name === 'minAvailable' ? replicas - pods : pods;
  if (left > 0) return [];
  return [
    `podDisruptionBudget.${name} is ${value} with ${replicas} replicas: no node with a controller could be drained`,
  ];
}

/** How many pods a number or a percentage is, rounded up as Kubernetes does. */
function podsOf(value: number | string, replicas: number): number | undefined {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 ? value : undefined;
  const percent = /^(\d{1,3})%$/.exec(value)?.[1];
  return percent === undefined ? undefined : Math.ceil((Number(percent) * replicas) / 100);
}
