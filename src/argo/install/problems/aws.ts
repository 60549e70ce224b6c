import { isRegion } from '../../../aws';
import { repeated } from '../../../kubernetes/words';
import type { ArgoInstallOptions } from '../options';
import type { Settings } from '../settings';

/** The problems with the AWS options. */
export function awsProblems({ aws, version, extraEnv, trafficRouters }: Settings): string[] {
  const { verifyTargetGroup = false, region, targetGroupBindingApiVersion: api, resourceIdTagKey: key } = aws;
  const problems: string[] = [];
  const regionInEnv = extraEnv.some(({ name }) => name === 'AWS_REGION' || name === 'AWS_DEFAULT_REGION');
  if (verifyTargetGroup && region === undefined && !regionInEnv) {
    problems.push(
      'aws.verifyTargetGroup is set, but no region: set aws.region, because the controller has no flag for it and pods often ' +
        'cannot reach the metadata of their node',
    );
  }
  if (region !== undefined && !isRegion(region)) {
    problems.push(`aws.region is "${region}": must be a region such as "eu-west-1"`);
  }
  if (verifyTargetGroup && !trafficRouters.includes('alb')) {
    problems.push(
      'aws.verifyTargetGroup is set, but trafficRouters has no "alb": add it, or remove aws.verifyTargetGroup',
    );
  }
  const set = { targetGroupBindingApiVersion: api, resourceIdTagKey: key };
  for (const [name, value] of Object.entries(set)) {
    if (value === undefined) continue;
    if (!version.facts.awsApiFlags) {
      problems.push(`aws.${name} is set: ${version} does not have the flag and would exit; remove it`);
    } else if (!verifyTargetGroup) {
      problems.push(`aws.${name} is set, but the controller verifies nothing: set aws.verifyTargetGroup, or remove it`);
    }
  }
  if (api !== undefined && !/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?\/v\d+((alpha|beta)\d+)?$/.test(api)) {
    problems.push(
      `aws.targetGroupBindingApiVersion is "${api}": must be an API version such as "eks.amazonaws.com/v1"`,
    );
  }
  if (key !== undefined && (key === '' || key.length > 128)) {
    problems.push(`aws.resourceIdTagKey is "${key}": must have 1 to 128 characters`);
  }
  return problems;
}

/** Annotations that are set twice, or that the install cannot write. */
export function accessProblems(options: ArgoInstallOptions): string[] {
  const { access } = options.aws ?? {};
  if (access === undefined) return [];
  const problems = (['serviceAccountAnnotations', 'podAnnotations', 'namespaceAnnotations'] as const).flatMap((name) =>
    Object.keys(access[name])
      .filter((key) => Object.hasOwn(options[name] ?? {}, key))
      .map((key) => `${name} has "${key}", which aws.access sets: keep one of them`),
  );
  const { serviceAccountName } = options;
  const onAccount = Object.keys(access.serviceAccountAnnotations);
  if (serviceAccountName === undefined || onAccount.length === 0) return problems;
  return [
    ...problems,
    `aws.access annotates the ServiceAccount (${onAccount.join(', ')}), but "${serviceAccountName}" is not part of ` +
      'the install: remove aws.access or serviceAccountName',
  ];
}

/** The problems with a list of Ingress classes. */
export function classProblems(name: string, classes: readonly string[] | undefined): string[] {
  if (classes === undefined) return [];
  if (classes.length === 0) return [`${name} is empty: add a class, or remove it for the controller's default`];
  return [
    ...classes
      .filter((one) => one.includes(','))
      .map(
        (one) => `${name} has "${one}": the controller does not split at commas; write ${JSON.stringify(splitUp(one))}`,
      ),
    ...repeated(classes).map((one) => `${name} has "${one}" twice: keep one of them`),
  ];
}

function splitUp(classes: string): string[] {
  return classes.split(',').map((one) => one.trim());
}
