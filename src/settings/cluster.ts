import { API_GROUP as ARGO_GROUP, API_KINDS as ARGO_KINDS } from '../argo/api/names';
import { controllersOf as argoControllersOf } from '../argo/rules/install';
import { ArgoRolloutsVersion } from '../argo/version';
import type { Finding } from '../core/finding';
import { tagOf } from '../core/image-tag';
import { compact } from '../core/json';
import type { Manifest } from '../core/manifest';
import type { Path } from '../core/path';
import { compareVersionNumbers, nearestVersion, parseVersionNumber } from '../core/version-number';
import type { World } from '../core/world';
import { LUA_CONFIG_MAP_NAME } from '../kruise/api/names';
import { type Controller, controllersOf, flagOf } from '../kruise/install/check/controllers';
import type { ClusterScripts } from '../kruise/scripts/sources';
import { KruiseRolloutVersion } from '../kruise/version';
import { AwsLoadBalancerControllerVersion } from '../routers/aws-alb/version';
import { refusedAnnotation } from '../routers/canary-ingress/nginx-annotations';
import { IngressNginxVersion } from '../routers/canary-ingress/nginx-version';
import { TraefikVersion } from '../routers/traefik/version';
import type { ClusterOptions } from './check-options';
import { versionRules } from './rules';
import {
  DEFAULT_KUBERNETES_VERSION,
  type RouterVersions,
  VERSION_NAMES,
  VERSION_TITLES,
  type VersionName,
  type Versions,
} from './versions';

/** The cluster that a stack is for: what users state, what installs in the stack say, and defaults for the rest. */
export interface Cluster
  extends Omit<ClusterOptions, keyof Versions | 'scripts'>,
    Required<Omit<Versions, 'istioVersion'>>,
    Pick<Versions, 'istioVersion'> {
  /** The scripts in the ConfigMap of the cluster, where a stack does not bring the ConfigMap itself. */
  readonly scripts?: ClusterScripts;
  /** One sentence for each version that the stack depends on, and that neither users nor installs state. */
  readonly assumptions: readonly string[];
  /** A warning for each install whose version this library does not know. */
  readonly findings: readonly Finding[];
}

/**
 * The cluster that a stack is for. What users state wins over the installs in the stack, and these over the defaults.
 *
 * @example clusterOf(world, { istioVersion: '1.24' }).kruiseVersion
 */
export function clusterOf(world: World, stated: ClusterOptions = {}): Cluster {
  const installs = installsIn(world);
  const open = VERSION_NAMES.filter((name) => stated[name] === undefined);
  const read = open.flatMap((name) => readInstall(name, installs[name]) ?? []);
  const found: Versions = Object.fromEntries(read.map(({ name, version }) => [name, version]));
  const [kruise] = controllersOf(world);
  const controllerNamespace = stated.controllerNamespace ?? kruise?.namespace;
  const partitionPercentLimit = stated.partitionPercentLimit ?? (kruise && partitionPercentLimitOf(kruise));
  // A stack with the controller has its ConfigMap, too, or none.
  const scripts =
    stated.scripts?.flatMap(({ scripts: each }) => each) ?? (kruise === undefined ? 'unknown' : undefined);
  const assumed = open.filter((name) => found[name] === undefined && uses(world, name));
  return {
    ...DEFAULTS,
    ...found,
    ...Object.fromEntries(VERSION_NAMES.flatMap((name) => (open.includes(name) ? [] : [[name, stated[name]]]))),
    external: stated.external ?? [],
    ...(controllerNamespace === undefined ? {} : { controllerNamespace }),
    ...(partitionPercentLimit === undefined ? {} : { partitionPercentLimit }),
    ...(scripts === undefined ? {} : { scripts }),
    assumptions: [
      ...VERSION_NAMES.flatMap((name) => unknownPatch(name, stated[name])),
      ...assumed.map((name) => assumption(name, installs[name] !== undefined)),
    ],
    findings: [...read.flatMap(({ finding }) => finding ?? []), ...contradictions(stated, installs)],
  };
}

/**
 * The facts that the objects of a cluster tell: the versions of its installs, and how the Kruise Rollouts controller is set up.
 * @example clusterFactsIn(world).kruiseVersion
 */
export function clusterFactsIn(
  world: World,
): Versions & Pick<ClusterOptions, 'controllerNamespace' | 'partitionPercentLimit'> {
  const installs = installsIn(world);
  const versions = VERSION_NAMES.flatMap((name) => readInstall(name, installs[name]) ?? []);
  const [kruise] = controllersOf(world);
  return compact({
    ...(Object.fromEntries(versions.map(({ name, version }) => [name, version])) as Versions),
    controllerNamespace: kruise?.namespace,
    partitionPercentLimit: kruise && partitionPercentLimitOf(kruise),
  });
}

/** What checks and plays of Kruise Rollouts depend on besides the version. */
export function kruiseFactsOf({ controllerNamespace, partitionPercentLimit, scripts }: KruiseFacts): KruiseFacts {
  return compact({ controllerNamespace, partitionPercentLimit, scripts });
}

type KruiseFacts = Pick<Cluster, 'controllerNamespace' | 'partitionPercentLimit' | 'scripts'>;

/** Gateways that most stacks do not have: reports name their release only where somebody states it. */
const NAMED_IF_KNOWN: readonly VersionName[] = ['ingressNginxVersion', 'traefikVersion'];

/** The versions in words, for reports. */
export function describeVersions(cluster: Cluster): Readonly<Record<string, string>> {
  const isSaid = (name: VersionName) =>
    !NAMED_IF_KNOWN.includes(name) || cluster[name] !== (DEFAULTS as Versions)[name];
  return Object.fromEntries(
    VERSION_NAMES.filter(isSaid).map((name) => {
      const version = cluster[name];
      return [VERSION_TITLES[name], typeof version === 'object' ? version.version : (version ?? 'unknown')];
    }),
  );
}

const DEFAULTS = {
  kruiseVersion: KruiseRolloutVersion.LATEST,
  argoVersion: ArgoRolloutsVersion.LATEST,
  awsLoadBalancerControllerVersion: AwsLoadBalancerControllerVersion.LATEST,
  ingressNginxVersion: IngressNginxVersion.LATEST,
  traefikVersion: TraefikVersion.LATEST,
  kubernetesVersion: DEFAULT_KUBERNETES_VERSION,
} as const;

/** The image of a controller in the stack. */
interface Install {
  readonly manifest: Manifest;
  readonly path: Path;
  readonly image: unknown;
}

function installsIn(world: World): Partial<Record<VersionName, Install>> {
  const [kruise] = controllersOf(world);
  const [argo] = argoControllersOf({ world });
  const installs: Record<VersionName, Install | undefined> = {
    kruiseVersion: kruise && imageAt(kruise.manifest, kruise.containerPath),
    argoVersion: argo && imageAt(argo.manifest, argo.path),
    awsLoadBalancerControllerVersion: installOf(world, /(^|\/)aws-load-balancer-controller(:|@|$)/),
    ingressNginxVersion: installOf(
      world,
      /(^|\/)(ingress-nginx\/controller|nginx-ingress-controller)(-chroot)?(:|@|$)/,
    ),
    traefikVersion: installOf(world, /(^|\/)traefik(:|@|$)/),
    istioVersion: installOf(world, /(^|\/)(pilot|istiod)(:|@|$)/),
    kubernetesVersion: undefined,
  };
  return Object.fromEntries(Object.entries(installs).filter(([, install]) => install !== undefined));
}

function imageAt(manifest: Manifest, container: Path): Install {
  const path = [...container, 'image'];
  return { manifest, path, image: manifest.get(path) };
}

function installOf(world: World, repository: RegExp): Install | undefined {
  const path: Path = ['spec', 'template', 'spec', 'containers'];
  for (const manifest of [...world.list('Deployment.apps'), ...world.list('DaemonSet.apps')]) {
    const containers = manifest.get(path);
    const images = Array.isArray(containers) ? containers.map((_, index) => imageAt(manifest, [...path, index])) : [];
    const install = images.find(({ image }) => typeof image === 'string' && repository.test(image));
    if (install !== undefined) return install;
  }
  return undefined;
}

/** The version of an install, and the warning if it is not known. */
interface ReadInstall {
  readonly name: VersionName;
  readonly version: Versions[VersionName];
  readonly finding?: Finding;
}

/** Controllers of load balancers: every release of them is known. */
const ROUTER_RELEASES: Readonly<Partial<Record<VersionName, { of(version: string): RouterRelease }>>> = {
  awsLoadBalancerControllerVersion: AwsLoadBalancerControllerVersion,
  ingressNginxVersion: IngressNginxVersion,
  traefikVersion: TraefikVersion,
};

type RouterRelease = Exclude<NonNullable<RouterVersions[keyof RouterVersions]>, string>;

/** Reads the tag of the image; undefined if it names no version. */
function readInstall(name: VersionName, install: Install | undefined): ReadInstall | undefined {
  const tag = install === undefined ? undefined : tagOf(install.image);
  const number = tag === undefined ? undefined : parseVersionNumber(tag);
  if (install === undefined || tag === undefined || number === undefined) return undefined;
  if (name === 'istioVersion') return { name, version: tag.replace(/^v/, '') };
  const ofRouter = ROUTER_RELEASES[name];
  if (ofRouter !== undefined) return { name, version: ofRouter.of(number.join('.')) };
  const all: readonly (KruiseRolloutVersion | ArgoRolloutsVersion)[] =
    name === 'kruiseVersion' ? KruiseRolloutVersion.ALL : ArgoRolloutsVersion.ALL;
  const nearest = nearestVersion(all, number);
  const isKnown = compareVersionNumbers(parseVersionNumber(nearest.version)!, number) === 0 && !PRE_RELEASE.test(tag);
  if (isKnown) return { name, version: nearest };
  const finding = install.manifest.finding(versionRules['controller-version-unknown'], {
    message: `${VERSION_TITLES[name]} ${tag} is not known: it is checked as ${nearest}`,
    path: install.path,
    fix: `update rollout-constructs, or state ${name}`,
  });
  return { name, version: nearest, finding };
}

/** A warning for each stated version that behaves differently from the install in the stack. */
function contradictions(stated: ClusterOptions, installs: Partial<Record<VersionName, Install>>): Finding[] {
  return VERSION_NAMES.flatMap((name) => {
    const install = installs[name];
    const version = stated[name];
    const installed = readInstall(name, install)?.version;
    if (install === undefined || version === undefined || installed === undefined) return [];
    if (behaviourOf(version) === behaviourOf(installed)) return [];
    const title = VERSION_TITLES[name];
    return [
      install.manifest.finding(versionRules['controller-version-contradicted'], {
        message: `the stack installs ${title} ${tagOf(install.image)}, but ${name} states ${version}: it is checked as ${version}`,
        path: install.path,
      }),
    ];
  });
}

/** Two versions with the same text behave the same. Of Istio only the minor version counts. */
function behaviourOf(version: NonNullable<Versions[VersionName]>): string {
  return typeof version === 'object' ? JSON.stringify(version.facts) : version.split('.').slice(0, 2).join('.');
}

/** A release candidate differs from the release; other suffixes name variants of the same code. */
const PRE_RELEASE = /-(alpha|beta|rc)/;

function partitionPercentLimitOf({ flags }: Controller): number | undefined {
  const value = flagOf(flags, 'partition-percent-limit')?.value ?? '';
  return /^\d{1,3}$/.test(value) ? Number(value) : undefined;
}

/** Whether the stack has objects whose checks depend on a version. */
function uses(world: World, name: VersionName): boolean {
  switch (name) {
    case 'kruiseVersion':
      return (
        world.manifests.some(({ groupKind }) => groupKind.endsWith('.rollouts.kruise.io')) ||
        world.list('ConfigMap').some((map) => map.name === LUA_CONFIG_MAP_NAME)
      );
    case 'argoVersion':
      return ARGO_KINDS.some((kind) => world.list(`${kind}.${ARGO_GROUP}`).length > 0);
    case 'awsLoadBalancerControllerVersion':
      return world
        .list('Ingress.networking.k8s.io')
        .some(({ annotations }) =>
          Object.keys(annotations).some((key) => key.startsWith('alb.ingress.kubernetes.io/')),
        );
    case 'ingressNginxVersion':
      return world.list('Ingress.networking.k8s.io').some((ingress) => refusedAnnotation(ingress) !== undefined);
    case 'traefikVersion':
      return world.list('IngressRoute.traefik.io').some(({ object }) => /Host\(['"`]\*/.test(JSON.stringify(object)));
    case 'istioVersion':
      return world.list('VirtualEnvironment.env.alibaba.com').length > 0;
    case 'kubernetesVersion':
      return false;
  }
}

/** A stated patch release that this library does not know. */
function unknownPatch(name: VersionName, version: Versions[VersionName]): string[] {
  if (!(version instanceof KruiseRolloutVersion || version instanceof ArgoRolloutsVersion)) return [];
  const all: readonly { readonly version: string }[] =
    version instanceof KruiseRolloutVersion ? KruiseRolloutVersion.ALL : ArgoRolloutsVersion.ALL;
  if (version === KruiseRolloutVersion.NEXT || all.some((known) => known.version === version.version)) return [];
  const nearest = nearestVersion(all, parseVersionNumber(version.version)!);
  return [`${VERSION_TITLES[name]} ${version} is not known: it is checked as ${nearest}`];
}

function assumption(name: VersionName, isInstalled: boolean): string {
  const why = isInstalled ? 'the image of the install names no version' : 'no install in the stack';
  if (name === 'istioVersion') return `the version of Istio is not known (${why}; state istioVersion)`;
  return `assumed ${VERSION_TITLES[name]} ${DEFAULTS[name]} (${why}; state ${name})`;
}
