import { budgetProblems, namespaceProblems, replicaProblems } from '../../../kubernetes/problems';
import type { ArgoInstallOptions } from '../options';
import { type Settings, settingsOf } from '../settings';
import { accessProblems, awsProblems, classProblems } from './aws';
import { configProblems } from './config';
import { imageProblems, labelProblems, volumeProblems } from './pods';
import { argumentProblems, processProblems, servedPortProblems, variableProblems } from './process';

/** All problems with the options of an install; empty if the options are valid. */
export function argoInstallProblems(options: ArgoInstallOptions = {}): string[] {
  const settings = settingsOf(options);
  return [
    ...placeProblems(options, settings),
    ...replicaProblems('replicas', settings.replicas),
    ...replicaProblems('dashboard.replicas', settings.dashboard?.replicas ?? 1),
    ...imageProblems('image', options.image),
    ...imageProblems('dashboard.image', options.dashboard?.image),
    ...serviceAccountProblems(options),
    ...awsProblems(settings),
    ...accessProblems(options),
    ...classProblems('albIngressClasses', settings.albIngressClasses),
    ...classProblems('nginxIngressClasses', settings.nginxIngressClasses),
    ...processProblems(settings),
    ...servedPortProblems(settings),
    ...argumentProblems(settings),
    ...variableProblems(settings),
    ...labelProblems(settings),
    ...volumeProblems(settings),
    ...budgetProblems(settings, settings.replicas),
    ...configProblems(settings),
  ];
}

function placeProblems(options: ArgoInstallOptions, { namespace, namespaced }: Settings): string[] {
  return [
    ...(namespaced && options.namespace === undefined
      ? ['namespaced is set, but no namespace: set the namespace that the controller manages']
      : []),
    ...namespaceProblems(namespace),
  ];
}

function serviceAccountProblems({ serviceAccountName, serviceAccountAnnotations = {} }: ArgoInstallOptions): string[] {
  if (serviceAccountName === undefined) return [];
  const problems: string[] = [];
  if (!/^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/.test(serviceAccountName)) {
    problems.push(`serviceAccountName is "${serviceAccountName}": must be lower-case letters, digits, "-" and "."`);
  }
  if (Object.keys(serviceAccountAnnotations).length > 0) {
    problems.push(
      `serviceAccountAnnotations are set, but the ServiceAccount "${serviceAccountName}" is not part of the install: set ` +
        'them on that ServiceAccount, or remove serviceAccountName',
    );
  }
  return problems;
}
