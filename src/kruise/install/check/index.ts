import { type ExternalObjects, isExternal } from '../../../core/external';
import type { Finding } from '../../../core/finding';
import type { Manifest } from '../../../core/manifest';
import type { World } from '../../../core/world';
import { DEFAULT_CONTROLLER_NAMESPACE, LUA_CONFIG_MAP_NAME } from '../../api/names';
import type { KruiseRolloutVersion } from '../../version';
import { crdNames } from '../names';
import { checkAccess } from './access';
import { type Controller, controllersOf } from './controllers';
import { checkMetrics } from './metrics';
import { checkProcess } from './process';
import { installRules } from './rules';
import { checkWebhooks } from './webhooks';

export { installRules } from './rules';

const CRD_API_VERSION = 'apiextensions.k8s.io/v1';

/** Options of the install checks. */
export interface KruiseInstallCheckOptions extends ExternalObjects {
  /**
   * The release.
   * @default - the tag of the image
   */
  readonly version?: KruiseRolloutVersion;
  /**
   * The controller's namespace, for a World without an install.
   * @default 'kruise-rollout'
   */
  readonly namespace?: string;
}

/**
 * Checks an install of Kruise Rollouts that was written by this library or by hand, or rendered by Helm or kustomize. In a
 * World without an install, checks only the ConfigMap of routing scripts.
 */
export function checkKruiseInstall(world: World, options: KruiseInstallCheckOptions = {}): Finding[] {
  const controllers = controllersOf(world, options.version);
  return [
    ...duplicates(controllers),
    ...controllers.flatMap((controller) => [
      ...checkProcess(controller),
      ...checkWebhooks(controller, world),
      ...checkMetrics(controller, world),
      ...checkAccess(controller, world),
    ]),
    ...missingCrds(controllers, world, options),
    ...configMaps(controllers, world, options),
  ];
}

function duplicates([first, ...others]: readonly Controller[]): Finding[] {
  if (first === undefined) return [];
  const source = first.manifest.sourceOf();
  return others.map(({ manifest, namespace }) =>
    manifest.finding(installRules['kruise-install-duplicate'], {
      message: `the controller is installed both in the namespace "${namespace}" and in "${first.namespace}"`,
      related: {
        message: `the other ${first.manifest.name} is declared here`,
        object: first.manifest.ref,
        ...(source === undefined ? {} : { source }),
      },
    }),
  );
}

function missingCrds([controller]: readonly Controller[], world: World, options: KruiseInstallCheckOptions): Finding[] {
  if (controller === undefined) return [];
  const missing = crdNames(controller.version.facts).filter(
    (name) =>
      world.find('CustomResourceDefinition.apiextensions.k8s.io', name) === undefined &&
      !isExternal(options, { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name }),
  );
  if (missing.length === 0) return [];
  const rule = installRules['kruise-crd-missing'];
  const message = `the install does not include ${missing.length === 1 ? 'the CRD' : 'the CRDs'} ${missing.join(', ')}`;
  const absent = missing.map((name) => ({ apiVersion: CRD_API_VERSION, kind: 'CustomResourceDefinition', name }));
  return [controller.manifest.finding(rule, { message, because: `${rule.because} (this is inferred)`, absent })];
}

function configMaps(
  controllers: readonly Controller[],
  world: World,
  { namespace = DEFAULT_CONTROLLER_NAMESPACE }: KruiseInstallCheckOptions,
): Finding[] {
  const known = controllers.flatMap(({ ownNamespace }) => ownNamespace ?? []);
  // A controller with an unknown namespace may look in any namespace.
  if (known.length < controllers.length) return [];
  const namespaces = controllers.length === 0 ? [namespace] : known;
  return world
    .list('ConfigMap')
    .filter((map) => map.name === LUA_CONFIG_MAP_NAME && !namespaces.includes(world.namespaceOf(map)))
    .map((map) => misplaced(map, world.namespaceOf(map), namespaces[0]!, controllers.length > 0));
}

function misplaced(map: Manifest, namespace: string, right: string, isCertain: boolean): Finding {
  return map.finding(installRules['kruise-config-map-namespace'], {
    severity: isCertain ? 'error' : 'warning',
    message: `the ConfigMap is in the namespace "${namespace}", but the controller looks in "${right}"`,
    path: ['metadata', ...(map.namespace === undefined ? [] : ['namespace'])],
    fix: `move it to the namespace "${right}"${isCertain ? '' : ", or set the controller's namespace"}`,
  });
}
