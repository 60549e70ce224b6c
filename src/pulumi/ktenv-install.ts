import * as pulumi from '@pulumi/pulumi';
import type { RewrittenFields } from '../core/gitops';
import {
  crdsElsewhere,
  DEFAULT_WEBHOOK_NAMESPACE,
  KTENV_INSTALL_PROPS,
  type KtEnvInstallOptions,
  ktenvInstall,
  ktenvInstallProblems,
} from '../ktenv/install';
import type { KubernetesObject } from '../kubernetes/api';
import { checkArgs } from './args';
import type { CheckArgs } from './checks';
import { KubernetesComponent } from './component';
import { ComponentObjects } from './component-objects';
import type { Inputs } from './inputs';
import { mentionsPlaceholder } from './output-placeholders';

/** Arguments of a `KtEnvInstall`. */
export interface KtEnvInstallArgs
  extends Inputs<KtEnvInstallOptions>,
    Pick<CheckArgs, 'external' | 'suppressions' | 'warnings'> {
  /**
   * Whether the CRD, and with it every VirtualEnvironment in the cluster, stays when the install is deleted.
   * @default true
   */
  readonly retainCrd?: boolean;
}

/**
 * The part of KtEnv that a cluster has once: namespace, CRD, and the webhook with its certificate. The webhook needs the
 * labels of all environments: `envLabels`.
 *
 * @example new KtEnvInstall('ktenv', { envLabels: ['virtual-env', 'stage'] }, { provider });
 */
export class KtEnvInstall extends KubernetesComponent {
  /** The namespace of the webhook. */
  readonly namespace: pulumi.Output<string>;

  /** The CRD. Every VirtualEnvironment depends on it. */
  readonly crd: pulumi.CustomResource | undefined;

  constructor(name: string, args: KtEnvInstallArgs = {}, options?: pulumi.ComponentResourceOptions) {
    checkArgs('KtEnvInstall', name, args);
    const { retainCrd = true, external = [], suppressions, warnings } = args;
    const objects = new ComponentObjects<KtEnvInstallOptions>({
      type: 'KtEnvInstall',
      name,
      args,
      props: KTENV_INSTALL_PROPS,
      problems: (plain) => ktenvInstallProblems(checkable(plain)),
      describe: ktenvInstall,
    });
    super(
      {
        objects,
        facts: { suppressions, warnings, external: [...external, ...crdsElsewhere(args)] },
        retained: retainCrd ? ['CustomResourceDefinition'] : [],
        rewritten: objects.objects.flatMap(injected),
      },
      options,
    );
    this.namespace = pulumi.output(args.namespace ?? DEFAULT_WEBHOOK_NAMESPACE);
    this.crd = this.resourceOf('CustomResourceDefinition');
    this.registerOutputs({ namespace: this.namespace });
  }
}

/** The options without a certificate authority that is not known yet; it is checked when it is known. */
function checkable(options: KtEnvInstallOptions): KtEnvInstallOptions {
  const { certificate, ...rest } = options;
  return certificate?.from === 'secret' && mentionsPlaceholder(certificate.caBundle) ? rest : options;
}

/** cert-manager writes its CA into webhooks that name a Certificate. */
function injected({ apiVersion, kind, metadata, webhooks }: KubernetesObject): RewrittenFields[] {
  if (metadata.annotations?.['cert-manager.io/inject-ca-from'] === undefined) return [];
  const pointers = (webhooks as readonly unknown[]).map((_, index) => `/webhooks/${index}/clientConfig/caBundle`);
  return [{ object: { apiVersion, kind, name: metadata.name }, pointers }];
}
