/** An install of Argo Rollouts, all of its objects. */
import { argoInstall } from '../../../argo/install';
import { CONFIG_CHECKSUM_ANNOTATION } from '../../../argo/install/config';
import {
  CONFIG_NAME,
  CONTROLLER_LABELS,
  CONTROLLER_NAME,
  DASHBOARD_NAME,
  METRICS_NAME,
  NOTIFICATION_CONFIG_NAME,
  NOTIFICATION_SECRET_NAME,
  SELECTOR_LABELS,
} from '../../../argo/install/names';
import type { ArgoTrafficRouter } from '../../../argo/install/options';
import { routerRules, TRAFFIC_ROUTERS, upstreamRouterRules } from '../../../argo/install/router-rules';
import { ArgoRolloutsVersion } from '../../../argo/version';
import { asList, asObject, compact, type Json, type JsonObject, sameJson, textOf } from '../../../core/json';
import type { Manifest } from '../../../core/manifest';
import type { World } from '../../../core/world';
import { call, value } from '../../code';
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
export function recogniseArgoInstall(manifest: Manifest, { world }: Context): Recognised | undefined {
  if (manifest.groupKind !== 'Deployment.apps' || manifest.name !== CONTROLLER_NAME) return undefined;
  const { namespace } = manifest;
  if (namespace === undefined) return { refusal: noNamespace('an ArgoRolloutsInstall') };
  const write: Write = (options) => argoInstall(options as never);
  const options = withFurtherRules(bestReading(readingsOf(manifest, namespace, world), write, world), namespace, world);
  const { version, ...rest } = options;
  return [
    {
      ...statementFor(
        manifest,
        'ArgoRolloutsInstall',
        propsOf(rest, {
          version: version === undefined ? undefined : call('ArgoRolloutsVersion.of', value(String(version).slice(1))),
        }),
      ),
      writes: [manifest, ...inputOf(write(options), world).filter((one) => one !== manifest)],
    },
  ];
}

/** What the objects can mean: the image names the release, unless it is one of the user's own. */
function readingsOf(deployment: Manifest, namespace: string, world: World): readonly ReadOptions[] {
  const container = asObject(asList(deployment.get('spec.template.spec.containers'))[0]);
  const image = imageOf(container.image);
  const known = ArgoRolloutsVersion.find(image.tag ?? '');
  const versions = known === undefined ? [...ArgoRolloutsVersion.ALL].reverse() : [known];
  const process = processOptions(deployment, container);
  const options = { ...process, ...objectOptions(deployment, namespace, world) };
  return versions.flatMap((version) =>
    permissionsOf(process, namespace, world).map((permissions) => ({
      ...options,
      ...permissions,
      version,
      image: withoutTag(image, String(version)),
      dashboard: dashboardOf(namespace, String(version), world),
    })),
  );
}

/** The registry is the part before the first slash. */
function imageOf(name: Json | undefined) {
  const { repository, ...rest } = imageParts(textOf(name) ?? '');
  const slash = repository.indexOf('/');
  return { registry: repository.slice(0, slash), repository: repository.slice(slash + 1), ...rest };
}

function withoutTag(image: ReturnType<typeof imageOf>, tag: string): JsonObject {
  return compact({ ...image, tag: image.tag === tag ? undefined : image.tag }) as JsonObject;
}

function processOptions(deployment: Manifest, container: JsonObject) {
  const flags = new Flags(container.args);
  flags.take('--leader-elect=true');
  // The Service of the metrics has the port; the name of its flag depends on the release.
  for (const name of ['healthzPort', 'metricsport', 'metricsPort']) flags.text(name);
  const region = asList(container.env)
    .map(asObject)
    .find((variable) => variable.name === 'AWS_REGION')?.value;
  const aws = compact({
    verifyTargetGroup: flags.has('aws-verify-target-group') || undefined,
    region,
    targetGroupBindingApiVersion: flags.text('aws-target-group-binding-api-version'),
    resourceIdTagKey: flags.text('alb-tag-key-resource-id'),
  });
  const selfService = flags.has('self-service-notification-enabled') || undefined;
  const spec = asObject(deployment.get('spec.template.spec'));
  const own = ['plugin-bin', 'tmp'];
  return {
    namespaced: flags.has('namespaced'),
    instanceId: flags.text('instance-id'),
    logLevel: flags.text('loglevel'),
    logFormat: flags.text('logformat'),
    kubernetesLogLevel: flags.number('kloglevel'),
    albIngressClasses: flags.texts('alb-ingress-classes'),
    nginxIngressClasses: flags.texts('nginx-ingress-classes'),
    aws,
    notifications: selfService && { selfService },
    extraArgs: flags.rest,
    extraEnv: extraEnv(container.env, ['AWS_REGION']),
    imagePullPolicy: container.imagePullPolicy,
    resources: container.resources,
    healthPort: portNamed(container.ports, 'healthz'),
    initContainers: spec.initContainers,
    extraVolumes: asList(spec.volumes).filter((volume) => !own.includes(textOf(asObject(volume).name) ?? '')),
    extraVolumeMounts: asList(container.volumeMounts).filter(
      (mount) => !own.includes(textOf(asObject(mount).name) ?? ''),
    ),
  };
}

function objectOptions(deployment: Manifest, namespace: string, world: World) {
  const created = world.find('Namespace', namespace);
  const { labels: namespaceLabels, annotations: namespaceAnnotations } = asObject(created?.object.metadata);
  const name = textOf(deployment.get('spec.template.spec.serviceAccountName')) ?? CONTROLLER_NAME;
  const account = world.find('ServiceAccount', name, namespace);
  const isOwn = name === CONTROLLER_NAME && account !== undefined;
  const labels = without(commonLabels(deployment), Object.keys(CONTROLLER_LABELS));
  return {
    namespace,
    createNamespace: created !== undefined,
    namespaceLabels: without(namespaceLabels, [...Object.keys(SELECTOR_LABELS), ...Object.keys(labels ?? {})]),
    namespaceAnnotations,
    crds: crdPolicy(world),
    replicas: deployment.get('spec.replicas'),
    serviceAccountName: isOwn ? undefined : name,
    serviceAccountAnnotations: isOwn ? asObject(account.object.metadata).annotations : undefined,
    metrics: metricsOf(namespace, world),
    podDisruptionBudget: budgetOf(CONTROLLER_NAME, namespace, world),
    plugins: pluginsOf(namespace, world),
    labels,
    ...notificationsOf(deployment, namespace, world),
    ...podOptions(deployment, CONTROLLER_LABELS, [CONFIG_CHECKSUM_ANNOTATION]),
  };
}

/** Whether the input has the CRDs, and whether they stay when the rest is removed. */
function crdPolicy(world: World): 'keep' | 'remove' | 'skip' {
  const crd = world.find('CustomResourceDefinition.apiextensions.k8s.io', 'rollouts.argoproj.io');
  if (crd === undefined) return 'skip';
  return crd.annotations['helm.sh/resource-policy'] === 'keep' ? 'keep' : 'remove';
}

function metricsOf(namespace: string, world: World): JsonObject | false {
  const service = world.find('Service', METRICS_NAME, namespace);
  if (service === undefined) return false;
  const { port } = asObject(asList(service.get('spec.ports'))[0]);
  return compact({
    port,
    serviceAnnotations: asObject(service.object.metadata).annotations,
    serviceMonitor: monitorOf(CONTROLLER_NAME, namespace, world),
  }) as JsonObject;
}

/** The lists of plugins, which the ConfigMap holds as JSON. */
function pluginsOf(namespace: string, world: World): JsonObject | undefined {
  const data = asObject(world.find('ConfigMap', CONFIG_NAME, namespace)?.get('data'));
  const lists = {
    metricProviders: pluginList(data.metricProviderPlugins),
    steps: pluginList(data.stepPlugins),
    trafficRouters: pluginList(data.trafficRouterPlugins),
  };
  return Object.values(lists).every((list) => list === undefined) ? undefined : (compact(lists) as JsonObject);
}

function pluginList(text: Json | undefined): Json[] | undefined {
  try {
    const list = JSON.parse(textOf(text) ?? '') as Json;
    return asList(list).map((plugin) => {
      const { headersFrom, ...rest } = asObject(plugin);
      const secrets = asList(headersFrom).flatMap((one) => textOf(asObject(asObject(one).secretRef).name) ?? []);
      return { ...rest, ...(headersFrom !== undefined && { headersFromSecrets: secrets }) };
    });
  } catch {
    return undefined;
  }
}

function notificationsOf(deployment: Manifest, namespace: string, world: World) {
  const config = world.find('ConfigMap', NOTIFICATION_CONFIG_NAME, namespace)?.get('data');
  const secret = world.find('Secret', NOTIFICATION_SECRET_NAME, namespace)?.get('stringData');
  const args = asList(asObject(asList(deployment.get('spec.template.spec.containers'))[0]).args);
  const selfService = args.includes('--self-service-notification-enabled') || undefined;
  const notifications = compact({ config, secret, selfService });
  return Object.keys(notifications).length === 0 ? {} : { notifications };
}

/** The rules of the controller in the namespaces of Rollouts. */
function workRulesOf(namespaced: boolean, namespace: string, world: World): readonly Json[] {
  const kind = namespaced ? 'Role' : 'ClusterRole';
  return asList(world.find(`${kind}.rbac.authorization.k8s.io`, CONTROLLER_NAME, namespace)?.get('rules'));
}

/** The ways in which the permissions may be written. */
function permissionsOf(
  { namespaced, aws }: ReturnType<typeof processOptions>,
  namespace: string,
  world: World,
): readonly ReadOptions[] {
  const granted = workRulesOf(namespaced, namespace, world);
  const role = world.find('ClusterRole.rbac.authorization.k8s.io', `${CONTROLLER_NAME}-aggregate-to-view`);
  const aggregateRoles = role !== undefined;
  const analysisJobs = granted.some((rule) => isFor(rule, 'jobs') && asList(asObject(rule).verbs).includes('create'));
  const analysisSecrets = granted.some((rule) => sameJson(asObject(rule).resources, ['secrets']));
  return [false, true].map((upstream) => {
    const rulesOf = upstream ? upstreamRouterRules : routerRules;
    const isGranted = (router: string) =>
      rulesOf({ trafficRouters: [router as ArgoTrafficRouter], aws: aws as never }).every((rule) =>
        granted.some((one) => sameJson(one, rule as never)),
      );
    const permissions = {
      ...(!analysisSecrets && !namespaced && { analysisSecrets }),
      ...(!analysisJobs && { analysisJobs }),
      ...(upstream && { upstream }),
    };
    return { aggregateRoles, trafficRouters: TRAFFIC_ROUTERS.filter(isGranted), permissions };
  });
}

function isFor(rule: Json, resource: string): boolean {
  return asList(asObject(rule).resources).includes(resource);
}

/** With the rules at the end of the role that the options do not explain. */
function withFurtherRules(options: ReadOptions, namespace: string, world: World): ReadOptions {
  const granted = workRulesOf(options.namespaced === true, namespace, world);
  const kind = options.namespaced === true ? 'Role' : 'ClusterRole';
  const role = argoInstall(options as never).find((one) => one.kind === kind && one.metadata.name === CONTROLLER_NAME);
  const written = asList(asObject(role).rules);
  const isLonger = granted.length > written.length && sameJson(granted.slice(0, written.length), [...written]);
  return isLonger ? { ...options, additionalRules: granted.slice(written.length) } : options;
}

function dashboardOf(namespace: string, tag: string, world: World): JsonObject | undefined {
  const deployment = world.find('Deployment.apps', DASHBOARD_NAME, namespace);
  if (deployment === undefined) return undefined;
  const { containers, nodeSelector, tolerations, affinity } = asObject(deployment.get('spec.template.spec'));
  const container = asObject(asList(containers)[0]);
  const service = world.find('Service', DASHBOARD_NAME, namespace);
  const roles = ['ClusterRole', 'Role'].flatMap(
    (kind) => world.find(`${kind}.rbac.authorization.k8s.io`, DASHBOARD_NAME, namespace) ?? [],
  );
  const mayWrite = roles.some((role) => asList(role.get('rules')).some((rule) => isFor(rule, 'rollouts/status')));
  const image = withoutTag(imageOf(container.image), tag);
  const isUsual = image.registry === 'quay.io' && image.repository === 'argoproj/kubectl-argo-rollouts';
  const replicas = deployment.get('spec.replicas');
  return compact({
    readOnly: mayWrite ? undefined : true,
    replicas: replicas === 1 ? undefined : replicas,
    image: isUsual && image.tag === undefined && image.digest === undefined ? undefined : image,
    rootPath: new Flags(container.args).text('root-path'),
    serviceAnnotations: asObject(service?.object.metadata).annotations,
    resources: container.resources,
    nodeSelector,
    tolerations,
    affinity,
  }) as JsonObject;
}
