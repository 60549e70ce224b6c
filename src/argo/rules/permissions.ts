/** Findings of constructs that write IAM policies and know a controller's permissions without manifests. */
import type { ServiceAccountName } from '../../aws';
import type { Finding } from '../../core/finding';
import { asObject, asText } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import { findingOf } from '../../core/rule';
import type { World } from '../../core/world';
import { type Controller, controllersOf, VERIFY } from './install';
import { argoVerificationRules as rules } from './verification-rules';

/**
 * Reports controllers that have the permissions, but do not verify.
 * @param construct the path of the construct that grants the permissions
 */
export function unusedPermissions(world: World, serviceAccount: ServiceAccountName, construct: string): Finding[] {
  return controllersAs(world, serviceAccount)
    .filter(({ args }) => !args.some(({ text }) => VERIFY.test(text)))
    .map(({ manifest }) =>
      findingOf(rules['argo-verification-off'], {
        object: manifest.ref,
        construct,
        message: `Deployment "${manifest.name}" gets the permissions to verify target groups, but has no flag --aws-verify-target-group`,
      }),
    );
}

/**
 * Warns about static keys, if the World has no controller that would get the warning.
 * @param construct the path of the construct with the keys
 */
export function staticKeys(world: World, serviceAccount: ServiceAccountName, construct: string): Finding[] {
  if (controllersAs(world, serviceAccount).length > 0) return [];
  const { namespace, name } = serviceAccount;
  return [
    findingOf(rules['argo-verification-static-key'], {
      construct,
      message: `ServiceAccount "${name}" in "${namespace}" verifies target groups with keys that do not expire`,
    }),
  ];
}

function controllersAs(world: World, { namespace, name }: ServiceAccountName): readonly Controller[] {
  return controllersOf({ world }).filter(
    ({ manifest }) => world.namespaceOf(manifest) === namespace && accountOf(manifest) === name,
  );
}

/** The ServiceAccount of the pods of a Deployment. */
export function accountOf(manifest: Manifest): string {
  const pod = asObject(manifest.get(['spec', 'template', 'spec']));
  return asText(pod.serviceAccountName) || asText(pod.serviceAccount) || 'default';
}
