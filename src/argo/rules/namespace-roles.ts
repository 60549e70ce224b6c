/** Whether the Namespace of a controller lets its pods have the role of kiam or kube2iam. */
import { KIAM_PERMITTED, KUBE2IAM_ALLOWED, matchesPattern } from '../../aws';
import type { Finding } from '../../core/finding';
import type { Manifest } from '../../core/manifest';
import { compileRegex } from '../../routers/regex';
import { argoVerificationRules as rules } from './verification-rules';

/** What is wrong with the annotations of a Namespace for this role; one that it has not is not asked for. */
export function namespaceRoleFindings(namespace: Manifest, role: string): Finding[] {
  const problems = [
    [KIAM_PERMITTED, permittedProblem(namespace.annotations[KIAM_PERMITTED], role)],
    [KUBE2IAM_ALLOWED, allowedProblem(namespace.annotations[KUBE2IAM_ALLOWED], role)],
  ] as const;
  return problems.flatMap(([key, problem]) =>
    problem === undefined
      ? []
      : [
          namespace.finding(rules['argo-verification-namespace'], {
            path: ['metadata', 'annotations', key],
            message: `the annotation ${key} of Namespace "${namespace.name}" ${problem}`,
          }),
        ],
  );
}

function permittedProblem(expression: string | undefined, role: string): string | undefined {
  if (expression === undefined) return undefined;
  // As kiam does it: of "a|b" each half is anchored at one end only.
  const matches = compileRegex(`^${expression}$`);
  return matches === undefined || (expression !== '' && matches(role))
    ? undefined
    : `is "${expression}", and the role "${role}"`;
}

function allowedProblem(list: string | undefined, role: string): string | undefined {
  if (list === undefined) return undefined;
  let roles: unknown;
  try {
    roles = JSON.parse(list);
  } catch {
    return 'is not a list in JSON';
  }
  if (!Array.isArray(roles)) return 'is not a list in JSON';
  const isNamed = roles.some((one) => typeof one === 'string' && isAllowedBy(one, role));
  const written = roles.map((one) => JSON.stringify(one)).join(', ') || 'nothing';
  return isNamed ? undefined : `has ${written}, and the role is "${role}"`;
}

/**
 * Whether kube2iam can take a pattern for one of this role. It makes ARNs of both before it compares, with an account and a
 * path that only its flags tell, and another flag makes the patterns regular expressions: so anything that may fit does.
 */
function isAllowedBy(pattern: string, role: string): boolean {
  return FORMS.some((form) => {
    const [one, other] = [form(pattern), form(role)];
    return matchesPattern(one, other) || compileRegex(one)?.(other) === true;
  });
}

/** As it is written, without what all ARNs of roles have, and the name alone. */
const FORMS: readonly ((role: string) => string)[] = [
  (role) => role,
  (role) => role.replace(/^arn:[^/]*:role\//, ''),
  (role) => role.slice(role.lastIndexOf('/') + 1),
];
