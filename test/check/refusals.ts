import { checkStack } from '../../src/check';
import { ruleGroups } from '../../src/check/rule-groups';
import { type Finding, parseManifests, World } from '../../src/core';

const GROUPS = [
  'What the API server refuses or drops',
  'What the webhook of Kruise Rollouts refuses',
  'Releases of Kubernetes',
];
const OTHERS = [
  'argo-version-unknown',
  'ktenv-api-version',
  'metadata-not-a-string',
  'not-kubernetes',
  'object-without-name',
];

/** The rules that say that the API server, or the webhook of Kruise, refuses an object. */
const REFUSALS = new Set([
  ...ruleGroups.filter(({ title }) => GROUPS.includes(title)).flatMap(({ rules }) => rules.map(({ id }) => id)),
  ...OTHERS,
]);

/** What a check of a YAML text says about refusals by the API server and by webhooks. */
export function refusalsIn(text: string): Finding[] {
  const { manifests, findings } = parseManifests(text, 'mutant.yaml');
  const checked = checkStack(World.of(manifests), { earlier: findings, kubernetesVersion: '1.34', rehearsal: false });
  return checked.findings.filter(({ rule, severity }) => severity === 'error' && REFUSALS.has(rule));
}
