/** Findings of constructs that write IAM policies and know a controller's permissions without manifests. */
import type { Annotations, ServiceAccountName } from '../../aws';
import type { Finding } from '../../core/finding';
import { asObject, asText, ownValue } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import { findingOf } from '../../core/rule';
import type { World } from '../../core/world';
import { type Controller, controllersOf, VERIFY } from './install';
import { argoVerificationRules as rules } from './verification-rules';

/** The way from a controller to its permissions. */
export interface GrantedAccess {
  readonly serviceAccount: ServiceAccountName;
  readonly serviceAccountAnnotations: Annotations;
  readonly podAnnotations: Annotations;
  /** The manifests have the role and an association, so that the checks of the stack see the way. */
  readonly isAssociated: boolean;
}

/**
 * Reports controllers that have the permissions, but do not verify. Leaves out those whose manifests show the way to a
 * role among the manifests: the checks of the stack report them.
 * @param construct the path of the construct that grants the permissions
 */
export function unusedPermissions(world: World, granted: GrantedAccess, construct: string): Finding[] {
  return controllersAs(world, granted.serviceAccount)
    .filter(({ args }) => !args.some(({ text }) => VERIFY.test(text)))
    .filter(({ manifest }) => !isSeen(world, manifest, granted))
    .map(({ manifest }) =>
      findingOf(rules['argo-verification-off'], {
        object: manifest.ref,
        construct,
        message: `Deployment "${manifest.name}" gets the permissions to verify target groups, but has no flag --aws-verify-target-group`,
      }),
    );
}

function isSeen(world: World, controller: Manifest, granted: GrantedAccess): boolean {
  const { serviceAccount, isAssociated, serviceAccountAnnotations, podAnnotations } = granted;
  const account = world.find('ServiceAccount', serviceAccount.name, serviceAccount.namespace);
  const pods = asObject(controller.get(['spec', 'template', 'metadata', 'annotations']));
  const has = (annotations: object | undefined, wanted: Annotations) =>
    Object.entries(wanted).some(([key, value]) => ownValue(annotations as never, key) === value);
  return isAssociated || has(account?.annotations, serviceAccountAnnotations) || has(pods, podAnnotations);
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
