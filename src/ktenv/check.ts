/** The checks of KtEnv with what users accept by annotation. */
import type { Finding, ObjectRef } from '../core/finding';
import { lazy } from '../core/lazy';
import { RuleCatalogue } from '../core/rule';
import { coreRules } from '../core/rules';
import { schemaRules } from '../core/schema';
import { applySuppressions, type Suppression, type SuppressionResult } from '../core/suppression';
import type { World } from '../core/world';
import { checkKtEnv, type KtEnvCheckOptions, ktenvRules } from './rules';

/** All rules on KtEnv, and those of the core on which they rest. */
const ktenvCatalogue = lazy(() => RuleCatalogue.of(coreRules, schemaRules, ktenvRules));

/** What the objects are checked for, and what is accepted. */
export interface KtEnvAcceptOptions extends KtEnvCheckOptions {
  /**
   * Findings that are accepted as they are.
   * @default - those that annotations accept
   */
  readonly suppressions?: readonly Suppression[];
}

/**
 * Checks all VirtualEnvironments of a World and what is around them, and leaves out what is accepted.
 *
 * @example checkEnvironments(World.of(manifests), { istioVersion: '1.24' }).findings
 */
export function checkEnvironments(world: World, options: KtEnvAcceptOptions = {}): SuppressionResult {
  const { suppressions, ...checks } = options;
  const { findings, suppressed } = applySuppressions(checkKtEnv(world, checks), {
    world,
    catalogue: ktenvCatalogue(),
    checked: Object.values(ktenvRules),
    ...(suppressions === undefined ? {} : { suppressions }),
  });
  // A rule that is not known here may be one of another system, which tells by itself what is misspelt.
  return { findings: findings.filter(({ rule }) => rule !== 'suppression-unknown-rule'), suppressed };
}

/** What is found in one namespace, or elsewhere because of it. */
export function findingsOfEnvironment(world: World, namespace: string, options: KtEnvAcceptOptions = {}): Finding[] {
  const isHere = (object: ObjectRef | undefined) =>
    object !== undefined &&
    (object.kind === 'Namespace' ? object.name : (object.namespace ?? world.defaultNamespace)) === namespace;
  return checkEnvironments(world, options).findings.filter(
    ({ object, related }) => isHere(object) || isHere(related?.object),
  );
}
