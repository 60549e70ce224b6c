/** Checks that the Namespace of a controller permits the role of its pods with kiam or kube2iam. */
import { KIAM_PERMITTED, KUBE2IAM_ALLOWED, matchesPattern } from '../../aws';
import type { Finding } from '../../core/finding';
import type { Manifest } from '../../core/manifest';
import { compileRegex } from '../../core/regex';
import { argoVerificationRules as rules } from './verification-rules';

/** Reports annotations of a Namespace that do not permit this role. Missing annotations are not checked. */
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
  // Like kiam, which anchors each half of "a|b" at one end only.
  const matches = compileRegex(`^${expression}$`);
  return matches === undefined || (expression !== '' && matches(role))
    ? undefined
    : `is "${expression}", but the role is "${role}"`;
}

function allowedProblem(list: string | undefined, role: string): string | undefined {
  if (list === undefined) return undefined;
  let roles: unknown;
  try {
    roles = JSON.parse(list);
  } catch {
    return 'is not a JSON list';
  }
  if (!Array.isArray(roles)) return 'is not a JSON list';
  const isNamed = roles.some((one) => typeof one === 'string' && isAllowedBy(one, role));
  const written = roles.map((one) => JSON.stringify(one)).join(', ') || 'nothing';
  return isNamed ? undefined : `has ${written}, but the role is "${role}"`;
}

/**
 * Whether a pattern of kube2iam may match a role. kube2iam compares ARNs, with an account and a path from its flags, and
 * another flag makes the patterns regular expressions. These flags are unknown, so any possible match counts.
 */
function isAllowedBy(pattern: string, role: string): boolean {
  return FORMS.some((form) => {
    const [one, other] = [form(pattern), form(role)];
    return matchesPattern(one, other) || compileRegex(one)?.(other) === true;
  });
}

/** The text as written, the part of an ARN after role/, and the name only. */
const FORMS: readonly ((role: string) => string)[] = [
  (role) => role,
  (role) => role.replace(/^arn:[^/]*:role\//, ''),
  (role) => role.slice(role.lastIndexOf('/') + 1),
];
