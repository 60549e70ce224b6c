import { DEFAULT_HEALTH_PORT, DEFAULT_METRICS_PORT } from './names';
import type { Settings } from './settings';

/**
 * The flags of the controller. Omits values that equal the controller's default, so that a release may change a default.
 */
export function processArgs(settings: Settings): string[] {
  const { version, namespaced, healthPort, metricsPort, instanceId, aws } = settings;
  const { facts } = version;
  return [
    // Also with one replica, because two run during an update.
    '--leader-elect=true',
    ...(namespaced ? ['--namespaced'] : []),
    ...flag('instance-id', instanceId),
    ...flag('healthzPort', healthPort === DEFAULT_HEALTH_PORT ? undefined : healthPort),
    ...flag(facts.metricsPortFlag, metricsPort === DEFAULT_METRICS_PORT ? undefined : metricsPort),
    ...flag('loglevel', settings.logLevel),
    ...flag('logformat', settings.logFormat),
    ...flag('kloglevel', settings.kubernetesLogLevel),
    // The controller does not split at commas.
    ...(settings.albIngressClasses ?? []).flatMap((name) => flag('alb-ingress-classes', name)),
    ...(settings.nginxIngressClasses ?? []).flatMap((name) => flag('nginx-ingress-classes', name)),
    ...(aws.verifyTargetGroup === true ? ['--aws-verify-target-group'] : []),
    ...flag('aws-target-group-binding-api-version', aws.targetGroupBindingApiVersion),
    ...flag('alb-tag-key-resource-id', aws.resourceIdTagKey),
    ...(settings.notifications.selfService === true ? ['--self-service-notification-enabled'] : []),
    ...settings.extraArgs,
  ];
}

function flag(name: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [`--${name}=${value}`];
}
