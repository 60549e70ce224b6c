/** What is known of a controller's permissions beside the manifests, by whoever wrote the policy. */
import type { ServiceAccountName } from '../../aws';
import type { Finding } from '../../core/finding';
import { asObject, asText } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import { findingOf } from '../../core/rule';
import type { World } from '../../core/world';
import { type Controller, controllersOf, VERIFY } from './install';
import { argoVerificationRules as rules } from './verification-rules';

/**
 * Controllers that have the permissions and do not verify.
 * @param construct the path of the construct that gives the permissions
 */
export function unusedPermissions(world: World, serviceAccount: ServiceAccountName, construct: string): Finding[] {
  return controllersAs(world, serviceAccount)
    .filter(({ args }) => !args.some(({ text }) => VERIFY.test(text)))
    .map(({ manifest }) =>
      findingOf(rules['argo-verification-off'], {
        object: manifest.ref,
        construct,
        message: `Deployment "${manifest.name}" gets the permissions to verify target groups and has no flag --aws-verify-target-group`,
      }),
    );
}

/**
 * The warning about static keys, where no controller is there to carry it.
 * @param construct the path of the construct that names the keys
 */
export function staticKeys(world: World, serviceAccount: ServiceAccountName, construct: string): Finding[] {
  if (controllersAs(world, serviceAccount).length > 0) return [];
  const { namespace, name } = serviceAccount;
  return [
    findingOf(rules['argo-verification-static-key'], {
      construct,
      message: `ServiceAccount "${name}" in "${namespace}" is to verify target groups with keys that do not expire`,
    }),
  ];
}

function controllersAs(world: World, { namespace, name }: ServiceAccountName): readonly Controller[] {
  return controllersOf({ world }).filter(
    ({ manifest }) => world.namespaceOf(manifest) === namespace && accountOf(manifest) === name,
  );
}

/** The name of the ServiceAccount as which the pods of a Deployment run. */
export function accountOf(manifest: Manifest): string {
  const pod = asObject(manifest.get(['spec', 'template', 'spec']));
  return asText(pod.serviceAccountName) || asText(pod.serviceAccount) || 'default';
}
