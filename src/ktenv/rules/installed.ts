/** Finds the operators and the webhook of KtEnv in a World. */

import type { Json, JsonObject } from '../../core/json';
import { asList, asObject, ownValue } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import type { World } from '../../core/world';
import { OPERATOR, TAG_INJECTION_LABEL, WEBHOOK_CONFIGURATION, WEBHOOK_DEPLOYMENT } from '../install/names';
import { variable } from './context';

/** The Deployments of operators, found by name or by image. */
export function operatorsIn(world: World): Manifest[] {
  return world.list('Deployment.apps').filter((one) => one.name === OPERATOR || hasImage(one, '/virtual-env-operator'));
}

/** The Deployments of the webhook. Its name is too common to identify it alone. */
export function webhookDeploymentsIn(world: World): Manifest[] {
  return world
    .list('Deployment.apps')
    .filter(
      (one) =>
        hasImage(one, '/virtual-env-admission-webhook') ||
        (one.name === WEBHOOK_DEPLOYMENT && variable(one, 'envLabel') !== undefined),
    );
}

/** An entry of a MutatingWebhookConfiguration that calls the webhook of KtEnv. */
export interface WebhookEntry {
  readonly configuration: Manifest;
  readonly index: number;
  readonly webhook: JsonObject;
}

/** The entries that call the webhook, found by the name of the configuration or by their namespace selector. */
export function webhookEntriesIn(world: World): WebhookEntry[] {
  return world.list('MutatingWebhookConfiguration.admissionregistration.k8s.io').flatMap((configuration) =>
    asList(configuration.get('webhooks'))
      .map((webhook, index) => ({ configuration, index, webhook: asObject(webhook) }))
      .filter(
        ({ webhook }) =>
          configuration.name === WEBHOOK_CONFIGURATION ||
          ownValue(ownValue(webhook.namespaceSelector, 'matchLabels'), TAG_INJECTION_LABEL) !== undefined,
      ),
  );
}

/** The labels that a Deployment of the webhook reads, in its order; undefined without a plain value. */
export function labelsOfWebhook(deployment: Manifest): string[] | undefined {
  const value: Json | undefined = ownValue(variable(deployment, 'envLabel'), 'value');
  return typeof value === 'string' ? value.split(',') : undefined;
}

function hasImage(deployment: Manifest, part: string): boolean {
  const containers = asList(deployment.get('spec.template.spec.containers')).map(asObject);
  return containers.some(({ image }) => typeof image === 'string' && image.includes(part));
}
