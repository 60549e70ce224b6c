/** Checks the webhook of the cluster: its parts, the path from the API server to it, and its certificate. */

import type { Finding, ObjectRef } from '../../core/finding';
import { asList, asObject, isJsonObject, type Json, type JsonObject, ownValue } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import { defineRules } from '../../core/rule';
import { API_GROUP } from '../api/names';
import { certificatesIn, decoded, isForHost, namesIn } from '../install/certificate';
import { WEBHOOK_CONFIGURATION, WEBHOOK_DEPLOYMENT } from '../install/names';
import { type KtEnvCheck, type KtEnvChecker, listed, relatedTo } from './context';
import { edit, WEBHOOK_STACK, yaml } from './examples';
import { type WebhookEntry, webhookDeploymentsIn, webhookEntriesIn } from './installed';
import { source } from './sources';

const CRD = `virtualenvironments.${API_GROUP}`;
const CONFIGURATION_KIND = 'MutatingWebhookConfiguration';

/** The name of Istio's injector, which must run first. */
const INJECTOR = 'istio-sidecar-injector';

/** The annotations that make cert-manager write the certificate authority. */
const CA_FROM = 'cert-manager.io/inject-ca-from';
/** Annotations by which cert-manager or OpenShift write caBundle. */
const CA_FROM_OTHERS = [
  'cert-manager.io/inject-ca-from-secret',
  'cert-manager.io/inject-apiserver-ca',
  'service.beta.openshift.io/inject-cabundle',
];

const without = (kind: string) => yaml(...WEBHOOK_STACK.filter((one) => !one.includes(`kind: ${kind}\n`)));
const edited = (...change: readonly [from: string, to: string]) =>
  yaml(...WEBHOOK_STACK.map((one) => (one.includes(change[0]) ? edit(one, change) : one)));

/** Rules on the webhook. */
export const webhookRules = defineRules({
  'ktenv-webhook-incomplete': {
    severity: 'warning',
    title: 'a part of the install is missing or refers to nothing',
    because:
      'the API server calls the Service of the MutatingWebhookConfiguration; the Service selects the pods of the Deployment, ' +
      'which read their certificate from the Secret; if one of them is missing, no pod gets a tag, and with ' +
      'failurePolicy: Fail no pod is created',
    fix: 'install the missing part, or list it as external',
    basis: 'read',
    sources: [source.install],
    failing: without('Service'),
    corrected: yaml(...WEBHOOK_STACK),
  },
  'ktenv-webhook-untrusted': {
    severity: 'error',
    title: 'the API server has no certificate authority for the webhook',
    because:
      'the API server calls a webhook only if the authority in caBundle issued its certificate; without caBundle it uses ' +
      'the authorities of its system, and none of them issues certificates for names in the cluster',
    fix: `set caBundle to the authority of the certificate, or annotate the configuration with ${CA_FROM}`,
    basis: 'documented',
    sources: [source.kubernetesWebhooks],
    failing: edited(`annotations: { ${CA_FROM}: kt-virtual-environment/webhook-server }`, 'annotations: {}'),
    corrected: yaml(...WEBHOOK_STACK),
  },
  'ktenv-webhook-host': {
    severity: 'error',
    title: 'the certificate of the webhook is for a different host name than the API server uses',
    because:
      'the API server calls <service>.<namespace>.svc and rejects a certificate for any other name, so a webhook in a ' +
      'different namespace needs a different certificate',
    fix: 'issue the certificate for the name of the Service with its namespace and .svc',
    basis: 'documented',
    sources: [source.kubernetesWebhooks],
    failing: edited('dnsNames: [webhook-server.kt-virtual-environment.svc]', 'dnsNames: [webhook-server.mesh.svc]'),
    corrected: yaml(...WEBHOOK_STACK),
  },
  'ktenv-webhook-order': {
    severity: 'error',
    title: 'the webhook runs before the sidecar injector, so there is no sidecar to tag',
    because:
      `the API server calls webhooks in the order of the names of their configurations; one that sorts before ` +
      `"${INJECTOR}" gets pods without sidecar, and does not change them`,
    fix: `use a name for the configuration that sorts after it: ${WEBHOOK_CONFIGURATION}`,
    basis: 'read',
    sources: [source.webhook, source.kubernetesOrder],
    failing: edited(`name: ${WEBHOOK_CONFIGURATION},`, 'name: environment-webhook,'),
    corrected: yaml(...WEBHOOK_STACK),
  },
});

/** Checks the webhook. If the World has no part of it, it is installed by other means. */
export const checkWebhook: KtEnvChecker = (check) => {
  const deployments = webhookDeploymentsIn(check.world);
  const entries = webhookEntriesIn(check.world);
  const [anchor] = [...entries.map(({ configuration }) => configuration), ...deployments];
  if (anchor === undefined) return [];
  return [
    ...crd(anchor, check),
    ...deployments.flatMap((deployment) => [
      ...configuration(deployment, entries, check),
      ...secrets(deployment, entries, check),
    ]),
    ...entries.flatMap((entry) => [...way(entry, check), ...trust(entry, check), ...order(entry)]),
  ];
};

const rule = webhookRules['ktenv-webhook-incomplete'];

function isThere({ world, isExternal }: KtEnvCheck, ref: ObjectRef): boolean {
  return world.get(ref) !== undefined || isExternal(ref);
}

function crd(anchor: Manifest, check: KtEnvCheck): Finding[] {
  const ref = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name: CRD };
  if (isThere(check, ref)) return [];
  const message = `the CustomResourceDefinition "${CRD}" of the webhook is missing`;
  return [anchor.finding(rule, { message, absent: [ref] })];
}

function configuration(deployment: Manifest, entries: readonly WebhookEntry[], check: KtEnvCheck): Finding[] {
  const ref = { apiVersion: 'admissionregistration.k8s.io/v1', kind: CONFIGURATION_KIND, name: WEBHOOK_CONFIGURATION };
  if (entries.length > 0 || isThere(check, ref)) return [];
  const message = `no ${CONFIGURATION_KIND} makes the API server call the webhook`;
  return [deployment.finding(rule, { message, absent: [ref] })];
}

/** The path from the API server through the Service to the pods. */
function way({ configuration: manifest, index, webhook }: WebhookEntry, check: KtEnvCheck): Finding[] {
  const asked = serviceOf(webhook);
  if (asked === undefined) return [];
  const { name, namespace, port } = asked;
  const path = ['webhooks', index, 'clientConfig', 'service'];
  const ref = { apiVersion: 'v1', kind: 'Service', name, namespace };
  const service = check.world.get(ref);
  if (service === undefined) {
    if (check.isExternal(ref)) return [];
    const message = `there is no Service "${name}" in the namespace "${namespace}"`;
    return [manifest.finding(rule, { message, path, absent: [ref] })];
  }
  const ports = asList(service.get('spec.ports')).map(asObject);
  const found = ports.find((one) => one.port === port);
  if (found === undefined) {
    const message = `the Service "${name}" has no port ${port}, which the API server calls`;
    return [manifest.finding(rule, { message, path, ...relatedTo(service, `"${name}" is here`) })];
  }
  const selector = asObject(service.get('spec.selector'));
  const deployment = check.world.list('Deployment.apps', namespace).find((one) => isSelected(one, selector));
  if (deployment === undefined) {
    const expected = { apiVersion: 'apps/v1', kind: 'Deployment', name: WEBHOOK_DEPLOYMENT, namespace };
    if (check.isExternal(expected)) return [];
    return [
      service.finding(rule, {
        message: `the Service "${name}" of the webhook selects the pods of no Deployment in "${namespace}"`,
        path: ['spec', 'selector'],
        absent: [expected],
      }),
    ];
  }
  return target(service, ports.indexOf(found), deployment);
}

function target(service: Manifest, index: number, deployment: Manifest): Finding[] {
  const { targetPort } = asObject(asList(service.get('spec.ports'))[index]);
  if (typeof targetPort !== 'string') return [];
  const containers = asList(deployment.get('spec.template.spec.containers')).map(asObject);
  if (containers.flatMap(({ ports }) => asList(ports)).some((one) => ownValue(one, 'name') === targetPort)) return [];
  return [
    service.finding(rule, {
      message: `no container of Deployment "${deployment.name}" has a port named "${targetPort}"`,
      path: ['spec', 'ports', index, 'targetPort'],
      ...relatedTo(deployment, `"${deployment.name}" is here`),
    }),
  ];
}

function isSelected(deployment: Manifest, selector: JsonObject): boolean {
  const labels = asObject(deployment.get('spec.template.metadata.labels'));
  const wanted = Object.entries(selector);
  return wanted.length > 0 && wanted.every(([key, value]) => ownValue(labels, key) === value);
}

/**
 * If caBundle is set, somebody issued the certificate by hand. The Secret may then be missing, because a private key does
 * not belong in a manifest.
 */
function secrets(deployment: Manifest, entries: readonly WebhookEntry[], check: KtEnvCheck): Finding[] {
  if (entries.some(({ webhook }) => bundleOf(webhook) !== undefined)) return [];
  const { world } = check;
  const namespace = world.namespaceOf(deployment);
  return asList(deployment.get('spec.template.spec.volumes')).flatMap((volume, index) => {
    const name = ownValue(ownValue(volume, 'secret'), 'secretName');
    if (typeof name !== 'string' || isThere(check, { apiVersion: 'v1', kind: 'Secret', name, namespace })) return [];
    const issued = world.list('Certificate.cert-manager.io', namespace);
    if (issued.some((one) => one.get('spec.secretName') === name)) return [];
    return deployment.finding(rule, {
      message: `nothing creates the Secret "${name}" with the certificate of the webhook`,
      path: ['spec', 'template', 'spec', 'volumes', index, 'secret', 'secretName'],
      absent: [{ apiVersion: 'cert-manager.io/v1', kind: 'Certificate', namespace }],
    });
  });
}

function trust({ configuration: manifest, index, webhook }: WebhookEntry, check: KtEnvCheck): Finding[] {
  const untrusted = webhookRules['ktenv-webhook-untrusted'];
  const path = ['webhooks', index, 'clientConfig'];
  const from = manifest.annotations[CA_FROM];
  if (from !== undefined) return certificate(manifest, from, webhook, check);
  if (CA_FROM_OTHERS.some((annotation) => manifest.annotations[annotation] !== undefined)) return [];
  const bundle = bundleOf(webhook);
  if (bundle === undefined) {
    return [manifest.finding(untrusted, { message: `"${manifest.name}" has no authority in caBundle`, path })];
  }
  if (certificatesIn(decoded(bundle)).length === 0) {
    const message = `caBundle of "${manifest.name}" contains no certificate`;
    return [manifest.finding(untrusted, { message, path: [...path, 'caBundle'] })];
  }
  const asked = serviceOf(webhook);
  if (asked === undefined) return [];
  const mounted = webhookDeploymentsIn(check.world)
    .filter((one) => check.world.namespaceOf(one) === asked.namespace)
    .flatMap((one) => asList(one.get('spec.template.spec.volumes')))
    .map((volume) => ownValue(ownValue(volume, 'secret'), 'secretName'));
  return check.world
    .list('Secret', asked.namespace)
    .filter(({ name }) => mounted.includes(name))
    .flatMap((secret) => hostOfSecret(secret, asked));
}

function hostOfSecret(secret: Manifest, asked: AskedService): Finding[] {
  const encoded = ownValue(secret.get('data'), 'tls.crt');
  const plain = ownValue(secret.get('stringData'), 'tls.crt');
  const [first] = certificatesIn(
    typeof plain === 'string' ? plain : typeof encoded === 'string' ? decoded(encoded) : '',
  );
  if (first === undefined || isForHost(first, hostOf(asked))) return [];
  return [
    secret.finding(webhookRules['ktenv-webhook-host'], {
      message: `the certificate in Secret "${secret.name}" is for ${listed(namesIn(first))}, but the API server calls ${hostOf(asked)}`,
      path: [plain === undefined ? 'data' : 'stringData', 'tls.crt'],
    }),
  ];
}

/** Checks the Certificate of cert-manager that the annotation names. */
function certificate(manifest: Manifest, from: string, webhook: JsonObject, check: KtEnvCheck): Finding[] {
  const [namespace = '', name = ''] = from.split('/');
  const ref = { apiVersion: 'cert-manager.io/v1', kind: 'Certificate', name, namespace };
  const found = check.world.list('Certificate.cert-manager.io', namespace).find((one) => one.name === name);
  if (found === undefined) {
    if (check.isExternal(ref)) return [];
    return [
      manifest.finding(rule, {
        message: `there is no Certificate "${name}" in the namespace "${namespace}" for the authority`,
        path: ['metadata', 'annotations', CA_FROM],
        absent: [ref],
      }),
    ];
  }
  const asked = serviceOf(webhook);
  const names = asList(found.get('spec.dnsNames')).filter((one) => typeof one === 'string');
  if (asked === undefined || names.includes(hostOf(asked))) return [];
  return [
    found.finding(webhookRules['ktenv-webhook-host'], {
      message: `the Certificate "${found.name}" is for ${names.length === 0 ? 'no name' : listed(names)}, but the API server calls ${hostOf(asked)}`,
      path: ['spec', 'dnsNames'],
      ...relatedTo(manifest, `"${manifest.name}" is here`),
    }),
  ];
}

function order({ configuration: manifest, webhook }: WebhookEntry): Finding[] {
  if (manifest.name > INJECTOR || webhook.reinvocationPolicy === 'IfNeeded') return [];
  return [
    manifest.finding(webhookRules['ktenv-webhook-order'], {
      message: `"${manifest.name}" sorts before "${INJECTOR}"`,
      path: ['metadata', 'name'],
    }),
  ];
}

/** The Service that the API server calls. */
interface AskedService {
  readonly name: string;
  readonly namespace: string;
  readonly port: number;
}

function serviceOf(webhook: JsonObject): AskedService | undefined {
  const service: Json | undefined = ownValue(webhook.clientConfig, 'service');
  if (!isJsonObject(service)) return undefined;
  const { name, namespace, port } = service;
  if (typeof name !== 'string' || typeof namespace !== 'string') return undefined;
  return { name, namespace, port: typeof port === 'number' ? port : 443 };
}

function hostOf({ name, namespace }: AskedService): string {
  return `${name}.${namespace}.svc`;
}

function bundleOf(webhook: JsonObject): string | undefined {
  const bundle = ownValue(webhook.clientConfig, 'caBundle');
  return typeof bundle === 'string' && bundle !== '' ? bundle : undefined;
}
