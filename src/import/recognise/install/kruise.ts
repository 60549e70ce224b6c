/** An install of Kruise Rollouts, all of its objects. */
import { asList, asObject, compact, type Json, type JsonObject, textOf } from '../../../core/json';
import type { Manifest } from '../../../core/manifest';
import type { World } from '../../../core/world';
import { LUA_CONFIG_MAP_NAME } from '../../../kruise/api/names';
import { kruiseInstall } from '../../../kruise/install';
import {
  CONTROLLER_LABELS,
  CONTROLLER_NAME,
  MUTATING_WEBHOOKS_NAME,
  WEBHOOK_SERVICE_NAME,
  WORKLOAD_TYPE_LABEL,
} from '../../../kruise/install/names';
import { SCRIPTS_CHECKSUM_ANNOTATION } from '../../../kruise/install/settings';
import { WEBHOOK_PORT_NAME } from '../../../kruise/install/webhooks';
import { KruiseRolloutVersion } from '../../../kruise/version';
import { METRICS_PORT_NAME } from '../../../kubernetes/monitoring';
import { call, reference, value } from '../../code';
import { keyOfManifest } from '../../statement';
import { type Context, type Recognised, statementFor } from '../context';
import {
  bestReading,
  budgetOf,
  commonLabels,
  extraEnv,
  Flags,
  imageParts,
  inputOf,
  monitorOf,
  noNamespace,
  podOptions,
  portNamed,
  propsOf,
  type ReadOptions,
  type Write,
  without,
} from './options';

/** The Deployment of the controller, with everything that belongs to it. */
export function recogniseKruiseInstall(manifest: Manifest, { world, statements }: Context): Recognised | undefined {
  if (manifest.groupKind !== 'Deployment.apps' || manifest.name !== CONTROLLER_NAME) return undefined;
  const { namespace } = manifest;
  if (namespace === undefined) return { refusal: noNamespace('a KruiseRolloutInstall') };
  const checksum = textOf(asObject(manifest.get('spec.template.metadata.annotations'))[SCRIPTS_CHECKSUM_ANNOTATION]);
  const scripts = world.find('ConfigMap', LUA_CONFIG_MAP_NAME, namespace);
  const key = scripts && keyOfManifest(scripts);
  const isMade = key !== undefined && statements.get(key)?.class === 'LuaRoutingConfigMap';
  const write: Write = (options) => kruiseInstall(options as never, checksum);
  const options = bestReading(readingsOf(manifest, namespace, world), write, world);
  const { version, ...rest } = options;
  const others = inputOf(write(options), world).filter((one) => one !== manifest);
  const statement = (more: Parameters<typeof propsOf>[1], given: ReadOptions) => ({
    ...statementFor(
      manifest,
      'KruiseRolloutInstall',
      propsOf(given, {
        version: version === undefined ? undefined : call('KruiseRolloutVersion.of', value(String(version).slice(1))),
        ...more,
      }),
    ),
    writes: [manifest, ...others],
  });
  if (checksum === undefined) return [statement({}, rest)];
  // Without the construct of the scripts, or with other scripts than when the digest was written, it is an annotation as any.
  const annotated = { ...asObject(rest.podAnnotations as Json), [SCRIPTS_CHECKSUM_ANNOTATION]: checksum };
  return [
    ...(isMade ? [statement({ scripts: reference(key) }, rest)] : []),
    statement({}, { ...rest, podAnnotations: annotated }),
  ];
}

/** What the objects can mean: the image names the release, unless it is one of the user's own. */
function readingsOf(deployment: Manifest, namespace: string, world: World): readonly ReadOptions[] {
  const container = asObject(asList(deployment.get('spec.template.spec.containers'))[0]);
  const image = imageParts(textOf(container.image) ?? '');
  const known = KruiseRolloutVersion.find(image.tag ?? '');
  const versions = known === undefined ? [...KruiseRolloutVersion.ALL].reverse() : [known];
  const options = { ...processOptions(container), ...objectOptions(deployment, namespace, world) };
  return versions.flatMap((version) =>
    [undefined, true].map((upstream) => {
      const { tag } = image;
      const own = compact({ ...image, tag: tag === String(version) ? undefined : tag });
      return { ...options, version, image: own, permissions: permissionsOf(world, upstream) };
    }),
  );
}

function processOptions(container: JsonObject) {
  const flags = new Flags(container.args);
  flags.has('leader-elect');
  flags.text('health-probe-bind-address');
  flags.text('metrics-bind-address');
  const gates = flags.text('feature-gates')?.split(',') ?? [];
  return {
    imagePullPolicy: container.imagePullPolicy,
    resources: container.resources,
    logLevel: flags.number('v'),
    featureGates: Object.fromEntries(gates.map((gate) => gate.split('=')).map(([name, on]) => [name, on === 'true'])),
    partitionPercentLimit: flags.number('partition-percent-limit'),
    extraArgs: flags.rest,
    extraEnv: extraEnv(container.env, ['POD_NAMESPACE', 'WEBHOOK_PORT']),
    webhookPort: portNamed(container.ports, WEBHOOK_PORT_NAME),
    healthPort: portNamed(container.ports, 'health'),
  };
}

function objectOptions(deployment: Manifest, namespace: string, world: World) {
  const created = world.find('Namespace', namespace);
  const account = world.find('ServiceAccount', CONTROLLER_NAME, namespace);
  const port = portNamed(asObject(asList(deployment.get('spec.template.spec.containers'))[0]).ports, METRICS_PORT_NAME);
  const serviceMonitor = monitorOf(CONTROLLER_NAME, namespace, world);
  const labels = commonLabels(world.find('Service', WEBHOOK_SERVICE_NAME, namespace));
  return {
    namespace,
    createNamespace: created !== undefined,
    namespaceLabels: without(asObject(created?.object.metadata).labels, [
      ...Object.keys(CONTROLLER_LABELS),
      ...Object.keys(labels ?? {}),
    ]),
    crds: crdPolicy(world),
    replicas: deployment.get('spec.replicas'),
    metrics: port === undefined ? undefined : compact({ port, serviceMonitor }),
    podDisruptionBudget: budgetOf(CONTROLLER_NAME, namespace, world),
    networkPolicy: networkPolicyOf(namespace, world),
    objectSelector: objectSelectorOf(world),
    serviceAccountAnnotations: asObject(account?.object.metadata).annotations,
    labels,
    ...podOptions(deployment, CONTROLLER_LABELS, [SCRIPTS_CHECKSUM_ANNOTATION]),
  };
}

/** Whether the input has the CRDs, and whether they stay when the rest is removed. */
function crdPolicy(world: World): 'keep' | 'remove' | 'skip' {
  const crd = world.find('CustomResourceDefinition.apiextensions.k8s.io', 'rollouts.rollouts.kruise.io');
  if (crd === undefined) return 'skip';
  return crd.annotations['helm.sh/resource-policy'] === 'keep' ? 'keep' : 'remove';
}

/** The resources in a rule of the ClusterRole, by the permission that writes the rule. */
const PERMITTED = {
  ingresses: 'ingresses',
  gatewayApi: 'httproutes',
  istio: 'virtualservices',
  kruiseWorkloads: 'clonesets',
  horizontalPodAutoscalers: 'horizontalpodautoscalers',
} as const;

function permissionsOf(world: World, upstream: boolean | undefined) {
  const role = world.find('ClusterRole.rbac.authorization.k8s.io', 'kruise-rollout-manager-role');
  const named = new Set(asList(role?.get('rules')).flatMap((rule) => asList(asObject(rule).resources).map(String)));
  const refused = Object.entries(PERMITTED).filter(([, resource]) => !named.has(resource));
  const permissions = { ...Object.fromEntries(refused.map(([name]) => [name, false])), ...(upstream && { upstream }) };
  return Object.keys(permissions).length === 0 ? undefined : permissions;
}

function networkPolicyOf(namespace: string, world: World) {
  const policy = world.find('NetworkPolicy.networking.k8s.io', CONTROLLER_NAME, namespace);
  if (policy === undefined) return undefined;
  const [toWebhooks, toMetrics] = asList(policy.get('spec.ingress')).map(asObject);
  const [toServer] = asList(policy.get('spec.egress')).map(asObject);
  const cidrs = asList(toWebhooks?.from).flatMap((peer) => textOf(asObject(asObject(peer).ipBlock).cidr) ?? []);
  return compact({
    apiServerCidrs: cidrs.length === 0 ? undefined : cidrs,
    apiServerPorts: asList(toServer?.ports).flatMap((port) => asObject(port).port ?? []),
    metricsFrom: toMetrics?.from,
  });
}

/** What the webhook for all workloads asks of labels, without its own condition. */
function objectSelectorOf(world: World): Json[] | undefined {
  const found = world.find('MutatingWebhookConfiguration.admissionregistration.k8s.io', MUTATING_WEBHOOKS_NAME);
  const unified = asObject(asList(found?.get('webhooks'))[0]);
  const asked = asList(asObject(unified.objectSelector).matchExpressions);
  const rest = asked.filter((one) => asObject(one).key !== WORKLOAD_TYPE_LABEL);
  return rest.length === 0 ? undefined : rest;
}
