import * as pulumi from '@pulumi/pulumi';
import type { RewrittenFields } from '../core/gitops';
import {
  DEFAULT_WEBHOOK_NAMESPACE,
  type KtEnvInstallOptions,
  ktenvInstall,
  ktenvInstallProblems,
} from '../ktenv/install';
import type { KubernetesObject } from '../kubernetes/api';
import type { CheckArgs } from './checks';
import { KubernetesComponent } from './component';
import { Drawing } from './drawing';
import type { Inputs } from './inputs';
import { mentionsLeaf } from './leaves';

/** Arguments of a `KtEnvInstall`. */
export interface KtEnvInstallArgs
  extends Inputs<Omit<KtEnvInstallOptions, 'certificate'>>,
    Pick<CheckArgs, 'suppressions' | 'warnings'> {
  /**
   * The certificate of the webhook: issued by cert-manager, or in a Secret. It has to be your own: upstream's is public,
   * key and all.
   * @default { from: 'cert-manager' }, by an issuer of the install's own
   */
  readonly certificate?: Inputs<KtEnvInstallOptions['certificate']>;

  /**
   * Whether the CRD, and with it every VirtualEnvironment in the cluster, stays when the install goes.
   * @default true
   */
  readonly retainCrd?: boolean;
}

/**
 * The part of KtEnv that a cluster has once: namespace, CRD, and the webhook with its certificate. It has to know the
 * labels of all environments: `envLabels`.
 *
 * @example new KtEnvInstall('ktenv', { envLabels: ['virtual-env', 'stage'] }, { provider });
 */
export class KtEnvInstall extends KubernetesComponent {
  /** The namespace of the webhook. */
  readonly namespace: pulumi.Output<string>;

  /** The CRD, on which every VirtualEnvironment depends. */
  readonly crd: pulumi.CustomResource | undefined;

  constructor(name: string, args: KtEnvInstallArgs = {}, options?: pulumi.ComponentResourceOptions) {
    const { certificate = { from: 'cert-manager' }, retainCrd = true, suppressions, warnings, ...rest } = args;
    const drawing = new Drawing<KtEnvInstallOptions>({
      type: 'KtEnvInstall',
      name,
      options: { ...rest, certificate },
      problems: (plain) => ktenvInstallProblems(checkable(plain)),
      draw: (plain) => ktenvInstall(plain),
    });
    super(
      {
        drawing,
        facts: { suppressions, warnings },
        retained: retainCrd ? ['CustomResourceDefinition'] : [],
        rewritten: drawing.objects.flatMap(injected),
      },
      options,
    );
    this.namespace = pulumi.output(args.namespace ?? DEFAULT_WEBHOOK_NAMESPACE);
    this.crd = this.resourceOf('CustomResourceDefinition');
    this.registerOutputs({ namespace: this.namespace });
  }
}

/** What can be said of the options while the authority is not known: it is looked at when it is. */
function checkable(options: KtEnvInstallOptions): KtEnvInstallOptions {
  const { certificate } = options;
  const isUnknown = certificate.from === 'secret' && mentionsLeaf(certificate.caBundle);
  return isUnknown ? { ...options, certificate: { from: 'cert-manager' } } : options;
}

/** cert-manager writes its authority into webhooks that name a Certificate. */
function injected({ apiVersion, kind, metadata, webhooks }: KubernetesObject): RewrittenFields[] {
  if (metadata.annotations?.['cert-manager.io/inject-ca-from'] === undefined) return [];
  const pointers = (webhooks as readonly unknown[]).map((_, index) => `/webhooks/${index}/clientConfig/caBundle`);
  return [{ object: { apiVersion, kind, name: metadata.name }, pointers }];
}
