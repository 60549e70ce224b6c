import { roleNameOf } from './arn';
import { DEFAULT_AUDIENCE } from './trust-policy';

/** A map of annotations. */
export type Annotations = { readonly [key: string]: string };

/** On a ServiceAccount: the ARN of the role that its pods get (IRSA). */
export const IRSA_ROLE = 'eks.amazonaws.com/role-arn';

/** On a ServiceAccount: the audience of its tokens, if it is not `sts.amazonaws.com`. */
export const IRSA_AUDIENCE = 'eks.amazonaws.com/audience';

/** On a pod: the role that kiam or kube2iam gives it. */
export const POD_ROLE = 'iam.amazonaws.com/role';

/** On a Namespace: the roles that kiam lets its pods have, a regular expression. */
export const KIAM_PERMITTED = 'iam.amazonaws.com/permitted';

/** On a Namespace: the roles that kube2iam lets its pods have, a list in JSON. */
export const KUBE2IAM_ALLOWED = 'iam.amazonaws.com/allowed-roles';

/** The annotations of the ServiceAccount, with IRSA. */
export function irsaAnnotations(roleArn: string, audience: string = DEFAULT_AUDIENCE): Annotations {
  if (roleNameOf(roleArn) === undefined) {
    throw new Error(`the role is "${roleArn}": give an ARN as arn:aws:iam::111122223333:role/argo-rollouts`);
  }
  return { [IRSA_ROLE]: roleArn, ...(audience === DEFAULT_AUDIENCE ? {} : { [IRSA_AUDIENCE]: audience }) };
}

/** The annotations of the pods, with kiam and with kube2iam. */
export function podRoleAnnotations(role: string): Annotations {
  return { [POD_ROLE]: role };
}

/** The annotations of the Namespace, with kiam. Without them kiam gives its pods no role. kiam anchors the expression. */
export function kiamNamespaceAnnotations(role: string): Annotations {
  return { [KIAM_PERMITTED]: role.replace(/[.+*?^${}()|[\]\\]/g, '\\$&') };
}

/** The annotations of the Namespace, with kube2iam, which reads them only with `--namespace-restrictions`. */
export function kube2iamNamespaceAnnotations(role: string): Annotations {
  return { [KUBE2IAM_ALLOWED]: JSON.stringify([role]) };
}
