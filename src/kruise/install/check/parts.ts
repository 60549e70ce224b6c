import type { Severity } from '../../../core/finding';
import type { World } from '../../../core/world';
import { MUTATING_WEBHOOKS_NAME, VALIDATING_WEBHOOKS_NAME, WEBHOOK_SERVICE_NAME } from '../names';
import type { Controller } from './controllers';

/**
 * The severity of a missing part of an install. It is an error if the World has other parts of the install. If the World
 * has only the Deployment, other files may have the rest, so it is a warning.
 */
export function severityOfMissing({ namespace, serviceAccountName }: Controller, world: World): Severity {
  const others = [
    world.find('Service', WEBHOOK_SERVICE_NAME, namespace),
    world.find('ServiceAccount', serviceAccountName, namespace),
    world.find('MutatingWebhookConfiguration.admissionregistration.k8s.io', MUTATING_WEBHOOKS_NAME),
    world.find('ValidatingWebhookConfiguration.admissionregistration.k8s.io', VALIDATING_WEBHOOKS_NAME),
  ];
  return others.some((part) => part !== undefined) ? 'error' : 'warning';
}
