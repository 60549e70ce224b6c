/** Answers all questions about a cluster, and checks its declared objects like any stack. */
import { ARGO_ROLLOUT } from '../argo/admission/findings';
import { argo } from '../argo/release';
import { controllersOf as argoControllersOf } from '../argo/rules/install';
import { checkStack, type StackCheckOptions, type StackResult } from '../check';
import { type Finding, groupOf, type Manifest } from '../core';
import type { Checkup, CheckupItem, CheckupSection } from '../core/checkup';
import { kruise } from '../kruise/release';
import { rolloutsOf, trafficRoutingsOf } from '../kruise/subject';
import { VIRTUAL_ENVIRONMENT } from '../ktenv/controller';
import { webhookDeploymentsIn } from '../ktenv/rules/installed';
import { allRouters } from '../rehearsal';
import { type AllReleaseOptions, controllers } from '../rehearsal/controllers';
import type { ReleaseController } from '../release';
import { clusterOf } from '../settings/cluster';
import { routerVersionsOf, type Versions } from '../settings/versions';
import { argoInstallItems } from './argo/install';
import { type ArgoContext, argoSection } from './argo/rollout';
import type { LiveCluster } from './cluster';
import { declaredOf } from './declared';
import { externalOf } from './external';
import { groupKindOfRead, READ_KINDS } from './kinds';
import { type KruiseContext, kruiseContext } from './kruise/context';
import { installItems } from './kruise/install';
import { rolloutSection, trafficRoutingSection } from './kruise/rollout';
import { environmentSection } from './ktenv/environment';
import { ktenvInstallItems } from './ktenv/install';
import { Question } from './question';
import { releaseSection } from './release';

/** The options of `examine`. */
export interface ExamineOptions
  extends Versions,
    Pick<StackCheckOptions, 'controllerNamespace' | 'routers' | 'scriptStore'> {
  /**
   * The only Rollout, TrafficRouting or VirtualEnvironment to examine.
   * @default - all
   */
  readonly only?: { readonly namespace: string; readonly name: string };
  /**
   * The rollout controllers.
   * @default - all that this library knows
   */
  readonly controllers?: readonly ReleaseController<AllReleaseOptions>[];
  /**
   * What `check` says of the declared objects, where it is known from before.
   * @default - they are checked
   */
  readonly stack?: StackResult;
}

/** The result of `examine`. */
export interface Examined {
  readonly checkup: Checkup;
  /** The findings about the declared objects, as from `check`. */
  readonly stack: StackResult;
}

/**
 * Answers question by question what works in a cluster and what does not. Never throws. The same objects always give the
 * same answers.
 *
 * @example examine(new LiveCluster({ from: 'dump.yaml', manifests })).checkup.sections
 */
export function examine(cluster: LiveCluster, options: ExamineOptions = {}): Examined {
  const { controllerNamespace, only, stack: known, ...stated } = options;
  // Installs are searched in the whole cluster, because the declared objects exclude what controllers created.
  const { kruiseVersion: version, ...versions } = clusterOf(cluster.world, stated);
  const used = options.controllers ?? controllers;
  const isMeant = (manifest: Manifest) =>
    only === undefined || (manifest.name === only.name && cluster.world.namespaceOf(manifest) === only.namespace);
  const declared = declaredOf(cluster.world, version);
  const others = used.filter((controller) => !WITH_OWN_QUESTIONS.includes(controller));
  const routers = stated.routers ?? allRouters(routerVersionsOf(versions));
  const context = kruiseContext(cluster, declared, {
    version,
    routers,
    ...(controllerNamespace === undefined ? {} : { controllerNamespace }),
  });
  const checked = () =>
    checkStack(declared.world, {
      ...stated,
      controllerNamespace: context.namespace,
      external: externalOf(cluster),
      // A Rollout cannot be rehearsed without its Services.
      rehearsal: {
        only: (one) => isMeant(one) && cluster.unread('Service', cluster.world.namespaceOf(one)) === undefined,
      },
    });
  const stack = known ?? checked();
  // A question about one object gets no answers about the installs of other systems.
  const asked = (sections: CheckupSection[]) =>
    only === undefined || sections.some(({ object }) => object !== undefined) ? sections : [];
  const sections = [
    ...asked(kruiseSections(context, isMeant, stack.findings)),
    ...asked(argoSections({ ...context, argoVersion: versions.argoVersion }, isMeant, stack.findings)),
    ...others.flatMap((controller) => releaseSections(controller, context, isMeant)),
    ...asked(ktenvSections(cluster, isMeant)),
  ];
  const isAsked = only === undefined ? () => true : isAbout(context, used, isMeant);
  const findings = stack.findings.filter((finding) => isAsked(finding) && !isGuess(finding, cluster));
  return {
    checkup: { from: cluster.from, sections: [...sections, ...unreadSection(cluster)] },
    stack: { ...stack, findings },
  };
}

/** Whether the object that a finding reports as missing may exist, because its kind was not read. */
function isGuess({ absent = [] }: Finding, cluster: LiveCluster): boolean {
  return absent.some(({ apiVersion, kind, namespace }) =>
    READ_KINDS.some(
      (read) =>
        read.kind === kind &&
        (apiVersion === undefined || groupOf(apiVersion) === read.group) &&
        cluster.serves(groupKindOfRead(read)) !== false &&
        cluster.unread(groupKindOfRead(read), namespace) !== undefined,
    ),
  );
}

/** Skips systems that are not installed. */
function kruiseSections(
  context: KruiseContext,
  isMeant: (manifest: Manifest) => boolean,
  findings: readonly Finding[],
): CheckupSection[] {
  const { cluster, controllers, version } = context;
  const rollouts = rolloutsOf(cluster.world, version);
  const routings = trafficRoutingsOf(cluster.world);
  if (rollouts.length + routings.length + controllers.length === 0 && context.configMap === undefined) return [];
  const routes = [...rollouts.flatMap(({ route }) => route ?? []), ...routings];
  return [
    { title: 'Kruise Rollouts', items: installItems(context, routes) },
    ...rollouts.filter(({ manifest }) => isMeant(manifest)).map((one) => rolloutSection(one, context, findings)),
    ...routings.filter(({ manifest }) => isMeant(manifest)).map((one) => trafficRoutingSection(one, context)),
  ];
}

function argoSections(
  context: KruiseContext & ArgoContext,
  isMeant: (manifest: Manifest) => boolean,
  findings: readonly Finding[],
): CheckupSection[] {
  const { cluster } = context;
  const rollouts = cluster.world.list(ARGO_ROLLOUT);
  if (rollouts.length + argoControllersOf(cluster).length === 0) return [];
  return [
    { title: 'Argo Rollouts', items: argoInstallItems(cluster) },
    ...rollouts.filter(isMeant).map((manifest) => argoSection(manifest, context, findings)),
  ];
}

/** The controllers whose sections have their own questions. */
const WITH_OWN_QUESTIONS: readonly ReleaseController[] = [kruise, argo];

function releaseSections(
  { releasesOf }: ReleaseController<AllReleaseOptions>,
  context: KruiseContext,
  isMeant: (manifest: Manifest) => boolean,
): CheckupSection[] {
  const releases = releasesOf(context.cluster.world, {}).filter(({ manifest }) => isMeant(manifest));
  return releases.map((release) => releaseSection(release, context));
}

function ktenvSections(cluster: LiveCluster, isMeant: (manifest: Manifest) => boolean): CheckupSection[] {
  const environments = cluster.world.list(VIRTUAL_ENVIRONMENT);
  if (environments.length + webhookDeploymentsIn(cluster.world).length === 0) return [];
  // The operator keeps only one VirtualEnvironment per namespace.
  const namespaces = new Set<string>();
  const kept = environments.filter((one) => {
    const namespace = cluster.world.namespaceOf(one);
    return namespaces.has(namespace) ? false : namespaces.add(namespace);
  });
  return [
    { title: 'KtEnv', items: ktenvInstallItems(cluster) },
    ...kept.filter(isMeant).map((one) => environmentSection(one, cluster)),
  ];
}

/** The kinds that the user may not read, in one section. */
function unreadSection({ unreadKinds }: LiveCluster): CheckupSection[] {
  if (unreadKinds.length === 0) return [];
  const items = unreadKinds.map((unread): CheckupItem => {
    const { groupKind, namespace } = unread;
    const where = namespace === undefined ? '' : ` in ${namespace}`;
    return new Question('read', `could ${groupKind}${where} be read?`, [groupKind]).unknown(unread);
  });
  return [{ title: 'What could not be read', items }];
}

/** Selects findings about one Rollout, or about an object that it names. */
function isAbout(
  context: KruiseContext,
  used: readonly ReleaseController<AllReleaseOptions>[],
  isMeant: (manifest: Manifest) => boolean,
) {
  const { cluster, declaredScopes, version: kruiseVersion } = context;
  const releases = used
    .flatMap((controller) => controller.releasesOf(cluster.world, { kruiseVersion }))
    .filter(({ manifest }) => isMeant(manifest));
  const scopes = releases.flatMap(({ traffic }) => (traffic === undefined ? [] : [declaredScopes.of(traffic)]));
  const own = [...releases.map(({ manifest }) => manifest), ...cluster.world.list(VIRTUAL_ENVIRONMENT).filter(isMeant)];
  return ({ object }: Finding): boolean => {
    if (object === undefined) return false;
    const isOwn = own.some(
      (one) => one.kind === object.kind && one.name === object.name && one.namespace === object.namespace,
    );
    return isOwn || scopes.some((scope) => scope.get(object) !== undefined);
  };
}
