/** Whether a trust policy lets the pods of a ServiceAccount assume the role. */
import { conditionHolds, type RequestContext } from './conditions';
import { issuerOfArn } from './oidc-provider';
import { hasAction, type ReadCondition, type ReadStatement } from './policy-document';
import { DEFAULT_AUDIENCE, POD_IDENTITY_SERVICE, type ServiceAccountName, subjectOf } from './trust-policy';

/**
 * Why the pods of a ServiceAccount cannot assume a role with the token that EKS gives them; undefined if they can, or if
 * that is unknown.
 */
export function irsaProblem(
  statements: readonly ReadStatement[],
  serviceAccount: ServiceAccountName,
  audience: string = DEFAULT_AUDIENCE,
): string | undefined {
  if (isUnclear(statements)) return undefined;
  const candidates = statements
    .filter((statement) => statement.effect === 'Allow' && hasAction(statement, 'sts:AssumeRoleWithWebIdentity'))
    .flatMap(({ principals, conditions }) =>
      (principals.get('Federated') ?? []).map((provider) => ({ provider, conditions })),
    );
  if (candidates.length === 0) {
    return 'allows no pod to assume the role with a token of a cluster: no statement has sts:AssumeRoleWithWebIdentity and an OIDC provider';
  }
  const problems = candidates.map(({ provider, conditions }) => {
    const issuer = issuerOfArn(provider)?.toLowerCase();
    if (issuer === undefined) return undefined;
    const subject = subjectOf(serviceAccount);
    const context: RequestContext = new Map([
      [`${issuer}:sub`, subject],
      [`${issuer}:aud`, audience],
    ]);
    const failing = conditions.find((condition) => conditionHolds(condition, context, isClaim) === false);
    return failing && tokenProblem(failing, issuer, subject, audience);
  });
  return problems.includes(undefined) ? undefined : problems[0];
}

/** A token has only the claims of its own issuer. */
const isClaim = (key: string) => /:(sub|aud)$/.test(key) && !key.startsWith('aws:');

function tokenProblem({ key, values }: ReadCondition, issuer: string, subject: string, audience: string): string {
  const [about, claim] = [key.slice(0, -4).toLowerCase(), key.slice(-4).toLowerCase()];
  if (about !== issuer) return `has a condition on "${key}", and the issuer of the provider is "${issuer}"`;
  const wanted = values.join('" or "');
  if (claim === ':sub') return `is for "${wanted}", and the pods are "${subject}"`;
  return `is for the audience "${wanted}", and the tokens of the pods are for "${audience}"`;
}

/** The parts of an association of EKS Pod Identity that a trust policy can read. */
export interface AssociatedPods {
  readonly serviceAccount: ServiceAccountName;
  /** Undefined if the association does not name the cluster. */
  readonly clusterName: string | undefined;
  /** Whether EKS adds session tags that describe the pods. */
  readonly hasSessionTags: boolean;
}

/** Why EKS Pod Identity cannot assume a role; undefined if it can, or if that is unknown. */
export function podIdentityProblem(
  statements: readonly ReadStatement[],
  { serviceAccount, clusterName, hasSessionTags }: AssociatedPods,
): string | undefined {
  if (isUnclear(statements)) return undefined;
  const candidates = statements.filter(
    ({ effect, principals }) => effect === 'Allow' && principals.get('Service')?.includes(POD_IDENTITY_SERVICE),
  );
  if (candidates.length === 0) return `allows ${POD_IDENTITY_SERVICE} nothing`;
  const missing = ['sts:AssumeRole', 'sts:TagSession'].find(
    (action) => !candidates.some((statement) => hasAction(statement, action)),
  );
  if (missing !== undefined) return `does not allow ${missing} to ${POD_IDENTITY_SERVICE}`;
  const tags = new Map(
    hasSessionTags
      ? [
          ['aws:requesttag/kubernetes-namespace', serviceAccount.namespace],
          ['aws:requesttag/kubernetes-service-account', serviceAccount.name],
          ...(clusterName === undefined ? [] : [['aws:requesttag/eks-cluster-name', clusterName]]),
        ].map(([key, value]) => [key!, value!] as const)
      : [],
  );
  const knows = (key: string) => !hasSessionTags && /^aws:requesttag\/(kubernetes|eks)-/.test(key);
  const problems = candidates
    .filter((statement) => hasAction(statement, 'sts:AssumeRole'))
    .map(({ conditions }) => conditions.find((condition) => conditionHolds(condition, tags, knows) === false))
    .map((failing) => failing && tagProblem(failing, tags));
  return problems.includes(undefined) ? undefined : problems[0];
}

function tagProblem({ key, values }: ReadCondition, tags: RequestContext): string {
  const actual = tags.get(key.toLowerCase());
  const wanted = `asks for ${key} "${values.join('" or "')}"`;
  return actual === undefined
    ? `${wanted}, and the association turns session tags off`
    : `${wanted}, and the association is for "${actual}"`;
}

/** Leaves `Not...` elements and wildcard principals to AWS. */
function isUnclear(statements: readonly ReadStatement[]): boolean {
  return statements.some(
    ({ effect, isNegative, principals }) => effect === 'Allow' && (isNegative || principals.has('*')),
  );
}
