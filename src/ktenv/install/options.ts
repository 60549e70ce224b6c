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
   * Who issues it.
   * @default - an Issuer of the install's own, which signs it by itself
   */
  readonly issuer?: KtEnvIssuer;
}

/** A certificate that is in the cluster already. */
export interface SecretCertificate {
  readonly from: 'secret';
  /** A Secret of type `kubernetes.io/tls` in the namespace of the webhook. */
  readonly secretName: string;
  /** The authority that issued the certificate, as PEM. It holds no secret. */
  readonly caBundle: string;
}

/** Where the certificate of the webhook comes from. It has to be for `webhook-server.<namespace>.svc`. */
export type KtEnvCertificate = CertManagerCertificate | SecretCertificate;

/** The part of KtEnv that a cluster has once. */
export interface KtEnvInstallOptions {
  /**
   * The certificate of the webhook: issued by cert-manager, or in a Secret. It has to be your own: upstream's is public,
   * key and all.
   * @default { from: 'cert-manager' }, by an issuer of the install's own
   */
  readonly certificate?: KtEnvCertificate;
  /**
   * The namespace of the webhook.
   * @default 'kt-virtual-environment'
   */
  readonly namespace?: string;
  /**
   * Whether the Namespace is written too.
   * @default true
   */
  readonly createNamespace?: boolean;
  /**
   * Whether the CustomResourceDefinition is written too.
   * @default true
   */
  readonly crd?: boolean;
  /**
   * The labels by which pods name their environment: those of all VirtualEnvironments in the cluster. The first that a
   * pod carries counts.
   * @default ['virtual-env']
   */
  readonly envLabels?: readonly string[];
  /**
   * The image of the webhook.
   * @default 'virtualenvironment/virtual-env-admission-webhook:v0.6.0'
   */
  readonly image?: string;
  /**
   * Pods of the webhook. While none is ready, no pod can be created in the namespaces with tags, unless
   * `failurePolicy` is `Ignore`.
   * @default 2
   */
  readonly replicas?: number;
  /**
   * What the API server does while the webhook does not answer: refuse pods, or let them in without a tag.
   * @default 'Fail'
   */
  readonly failurePolicy?: 'Fail' | 'Ignore';
  /**
   * How much the webhook logs.
   * @default 'INFO'
   */
  readonly logLevel?: 'ERROR' | 'INFO' | 'DEBUG';
}

/** The same at run time. */
export const KTENV_INSTALL_PROPS: PropTable<KtEnvInstallOptions> = {
  certificate: 'object',
  namespace: 'string',
  createNamespace: 'boolean',
  crd: 'boolean',
  envLabels: 'list',
  image: 'string',
  replicas: 'number',
  failurePolicy: 'string',
  logLevel: 'string',
};

/** The part of KtEnv that every namespace with a VirtualEnvironment has. */
export interface KtEnvOperatorOptions {
  /** The namespace whose environments it serves. */
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
   * @default - the one without a revision, by istio-injection: enabled
   */
  readonly istioRevision?: string;
  /**
   * Whether the webhook puts the tag into the sidecars of new pods.
   * @default true
   */
  readonly tagInjection?: boolean;
}
