import type { Finding, ObjectRef } from '../core/finding';
import { coreRules } from '../core/rules';
import { schemaRules } from '../core/schema';
import type { SuppressionResult } from '../core/suppression';
import type { World } from '../core/world';
import { API_GROUP } from '../ktenv/api/names';
import { ktenvRules } from '../ktenv/rules';
import type { StackCheckOptions } from '../settings/check-options';
import { checkStack } from './check-stack';

/**
 * The part of `checkStack` that is about virtual environments of KtEnv and about manifests in general.
 *
 * @example checkEnvironments(World.of(manifests), { istioVersion: '1.24' }).findings
 */
export function checkEnvironments(world: World, options: StackCheckOptions = {}): SuppressionResult {
  const { findings, suppressed } = checkStack(world, { ...options, rehearsal: false });
  return {
    findings: findings.filter(isAboutEnvironments),
    suppressed: suppressed.filter(({ finding }) => isAboutEnvironments(finding)),
  };
}

/** Whether a finding is about one namespace: about an object in it, or about another object because of it. */
export function isInNamespace({ object, related }: Finding, namespace: string): boolean {
  const isHere = (ref: ObjectRef | undefined) =>
    ref !== undefined && (ref.kind === 'Namespace' ? ref.name : (ref.namespace ?? 'default')) === namespace;
  return isHere(object) || isHere(related?.object);
}

/** Whether a finding is about virtual environments, or about manifests in general. */
export function isAboutEnvironments({ rule, object }: Finding): boolean {
  if (Object.hasOwn(ktenvRules, rule) || Object.hasOwn(coreRules, rule)) return true;
  return Object.hasOwn(schemaRules, rule) && object?.apiVersion?.startsWith(`${API_GROUP}/`) === true;
}
