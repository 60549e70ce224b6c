import {
  type Annotations,
  irsaAnnotations,
  kiamNamespaceAnnotations,
  kube2iamNamespaceAnnotations,
  podRoleAnnotations,
} from './annotations';
import { parseArn, roleArn, roleNameOf } from './arn';
import { type OidcIssuer, oidcProvider } from './oidc-provider';
import type { PolicyDocument } from './policy-document';
import { irsaTrustPolicy, podIdentityTrustPolicy, roleTrustPolicy, type ServiceAccountName } from './trust-policy';

/** The default name of the role. */
const DEFAULT_ROLE_NAME = 'argo-rollouts-verification';

/** An environment variable whose value is in a Secret. */
export interface SecretVariable {
  readonly name: string;
  readonly valueFrom: { readonly secretKeyRef: { readonly name: string; readonly key: string } };
}

/** IAM roles for ServiceAccounts. */
export interface IrsaOptions {
  /** The OIDC provider of the cluster: its ARN, or the URL of the issuer with the account. */
  readonly provider: string | OidcIssuer;
  /**
   * The role: its name, or its ARN if it has a path.
   * @default 'argo-rollouts-verification'
   */
  readonly role?: string;
  /**
   * The audience of the tokens.
   * @default 'sts.amazonaws.com'
   */
  readonly audience?: string;
}

/** EKS Pod Identity. */
export interface PodIdentityOptions {
  /** The name of the cluster in EKS. */
  readonly clusterName: string;
  /**
   * The role: its name, or its ARN.
   * @default 'argo-rollouts-verification'
   */
  readonly role?: string;
}

/** kiam or kube2iam. */
export interface PodRoleOptions {
  /**
   * The role: its name, or its ARN. The annotations hold it exactly as given.
   * @default 'argo-rollouts-verification'
   */
  readonly role?: string;
  /** The ARNs of the roles that the kiam server, or kube2iam on the nodes, uses to call AWS. */
  readonly trustedRoles: readonly string[];
}

/** Keys of an IAM user, stored in a Secret. */
export interface StaticKeysOptions {
  /** The name of the Secret, in the namespace of the controller. */
  readonly secretName: string;
  /**
   * The key in the Secret that holds the id of the access key.
   * @default 'aws-access-key-id'
   */
  readonly accessKeyIdKey?: string;
  /**
   * The key in the Secret that holds the secret access key.
   * @default 'aws-secret-access-key'
   */
  readonly secretAccessKeyKey?: string;
}

/** The ways a pod gets AWS credentials. */
export type AwsAccessKind = 'irsa' | 'podIdentity' | 'kiam' | 'kube2iam' | 'staticKeys';

interface AccessFields {
  readonly role?: string;
  readonly audience?: string;
  readonly clusterName?: string;
  readonly serviceAccountAnnotations?: Annotations;
  readonly podAnnotations?: Annotations;
  readonly namespaceAnnotations?: Annotations;
  readonly env?: readonly SecretVariable[];
}

/** How a pod gets AWS credentials: the annotations and variables to set, and the trust policy of the role. */
export class AwsAccess {
  /**
   * IAM roles for ServiceAccounts: the ServiceAccount names the role, and the role trusts the ServiceAccount.
   * @example AwsAccess.irsa({ provider: 'arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/0123ABCD' })
   */
  static irsa({ provider, role = DEFAULT_ROLE_NAME, audience }: IrsaOptions): AwsAccess {
    const known = oidcProvider(provider);
    const arn = role.startsWith('arn:') ? role : roleArn(known.partition, known.account, role);
    const { partition } = parseArn(arn) ?? {};
    if (partition !== undefined && partition !== known.partition) {
      throw new Error(
        `the role is in ${partition} and the OIDC provider in ${known.partition}: both are in one partition`,
      );
    }
    return new AwsAccess(
      'irsa',
      { role: arn, audience, serviceAccountAnnotations: irsaAnnotations(arn, audience) },
      (serviceAccount) => irsaTrustPolicy(known, serviceAccount, audience),
    );
  }

  /**
   * EKS Pod Identity: an association in EKS names the role and the ServiceAccount, and the pods need no annotation. The
   * cluster needs the add-on `eks-pod-identity-agent`.
   * @example AwsAccess.podIdentity({ clusterName: 'shop' })
   */
  static podIdentity({ clusterName, role = DEFAULT_ROLE_NAME }: PodIdentityOptions): AwsAccess {
    if (clusterName === '') throw new Error('clusterName is empty: give the name of the cluster in EKS');
    return new AwsAccess('podIdentity', { role, clusterName }, (serviceAccount) =>
      podIdentityTrustPolicy({ serviceAccount, clusterName }),
    );
  }

  /**
   * kiam, which is no longer maintained: an annotation on the pods, and one on their Namespace.
   * @example AwsAccess.kiam({ trustedRoles: ['arn:aws:iam::111122223333:role/kiam-server'] })
   */
  static kiam({ role = DEFAULT_ROLE_NAME, trustedRoles }: PodRoleOptions): AwsAccess {
    return AwsAccess.podRole('kiam', role, trustedRoles, kiamNamespaceAnnotations(role));
  }

  /**
   * kube2iam: an annotation on the pods, and one on their Namespace that counts with `--namespace-restrictions`.
   * @example AwsAccess.kube2iam({ trustedRoles: ['arn:aws:iam::111122223333:role/nodes'] })
   */
  static kube2iam({ role = DEFAULT_ROLE_NAME, trustedRoles }: PodRoleOptions): AwsAccess {
    return AwsAccess.podRole('kube2iam', role, trustedRoles, kube2iamNamespaceAnnotations(role));
  }

  /**
   * Keys of an IAM user, from a Secret. They never expire and are rarely rotated, so prefer any other way.
   * @example AwsAccess.staticKeys({ secretName: 'argo-rollouts-aws' })
   */
  static staticKeys(options: StaticKeysOptions): AwsAccess {
    const { secretName: name } = options;
    const { accessKeyIdKey = 'aws-access-key-id', secretAccessKeyKey = 'aws-secret-access-key' } = options;
    if (name === '') throw new Error('secretName is empty: give the name of the Secret that holds the keys');
    const variable = (variableName: string, key: string): SecretVariable => ({
      name: variableName,
      valueFrom: { secretKeyRef: { name, key } },
    });
    const env = [variable('AWS_ACCESS_KEY_ID', accessKeyIdKey), variable('AWS_SECRET_ACCESS_KEY', secretAccessKeyKey)];
    return new AwsAccess('staticKeys', { env }, () => undefined);
  }

  private static podRole(
    kind: 'kiam' | 'kube2iam',
    role: string,
    trustedRoles: readonly string[],
    namespaceAnnotations: Annotations,
  ): AwsAccess {
    const trust = roleTrustPolicy(...trustedRoles);
    return new AwsAccess(kind, { role, podAnnotations: podRoleAnnotations(role), namespaceAnnotations }, () => trust);
  }

  /** The name of the role, without its path; undefined with static keys. */
  readonly roleName: string | undefined;
  /** The path of the role, unless it is `/`. */
  readonly rolePath: string | undefined;
  /** The ARN of the role, if it is known. */
  readonly roleArn: string | undefined;
  /** The name of the cluster in EKS, with Pod Identity. */
  readonly clusterName: string | undefined;
  /** Annotations that the controller's ServiceAccount needs. */
  readonly serviceAccountAnnotations: Annotations;
  /** Annotations that the controller's pods need. */
  readonly podAnnotations: Annotations;
  /** Annotations that the controller's Namespace needs. */
  readonly namespaceAnnotations: Annotations;
  /** Environment variables of the controller's container. */
  readonly env: readonly SecretVariable[];

  private constructor(
    /** The way of access. */
    readonly kind: AwsAccessKind,
    fields: AccessFields,
    private readonly trust: (serviceAccount: ServiceAccountName) => PolicyDocument | undefined,
  ) {
    const { role } = fields;
    this.roleArn = role?.startsWith('arn:') ? role : undefined;
    this.roleName = this.roleArn === undefined ? role : roleNameOf(this.roleArn);
    if (role !== undefined && (this.roleName === undefined || !ROLE_NAME.test(this.roleName))) {
      throw new Error(`the role is "${role}": give a name of up to 64 letters, digits and +=,.@_-, or an ARN`);
    }
    this.rolePath = this.roleArn === undefined ? undefined : pathOf(this.roleArn);
    this.clusterName = fields.clusterName;
    this.serviceAccountAnnotations = fields.serviceAccountAnnotations ?? {};
    this.podAnnotations = fields.podAnnotations ?? {};
    this.namespaceAnnotations = fields.namespaceAnnotations ?? {};
    this.env = fields.env ?? [];
  }

  /** The policy that lets the ServiceAccount assume the role; undefined if there is no role. */
  trustPolicy(serviceAccount: ServiceAccountName): PolicyDocument | undefined {
    return this.trust(serviceAccount);
  }
}

const ROLE_NAME = /^[\w+=,.@-]{1,64}$/;

/** `/teams/` of `arn:…:role/teams/argo-rollouts`. */
function pathOf(arn: string): string | undefined {
  const { resource = '' } = parseArn(arn) ?? {};
  const path = resource.slice('role'.length, resource.lastIndexOf('/') + 1);
  return path === '/' || path === '' ? undefined : path;
}
