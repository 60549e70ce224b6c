import { portProblems } from '../../../kubernetes/problems';
import { insteadOf, meant, mustBeOneOf, repeated } from '../../../kubernetes/words';
import { DEFAULT_METRICS_PORT } from '../names';
import type { Settings } from '../settings';

/** Flags that the install writes itself, and the property that sets each. */
const OWN_FLAGS: Readonly<Record<string, string | undefined>> = {
  'leader-elect': undefined,
  namespace: 'namespace',
  namespaced: 'namespaced',
  'instance-id': 'instanceId',
  healthzPort: 'healthPort',
  metricsPort: 'metrics.port',
  metricsport: 'metrics.port',
  loglevel: 'logLevel',
  logformat: 'logFormat',
  kloglevel: 'kubernetesLogLevel',
  'alb-ingress-classes': 'albIngressClasses',
  'nginx-ingress-classes': 'nginxIngressClasses',
  'aws-verify-target-group': 'aws.verifyTargetGroup',
  'alb-verify-weight': 'aws.verifyTargetGroup',
  'aws-target-group-binding-api-version': 'aws.targetGroupBindingApiVersion',
  'alb-tag-key-resource-id': 'aws.resourceIdTagKey',
  'self-service-notification-enabled': 'notifications.selfService',
};

/** Flags that do something else than run a controller. */
const NOT_RUNNING = ['help', 'version'];

/** Flags that documents speak of and no release has, and what is meant. */
const MISTAKEN_FLAGS: Readonly<Record<string, string>> = { 'aws-region': 'set aws.region instead' };

/** What is wrong with what the process is told by properties of its own. */
export function processProblems({ instanceId, logLevel, logFormat, kubernetesLogLevel }: Settings): string[] {
  const problems: string[] = [];
  if (instanceId !== undefined && !/^[A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?$/.test(instanceId)) {
    problems.push(`instanceId is "${instanceId}": must be a value of a label`);
  }
  if (kubernetesLogLevel !== undefined && (!Number.isInteger(kubernetesLogLevel) || kubernetesLogLevel < 0)) {
    problems.push(`kubernetesLogLevel is ${kubernetesLogLevel}: must be a whole number from 0 on`);
  }
  return [
    ...problems,
    ...(logLevel === undefined ? [] : mustBeOneOf('logLevel is', logLevel, ['debug', 'info', 'warn', 'error'])),
    ...(logFormat === undefined ? [] : mustBeOneOf('logFormat is', logFormat, ['text', 'json'])),
  ];
}

/** Ports that cannot be had, and ports that are wanted twice. */
export function servedPortProblems({ healthPort, metrics, metricsPort }: Settings): string[] {
  const wrong = portProblems([
    ['healthPort', healthPort],
    ['metrics.port', metricsPort],
  ]);
  if (healthPort !== metricsPort) return wrong;
  const taken = metrics?.port === undefined ? `metrics are served at ${DEFAULT_METRICS_PORT}` : 'so is metrics.port';
  return [...wrong, `healthPort is ${healthPort}, and ${taken}: give one of them another port`];
}

/** Flags that the release does not know, at which it would end, and those that the install writes itself. */
export function argumentProblems({ extraArgs, version }: Settings): string[] {
  const { flags } = version.facts;
  return extraArgs.flatMap((argument) => {
    const flag = /^--([A-Za-z][\w-]*)(=|$)/.exec(argument)?.[1];
    if (flag === undefined) return [`extraArgs has "${argument}": must be a flag, as in "--rollout-threads=20"`];
    const said = `extraArgs has "${argument}"`;
    if (Object.hasOwn(OWN_FLAGS, flag)) {
      return [`${said}, which the install sets itself: ${insteadOf(OWN_FLAGS[flag])}`];
    }
    if (NOT_RUNNING.includes(flag)) return [`${said}, with which no controller would run: leave it out`];
    if (flags.includes(flag)) return [];
    const hint = Object.hasOwn(MISTAKEN_FLAGS, flag)
      ? `: ${MISTAKEN_FLAGS[flag]}`
      : meant(flag, flags, (name) => `"--${name}"`);
    return [`${said}, a flag that ${version} does not have, and would end at once${hint}`];
  });
}

/** Variables that the install depends on, and those that do harm. */
export function variableProblems({ extraEnv, aws }: Settings): string[] {
  const names = extraEnv.map(({ name }) => name);
  return [
    ...repeated(names).map((name) => `extraEnv has ${name} twice: keep one of them`),
    ...(names.includes('POD_NAMESPACE')
      ? ['extraEnv has POD_NAMESPACE, on which names of the install depend: set namespace instead']
      : []),
    ...(names.includes('AWS_REGION') && aws.region !== undefined
      ? ['extraEnv has AWS_REGION, which aws.region sets: keep one of them']
      : []),
    ...(names.includes('ROLLOUT_VERIFY_RETRY_INTERVAL')
      ? [
          'extraEnv has ROLLOUT_VERIFY_RETRY_INTERVAL: the controller ignores a number, and takes anything else for 0, ' +
            'which makes it ask AWS without a pause; leave it out',
        ]
      : []),
  ];
}
