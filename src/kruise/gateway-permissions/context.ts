import { textOf } from '../../core/json';
import { groupKindOf, type Manifest } from '../../core/manifest';
import type { World } from '../../core/world';
import { allRouters, nameOfKind, type RouteKind, type Router, scriptableKinds } from '../../routers';
import { DEFAULT_CONTROLLER_NAMESPACE } from '../api/names';
import { type Grantee, installGrants } from '../gateway-rbac';
import { type Binding, bindingsOf, grantsTo, rulesOf } from '../grants';
import { controllersOf } from '../install/check/controllers';
import { CONTROLLER_NAME } from '../install/names';
import { KruiseRolloutVersion } from '../version';

/** An install that is not among the manifests. */
export interface KnownInstall extends Pick<Grantee, 'namespace' | 'serviceAccountName'> {
  /** The kinds, `<Kind>.<group>`, that its own roles allow it to read and change. */
  readonly grantedKinds: readonly string[];
}

/** Options of the permission checks. */
export interface GatewayPermissionOptions {
  /**
   * The release.
   * @default - the tag of the image, else KruiseRolloutVersion.LATEST
   */
  readonly version?: KruiseRolloutVersion;
  /**
   * The install, if it is not among the manifests. With it, a kind without permission is an error.
   * @default - the names and permissions of the Helm chart; the controller may have more permissions
   */
  readonly install?: KnownInstall;
  /**
   * The routers whose kinds the controller may be granted.
   * @default - all that this library has
   */
  readonly routers?: readonly Router[];
}

/** The input of every permission check. */
export interface PermissionCheck {
  readonly world: World;
  readonly version: KruiseRolloutVersion;
  /** The kinds of gateways that a Rollout can name. */
  readonly gateways: readonly RouteKind[];
  /** The ServiceAccount of the controller. */
  readonly account: Pick<Grantee, 'namespace' | 'serviceAccountName'>;
  /** All bindings of the World, and those of the controller. */
  readonly bindings: readonly Binding[];
  readonly own: readonly Binding[];
  /** The kinds that the controller may change without a role in the World. */
  readonly grantedElsewhere: readonly string[];
  /** Whether all permissions of the controller are known. */
  readonly isComplete: boolean;
}

/** Reads the World once for all checks. */
export function permissionCheck(world: World, options: GatewayPermissionOptions = {}): PermissionCheck {
  const [controller] = controllersOf(world, options.version);
  const version = options.version ?? controller?.version ?? KruiseRolloutVersion.LATEST;
  const account = controller ??
    options.install ?? { namespace: DEFAULT_CONTROLLER_NAMESPACE, serviceAccountName: CONTROLLER_NAME };
  const own = grantsTo(world, account);
  const hasOwnRole = own.some(({ role }) => isInstallRole(role));
  return {
    world,
    version,
    gateways: scriptableKinds(options.routers ?? allRouters()),
    account: { namespace: account.namespace, serviceAccountName: account.serviceAccountName },
    bindings: bindingsOf(world),
    own,
    grantedElsewhere: hasOwnRole ? [] : (options.install?.grantedKinds ?? installGrants(version)),
    isComplete: hasOwnRole || options.install !== undefined,
  };
}

/** Whether a role is the controller's role for its own kinds. */
function isInstallRole(role: Manifest | undefined): boolean {
  return rulesOf(role).some(({ apiGroups }) => apiGroups.includes('rollouts.kruise.io') || apiGroups.includes('*'));
}

/** The gateway kind of that name; undefined for one that no router reads. */
export function gatewayKindOf({ gateways }: PermissionCheck, groupKind: string): RouteKind | undefined {
  return gateways.find((kind) => nameOfKind(kind) === groupKind);
}

/** The plural of a kind, as a router or its CRD has it; undefined if there is neither. */
export function pluralOf(check: PermissionCheck, kind: string, apiVersion: string): string | undefined {
  const groupKind = groupKindOf(kind, apiVersion);
  const known = gatewayKindOf(check, groupKind);
  if (known !== undefined) return known.plural;
  const crd = check.world
    .list('CustomResourceDefinition.apiextensions.k8s.io')
    .find((each) => `${textOf(each.get('spec.names.kind'))}.${textOf(each.get('spec.group'))}` === groupKind);
  return textOf(crd?.get('spec.names.plural'));
}
