import { portProblems } from '../../../kubernetes/problems';
import { insteadOf, meant, repeated } from '../../../kubernetes/words';
import { DEFAULT_METRICS_PORT } from '../names';
import type { Settings } from '../settings';

/** Flags that the install sets, and the option for each. */
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

/** Flags that do not run a controller. */
const NOT_RUNNING = ['help', 'version'];

/** Flags that documents mention but no release has, with the correct option. */
const MISTAKEN_FLAGS: Readonly<Record<string, string>> = { 'aws-region': 'set aws.region instead' };

/** The problems with options of the controller's flags. */
export function processProblems({ instanceId, kubernetesLogLevel }: Settings): string[] {
  const problems: string[] = [];
  if (instanceId !== undefined && !/^[A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?$/.test(instanceId)) {
    problems.push(`instanceId is "${instanceId}": must be a valid label value`);
  }
  if (kubernetesLogLevel !== undefined && (!Number.isInteger(kubernetesLogLevel) || kubernetesLogLevel < 0)) {
    problems.push(`kubernetesLogLevel is ${kubernetesLogLevel}: must be a whole number of at least 0`);
  }
  return problems;
}

/** Invalid and duplicate ports. */
export function servedPortProblems({ healthPort, metrics, metricsPort }: Settings): string[] {
  const wrong = portProblems([
    ['healthPort', healthPort],
    ['metrics.port', metricsPort],
  ]);
  if (healthPort !== metricsPort) return wrong;
  const taken = metrics?.port === undefined ? `the default metrics port ${DEFAULT_METRICS_PORT}` : 'metrics.port';
  return [...wrong, `healthPort is ${healthPort}, the same as ${taken}: set another port for one of them`];
}

/** Flags that the release does not have, so that the controller would exit, and flags that the install sets itself. */
export function argumentProblems({ extraArgs, version }: Settings): string[] {
  const { flags } = version.facts;
  return extraArgs.flatMap((argument) => {
    const flag = /^--([A-Za-z][\w-]*)(=|$)/.exec(argument)?.[1];
    if (flag === undefined) return [`extraArgs has "${argument}": must be a flag such as "--rollout-threads=20"`];
    const said = `extraArgs has "${argument}"`;
    if (Object.hasOwn(OWN_FLAGS, flag)) {
      return [`${said}, which the install sets itself: ${insteadOf(OWN_FLAGS[flag])}`];
    }
    if (NOT_RUNNING.includes(flag)) return [`${said}, which does not run a controller: remove it`];
    if (flags.includes(flag)) return [];
    const hint = Object.hasOwn(MISTAKEN_FLAGS, flag)
      ? `: ${MISTAKEN_FLAGS[flag]}`
      : meant(flag, flags, (name) => `"--${name}"`);
    return [`${said}, a flag that ${version} does not have, so the controller would exit${hint}`];
  });
}

/** Variables that the install depends on, and harmful ones. */
export function variableProblems({ extraEnv, aws }: Settings): string[] {
  const names = extraEnv.map(({ name }) => name);
  return [
    ...repeated(names).map((name) => `extraEnv has ${name} twice: keep one of them`),
    ...(names.includes('POD_NAMESPACE')
      ? ['extraEnv has POD_NAMESPACE, which names of the install depend on: set namespace instead']
      : []),
    ...(names.includes('AWS_REGION') && aws.region !== undefined
      ? ['extraEnv has AWS_REGION, which aws.region sets: keep one of them']
      : []),
    ...(names.includes('ROLLOUT_VERIFY_RETRY_INTERVAL')
      ? [
          'extraEnv has ROLLOUT_VERIFY_RETRY_INTERVAL: the controller ignores a number, and reads any other text as 0, ' +
            'so that it calls AWS without a pause; remove it',
        ]
      : []),
  ];
}
