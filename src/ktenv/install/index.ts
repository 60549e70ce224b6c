/** The objects of an install of KtEnv: those of the cluster, and those of every namespace with a VirtualEnvironment. */
import { toBase64, utf8 } from '../../core/bytes';
import type { ObjectRef } from '../../core/finding';
import type { JsonObject } from '../../core/json';
import { API_GROUP, DEFAULT_LABEL } from '../api/names';
import { certificatesIn, isPublished } from './certificate';
import {
  DEFAULT_WEBHOOK_NAMESPACE,
  OPERATOR,
  TAG_INJECTION_LABEL,
  WEBHOOK_CONFIGURATION,
  WEBHOOK_DEPLOYMENT,
  WEBHOOK_SECRET,
} from './names';
import type { KtEnvCertificate, KtEnvInstallOptions, KtEnvNamespaceOptions, KtEnvOperatorOptions } from './options';
import { OPERATOR_RULES } from './rbac';

export * from './names';
export * from './options';

const RELEASE = 'v0.6.0';
const FROM_CERT_MANAGER: KtEnvCertificate = { from: 'cert-manager' };
const LABEL_NAME = /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

/** The CRD, if the install does not include it. */
export function crdsElsewhere({ crd = true }: Pick<KtEnvInstallOptions, 'crd'>): ObjectRef[] {
  return crd ? [] : [{ kind: 'CustomResourceDefinition', name: `virtualenvironments.${API_GROUP}` }];
}

/**
 * All problems with the options of an install.
 *
 * @example ktenvInstallProblems({ certificate: { from: 'cert-manager' }, envLabels: [] })
 */
export function ktenvInstallProblems({
  certificate = FROM_CERT_MANAGER,
  envLabels,
  replicas,
}: KtEnvInstallOptions): string[] {
  const labels = envLabels ?? [DEFAULT_LABEL];
  return [
    ...(labels.length === 0 ? ['envLabels is empty, so no pod would get a tag; add the label of the pods'] : []),
    ...labels
      .filter((label) => !LABEL_NAME.test(label))
      .map(
        (label) =>
          `envLabels holds "${label}", which is not a valid label name; use the name from metadata.labels of the pods`,
      ),
    ...(replicas !== undefined && !(Number.isInteger(replicas) && replicas >= 0)
      ? [`replicas is ${replicas}; give a whole number of pods`]
      : []),
    ...(certificate.from === 'secret' ? bundleProblems(certificate.caBundle) : []),
  ];
}

function bundleProblems(caBundle: string): string[] {
  if (certificatesIn(caBundle).length === 0) {
    return [
      'certificate.caBundle contains no certificate; give the authority as PEM, which starts with -----BEGIN CERTIFICATE-----',
    ];
  }
  if (!isPublished(caBundle)) return [];
  return [
    'certificate.caBundle is the authority that upstream publishes with its key; issue a certificate of your own',
  ];
}

/**
 * The part of KtEnv that a cluster needs once, in the order to apply it.
 *
 * @example ktenvInstall({ certificate: { from: 'cert-manager' }, envLabels: ['virtual-env', 'stage'] })
 */
export function ktenvInstall(options: KtEnvInstallOptions): JsonObject[] {
  const { namespace = DEFAULT_WEBHOOK_NAMESPACE, createNamespace = true, crd = true } = options;
  return [
    ...(createNamespace ? [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }] : []),
    ...(crd ? [crdObject()] : []),
    ...certificateObjects(options, namespace),
    webhookService(namespace),
    webhookDeployment(options, namespace),
    webhookConfiguration(options, namespace),
  ];
}

/**
 * The operator of one namespace.
 *
 * @example ktenvOperator({ namespace: 'shop' })
 */
export function ktenvOperator({ namespace, image }: KtEnvOperatorOptions): JsonObject[] {
  const metadata = { name: OPERATOR, namespace };
  const rbac = 'rbac.authorization.k8s.io';
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    { apiVersion: `${rbac}/v1`, kind: 'Role', metadata, rules: OPERATOR_RULES },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata,
      subjects: [{ kind: 'ServiceAccount', name: OPERATOR, namespace }],
      roleRef: { apiGroup: rbac, kind: 'Role', name: OPERATOR },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: {
        // A second pod would only wait as a standby.
        replicas: 1,
        selector: { matchLabels: { name: OPERATOR } },
        template: {
          metadata: { labels: { name: OPERATOR } },
          spec: {
            serviceAccountName: OPERATOR,
            containers: [
              {
                name: OPERATOR,
                image: image ?? `virtualenvironment/virtual-env-operator:${RELEASE}`,
                command: [OPERATOR],
                env: [
                  { name: 'WATCH_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
                  { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
                  { name: 'OPERATOR_NAME', value: OPERATOR },
                ],
                securityContext: { allowPrivilegeEscalation: false },
              },
            ],
          },
        },
      },
    },
  ];
}

/** The labels of a namespace with environments, for sidecar and tag injection. */
export function ktenvNamespaceLabels({ istioRevision, tagInjection = true }: KtEnvNamespaceOptions = {}) {
  return {
    ...(istioRevision === undefined ? { 'istio-injection': 'enabled' } : { 'istio.io/rev': istioRevision }),
    ...(tagInjection ? { [TAG_INJECTION_LABEL]: 'enabled' } : {}),
  };
}

function crdObject(): JsonObject {
  // Loaded on first use, because most users do not need the schemas.
  const { ktenvCrd } = require('../crds') as typeof import('../crds');
  return ktenvCrd();
}

/** The only name for which the API server accepts the certificate of the webhook. */
function hostOf(namespace: string): string {
  return `${WEBHOOK_DEPLOYMENT}.${namespace}.svc`;
}

function certificateObjects({ certificate = FROM_CERT_MANAGER }: KtEnvInstallOptions, namespace: string): JsonObject[] {
  if (certificate.from === 'secret') return [];
  const metadata = { name: WEBHOOK_DEPLOYMENT, namespace };
  const apiVersion = 'cert-manager.io/v1';
  const { name, kind = 'Issuer' } = certificate.issuer ?? { name: WEBHOOK_DEPLOYMENT };
  return [
    ...(certificate.issuer === undefined ? [{ apiVersion, kind: 'Issuer', metadata, spec: { selfSigned: {} } }] : []),
    {
      apiVersion,
      kind: 'Certificate',
      metadata,
      spec: {
        secretName: WEBHOOK_SECRET,
        dnsNames: [hostOf(namespace)],
        issuerRef: { group: 'cert-manager.io', kind, name },
      },
    },
  ];
}

function webhookService(namespace: string): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: WEBHOOK_DEPLOYMENT, namespace },
    spec: { selector: { app: WEBHOOK_DEPLOYMENT }, ports: [{ port: 443, targetPort: 'webhook-api' }] },
  };
}

function webhookDeployment(options: KtEnvInstallOptions, namespace: string): JsonObject {
  const { certificate = FROM_CERT_MANAGER, envLabels = [DEFAULT_LABEL], replicas = 2, logLevel = 'INFO' } = options;
  const labels = { app: WEBHOOK_DEPLOYMENT };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: WEBHOOK_DEPLOYMENT, namespace, labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          // The webhook never calls the API server.
          automountServiceAccountToken: false,
          volumes: [
            {
              name: 'webhook-tls-certs',
              secret: { secretName: certificate.from === 'secret' ? certificate.secretName : WEBHOOK_SECRET },
            },
          ],
          containers: [
            {
              name: 'server',
              image: options.image ?? `virtualenvironment/virtual-env-admission-webhook:${RELEASE}`,
              ports: [{ name: 'webhook-api', containerPort: 8443 }],
              env: [
                { name: 'envLabel', value: envLabels.join(',') },
                { name: 'logLevel', value: logLevel },
              ],
              volumeMounts: [{ name: 'webhook-tls-certs', mountPath: '/run/secrets/tls', readOnly: true }],
              securityContext: { allowPrivilegeEscalation: false },
            },
          ],
        },
      },
    },
  };
}

function webhookConfiguration(
  { certificate = FROM_CERT_MANAGER, failurePolicy }: KtEnvInstallOptions,
  namespace: string,
): JsonObject {
  const fromSecret = certificate.from === 'secret';
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: {
      name: WEBHOOK_CONFIGURATION,
      ...(fromSecret
        ? {}
        : { annotations: { 'cert-manager.io/inject-ca-from': `${namespace}/${WEBHOOK_DEPLOYMENT}` } }),
    },
    webhooks: [
      {
        name: hostOf(namespace),
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        failurePolicy: failurePolicy ?? 'Fail',
        clientConfig: {
          service: { name: WEBHOOK_DEPLOYMENT, namespace, path: '/inject' },
          ...(fromSecret ? { caBundle: toBase64(utf8(certificate.caBundle)) } : {}),
        },
        rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
        namespaceSelector: { matchLabels: { [TAG_INJECTION_LABEL]: 'enabled' } },
      },
    ],
  };
}
