import { Construct, type IConstruct } from 'constructs';
import type { Finding } from '../core/finding';
import { compact, type JsonObject } from '../core/json';
import { DEFAULT_LABEL } from '../ktenv/api/names';
import type { KtEnvInstallOptions } from '../ktenv/install';
import { addChecks, findingsFor } from './checks';
import { checkProps } from './construct-errors';
import type { KtEnvCheckProps } from './ktenv-checks';
import { addObject } from './objects';

// Loaded on first use, because most programs need only a part of the library.
const installModule = () => require('../ktenv/install') as typeof import('../ktenv/install');

/** The certificate of KtEnv's webhook. It has to be your own, because upstream publishes its certificate with the key. */
export class KtEnvWebhookCertificate {
  /**
   * Issued and renewed by cert-manager, with your issuer or with a self-signing issuer that the install creates.
   *
   * @example KtEnvWebhookCertificate.fromCertManager({ name: 'corp', kind: 'ClusterIssuer' })
   */
  static fromCertManager(issuer?: { readonly name: string; readonly kind?: 'Issuer' | 'ClusterIssuer' }) {
    return new KtEnvWebhookCertificate({ from: 'cert-manager', ...(issuer === undefined ? {} : { issuer }) });
  }

  /**
   * From an existing Secret of type `kubernetes.io/tls`, for `webhook-server.<namespace>.svc`.
   *
   * @param secretName the Secret, in the namespace of the webhook
   * @param caBundle the CA that issued it, as PEM
   */
  static fromSecret(secretName: string, caBundle: string) {
    return new KtEnvWebhookCertificate({ from: 'secret', secretName, caBundle });
  }

  private constructor(
    /** The certificate as an option of the install. */
    readonly certificate: KtEnvInstallOptions['certificate'],
  ) {}
}

/** Properties of a `KtEnvInstall`. */
export interface KtEnvInstallProps
  extends Omit<KtEnvInstallOptions, 'certificate' | 'envLabels'>,
    Omit<KtEnvCheckProps, 'istioVersion' | 'kubernetesVersion'> {
  /**
   * The certificate of the webhook.
   * @default KtEnvWebhookCertificate.fromCertManager()
   */
  readonly certificate?: KtEnvWebhookCertificate;
  /**
   * Labels of pods that only environments outside of this app use.
   * @default - none
   */
  readonly envLabels?: readonly string[];
}

/** The labels of the environments of an app. */
const labels = new WeakMap<IConstruct, Set<string>>();

function labelsOf({ node: { root } }: IConstruct): Set<string> {
  const known = labels.get(root) ?? new Set<string>();
  labels.set(root, known);
  return known;
}

/** Adds a label to those that the webhook of the app handles. */
export function addEnvLabel(scope: IConstruct, label: string): void {
  labelsOf(scope).add(label);
}

/**
 * The part of KtEnv that a cluster has once: namespace, CRD, and the webhook with its certificate. The webhook handles the
 * label of every `KtVirtualEnvironment` of the app.
 *
 * @example new KtEnvInstall(this, 'KtEnv', { certificate: KtEnvWebhookCertificate.fromCertManager() })
 */
export class KtEnvInstall extends Construct {
  constructor(
    scope: Construct,
    id: string,
    private readonly props: KtEnvInstallProps = {},
  ) {
    super(scope, id);
    checkProps(this, props);
    const problems = installModule().ktenvInstallProblems({
      ...this.options(),
      envLabels: props.envLabels ?? [DEFAULT_LABEL],
    });
    if (problems.length > 0) {
      throw new Error(`${this.node.path}: the install cannot be written:\n- ${problems.join('\n- ')}`);
    }
    for (const object of installModule().ktenvInstall(this.options())) {
      const { kind, metadata } = object as unknown as { kind: string; metadata: JsonObject };
      const isMain = kind === 'Deployment';
      // Environments may be added later, so their labels are read when the object is written.
      if (isMain)
        addObject(
          this,
          'Resource',
          withLazySpec(object, () => this.deploymentSpec()),
        );
      else addObject(this, kind, { ...object, metadata } as never);
    }
    addChecks(this, { ...props, external: [...(props.external ?? []), ...installModule().crdsElsewhere(props)] });
  }

  /** The findings in the install in the app as it is now, without suppressed ones; errors first. */
  findings(): readonly Finding[] {
    return findingsFor(this);
  }

  private options(): KtEnvInstallOptions {
    const { certificate, envLabels = [], ...rest } = this.props;
    const all = [...new Set([...labelsOf(this), ...envLabels])].sort();
    return compact({
      ...rest,
      certificate: certificate?.certificate,
      envLabels: all.length === 0 ? undefined : all,
    });
  }

  private deploymentSpec(): unknown {
    return installModule()
      .ktenvInstall(this.options())
      .find(({ kind }) => kind === 'Deployment')!.spec;
  }
}

function withLazySpec(object: JsonObject, produce: () => unknown) {
  const { Lazy } = require('cdk8s') as typeof import('cdk8s');
  return { ...object, spec: Lazy.any({ produce }) } as never;
}
