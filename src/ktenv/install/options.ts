import type { PropTable } from '../../core/props';

/** An issuer of cert-manager. */
export interface KtEnvIssuer {
  readonly name: string;
  /**
   * @default 'Issuer'
   */
  readonly kind?: 'Issuer' | 'ClusterIssuer';
}

/** A certificate that cert-manager issues and renews. */
export interface CertManagerCertificate {
  readonly from: 'cert-manager';
  /**
   * The issuer of the certificate.
   * @default - a self-signed Issuer, which the install creates
   */
  readonly issuer?: KtEnvIssuer;
}

/** A certificate that exists in the cluster. */
export interface SecretCertificate {
  readonly from: 'secret';
  /** A Secret of type `kubernetes.io/tls` in the namespace of the webhook. */
  readonly secretName: string;
  /** The authority that issued the certificate, as PEM. It is not secret. */
  readonly caBundle: string;
}

/** The source of the certificate of the webhook, which must be valid for `webhook-server.<namespace>.svc`. */
export type KtEnvCertificate = CertManagerCertificate | SecretCertificate;

/** Options of the part of KtEnv that a cluster needs once. */
export interface KtEnvInstallOptions {
  /**
   * The certificate of the webhook: issued by cert-manager, or in a Secret. Do not use upstream's certificate, because its
   * private key is public.
   * @default { from: 'cert-manager' }, with a self-signed Issuer
   */
  readonly certificate?: KtEnvCertificate;
  /**
   * The namespace of the webhook.
   * @default 'kt-virtual-environment'
   */
  readonly namespace?: string;
  /**
   * Whether to create the Namespace too.
   * @default true
   */
  readonly createNamespace?: boolean;
  /**
   * Whether to create the CustomResourceDefinition too.
   * @default true
   */
  readonly crd?: boolean;
  /**
   * The labels in which pods name their environment, of all VirtualEnvironments in the cluster. The webhook uses the first
   * one that a pod has.
   * @default ['virtual-env']
   */
  readonly envLabels?: readonly string[];
  /**
   * The image of the webhook.
   * @default 'virtualenvironment/virtual-env-admission-webhook:v0.6.0'
   */
  readonly image?: string;
  /**
   * The number of pods of the webhook. While none is ready, the API server rejects new pods in namespaces with tags, unless
   * `failurePolicy` is `Ignore`.
   * @default 2
   */
  readonly replicas?: number;
  /**
   * What the API server does if the webhook does not respond: reject pods, or accept them without a tag.
   * @default 'Fail'
   */
  readonly failurePolicy?: 'Fail' | 'Ignore';
  /**
   * The log level of the webhook.
   * @default 'INFO'
   */
  readonly logLevel?: 'ERROR' | 'INFO' | 'DEBUG';
}

/** The same at run time. */
export const KTENV_INSTALL_PROPS: PropTable<KtEnvInstallOptions> = {
  certificate: true,
  namespace: true,
  createNamespace: true,
  crd: true,
  envLabels: true,
  image: true,
  replicas: true,
  failurePolicy: true,
  logLevel: true,
};

/** Options of the part of KtEnv that every namespace with a VirtualEnvironment needs. */
export interface KtEnvOperatorOptions {
  /** The namespace of the environments. */
  readonly namespace: string;
  /**
   * The image of the operator.
   * @default 'virtualenvironment/virtual-env-operator:v0.6.0'
   */
  readonly image?: string;
}

/** The labels of a namespace with environments. */
export interface KtEnvNamespaceOptions {
  /**
   * The revision of Istio that injects sidecars.
   * @default - the default revision, with istio-injection: enabled
   */
  readonly istioRevision?: string;
  /**
   * Whether the webhook adds the tag to the sidecars of new pods.
   * @default true
   */
  readonly tagInjection?: boolean;
}
