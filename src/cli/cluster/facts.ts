/** What a cluster tells about itself, for the settings of those who deploy to it. */
import type { Manifest, ObjectRef, World } from '../../core';
import { LUA_CONFIG_MAP_NAME } from '../../kruise/api/names';
import { clusterFactsIn } from '../../settings/cluster';
import type { ClusterFacts } from '../../settings/config';
import { VERSION_NAMES } from '../../settings/versions';

/** Kinds whose objects platform teams make, and the routes of applications name. */
const SHARED_KINDS = [
  'IngressClass.networking.k8s.io',
  'IngressClassParams.elbv2.k8s.aws',
  'AlbConfig.alibabacloud.com',
  'GatewayClass.gateway.networking.k8s.io',
  'Gateway.gateway.networking.k8s.io',
  'Gateway.networking.istio.io',
  'ClusterAnalysisTemplate.argoproj.io',
];

/** The facts, and the ConfigMap with the routing scripts. */
export interface Pulled {
  readonly facts: ClusterFacts;
  readonly scripts?: Manifest;
}

/**
 * Reads the facts that the objects of a cluster tell.
 * @param release of Kubernetes, where the API server has told it
 * @param namespaces whose Services are listed too
 * @param scriptsFile the file that the ConfigMap is written to
 */
export function pulledFrom(
  world: World,
  release: string | undefined,
  namespaces: readonly string[],
  scriptsFile: string,
): Pulled {
  const { controllerNamespace, partitionPercentLimit, ...versions } = clusterFactsIn(world);
  const scripts = world.find('ConfigMap', LUA_CONFIG_MAP_NAME, controllerNamespace ?? 'kruise-rollout');
  const texts = VERSION_NAMES.flatMap((name) => {
    const version = versions[name];
    return version === undefined ? [] : [[name, typeof version === 'object' ? version.version : version]];
  });
  const minor = release?.split('.').slice(0, 2).join('.');
  const external = [
    ...SHARED_KINDS.flatMap((kind) => world.list(kind)),
    ...namespaces.flatMap((namespace) => world.list('Service', namespace)),
  ].map(refOf);
  return {
    facts: {
      ...Object.fromEntries(texts),
      ...(minor === undefined ? {} : { kubernetesVersion: minor }),
      ...(controllerNamespace === undefined ? {} : { controllerNamespace }),
      ...(partitionPercentLimit === undefined ? {} : { partitionPercentLimit }),
      ...(scripts === undefined ? {} : { scripts: [scriptsFile] }),
      ...(external.length === 0 ? {} : { external }),
    },
    ...(scripts === undefined ? {} : { scripts }),
  };
}

function refOf({ apiVersion, kind, name, namespace }: Manifest): ObjectRef {
  return { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) };
}
