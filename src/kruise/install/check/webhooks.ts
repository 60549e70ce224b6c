import type { Finding } from '../../../core/finding';
import type { Json } from '../../../core/json';
import { asList, asObject, textOf } from '../../../core/json';
import type { Manifest } from '../../../core/manifest';
import type { World } from '../../../core/world';
import { MUTATING_WEBHOOKS_NAME, VALIDATING_WEBHOOKS_NAME } from '../names';
import { servedPaths, WEBHOOK_PATHS } from '../webhooks';
import { type Controller, selects } from './controllers';
import { severityOfMissing } from './parts';
import { installRules } from './rules';

/** Checks that the API server can reach the webhooks of a controller. */
export function checkWebhooks(controller: Controller, world: World): Finding[] {
  return [
    ...checkService(controller, world),
    ...checkConfiguration(controller, world, 'MutatingWebhookConfiguration', MUTATING_WEBHOOKS_NAME),
    ...checkConfiguration(controller, world, 'ValidatingWebhookConfiguration', VALIDATING_WEBHOOKS_NAME),
  ];
}

function checkService(controller: Controller, world: World): Finding[] {
  const rule = installRules['kruise-webhook-service'];
  const { manifest, namespace, ownNamespace, webhookService: name } = controller;
  // A wrong POD_NAMESPACE has its own finding, which must be fixed first.
  if (name === undefined || ownNamespace !== namespace) return [];
  const service = world.find('Service', name, namespace);
  if (service === undefined) {
    const severity = severityOfMissing(controller, world);
    return [
      manifest.finding(rule, {
        severity,
        message: `there is no Service "${name}" in the namespace "${namespace}"`,
        absent: [{ apiVersion: 'v1', kind: 'Service', namespace, name }],
      }),
    ];
  }
  if (!selects(service.get('spec.selector'), controller.podLabels)) {
    const path = ['spec', 'selector'];
    return [
      service.finding(rule, { message: `the Service "${name}" does not select the pods of ${manifest.name}`, path }),
    ];
  }
  return checkPort(controller, service);
}

function checkPort(controller: Controller, service: Manifest): Finding[] {
  const ports = asList(service.get('spec.ports')).map(asObject);
  const index = ports.findIndex(({ port }) => port === 443);
  if (index < 0) {
    const path = ['spec', 'ports'];
    const message = `the Service "${service.name}" has no port 443, which the API server uses`;
    return [service.finding(installRules['kruise-webhook-service'], { message, path })];
  }
  const { webhookPort } = controller;
  if (webhookPort === undefined) return [];
  const { port, targetPort = port } = ports[index]!;
  const target = portOf(controller, targetPort);
  if (target === webhookPort) return [];
  const sent =
    target === undefined ? `port "${String(targetPort)}", which the container does not have` : `port ${target}`;
  return [
    service.finding(installRules['kruise-webhook-port'], {
      message: `the Service "${service.name}" sends to ${sent}, but the controller listens on ${webhookPort}`,
      path: ['spec', 'ports', index, 'targetPort'],
      ...(target === undefined
        ? { fix: `name the container's port ${webhookPort} "${String(targetPort)}"` }
        : {
            fix: `set the environment variable WEBHOOK_PORT to "${target}", or set the Service's targetPort to ${webhookPort}`,
          }),
    }),
  ];
}

/** The number of a port given by number or name. */
function portOf({ container }: Controller, port: Json | undefined): number | undefined {
  if (typeof port === 'number') return port;
  const named = asList(container.ports)
    .map(asObject)
    .find(({ name }) => name === port);
  return typeof named?.containerPort === 'number' ? named.containerPort : undefined;
}

type ConfigurationKind = 'MutatingWebhookConfiguration' | 'ValidatingWebhookConfiguration';

function checkConfiguration(controller: Controller, world: World, kind: ConfigurationKind, name: string): Finding[] {
  const groupKind = `${kind}.admissionregistration.k8s.io`;
  const configuration = world.find(groupKind, name);
  if (configuration !== undefined) {
    return [...checkServed(controller, configuration), ...checkTemplate(configuration)];
  }
  const rule = installRules['kruise-webhook-configuration'];
  const paths = kind === 'MutatingWebhookConfiguration' ? WEBHOOK_PATHS.mutating : WEBHOOK_PATHS.validating;
  const misnamed = world.list(groupKind).find((other) => webhooksOf(other).some(({ path }) => paths.has(path)));
  if (misnamed !== undefined) {
    return [
      misnamed.finding(rule, {
        message: `the ${kind} is named "${misnamed.name}", but the controller looks for "${name}"`,
        path: ['metadata', 'name'],
        fix: `name it "${name}"`,
      }),
    ];
  }
  const severity = severityOfMissing(controller, world);
  return [
    controller.manifest.finding(rule, {
      severity,
      message: `there is no ${kind} "${name}"`,
      fix: 'add it',
      absent: [{ apiVersion: 'admissionregistration.k8s.io/v1', kind, name }],
    }),
  ];
}

function checkServed({ version, versionIsExact }: Controller, configuration: Manifest): Finding[] {
  if (!versionIsExact) return [];
  const served = servedPaths(version.facts);
  return webhooksOf(configuration)
    .filter(({ path }) => path !== '' && !served.has(path))
    .map(({ name, path, index }) =>
      configuration.finding(installRules['kruise-webhook-not-served'], {
        message: `Kruise Rollouts ${version} does not serve ${path} of the webhook ${name}`,
        path: ['webhooks', index],
      }),
    );
}

function checkTemplate(configuration: Manifest): Finding[] {
  if (configuration.annotations.template === undefined) return [];
  return [
    configuration.finding(installRules['kruise-webhook-template'], {
      message: `the ${configuration.kind} has the annotation "template"`,
      path: ['metadata', 'annotations', 'template'],
    }),
  ];
}

function webhooksOf(configuration: Manifest) {
  return asList(configuration.get('webhooks')).map((entry, index) => {
    const webhook = asObject(entry);
    const service = asObject(asObject(webhook.clientConfig).service);
    return { name: textOf(webhook.name) ?? '', path: textOf(service.path) ?? '', index };
  });
}
