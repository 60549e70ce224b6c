/**
 * Applications that differ in their names alone are rehearsed once. That is possible where an application has nothing to
 * do with others: its load balancer is one of AWS, on which each Ingress has its hosts for itself, and its script is the
 * one of this library, to which a name is nothing but a name. It is then rehearsed alone and with names that stand for
 * any; of what is found, only the names, the numbers of rules and the places in files are its own. All applications of a
 * load balancer have to be like that, and sound: where anything is wrong, all are rehearsed as they are.
 */
import { type Finding, type Manifest, World } from '../../core';
import { type RolloutScripts, selectedPods, selectorOf } from '../../kruise/controller';
import { type RolloutSubject, type RouteSubject, TRAFFIC_ROUTING } from '../../kruise/rules/subject';
import { packagedScripts } from '../../kruise/scripts/library';
import type { Router } from '../../routers';
import { isAliyun } from '../../routers/aliyun-alb';
import type { AlbOptions } from '../../routers/aws-alb';
import { type SeparateMember, separateMembers } from '../../routers/aws-alb/separate';
import type { PlayedMoment, Run } from '../run';
import type { Scopes } from '../scope';
import { type Application, applicationOf, objectsOf } from './application';
import { toldOf } from './tell';

/** A rehearsal of the only Rollout of a World. */
export interface Alone {
  readonly run: Run;
  readonly findings: readonly Finding[];
  readonly isStopped: boolean;
}

/** What is rehearsed, and how. */
export interface AlikeOptions {
  readonly world: World;
  readonly scopes: Scopes;
  readonly rollouts: readonly RolloutSubject[];
  readonly scripts: RolloutScripts;
  readonly routers: readonly Router[];
  readonly alb: AlbOptions;
  /** Rehearses all Rollouts of a World. */
  readonly rehearse: (world: World) => readonly Alone[];
}

/** What is found in an application with stand-ins. */
interface Found {
  readonly findings: readonly Finding[];
  readonly canaryOrder: number;
}

/** Kinds beside which an application has nothing to do with others. */
const KINDS = new Set(['Ingress.networking.k8s.io', 'IngressClass.networking.k8s.io', 'Service', 'Namespace']);
const INGRESS = 'Ingress.networking.k8s.io';

/** By what the rehearsal depends on; undefined where something is wrong. */
const known = new Map<string, Found | undefined>();
const MAX_KNOWN = 500;

/** What is found in the Rollouts that need no rehearsal of their own. */
export function alikeFindings(options: AlikeOptions): ReadonlyMap<Manifest, readonly Finding[]> {
  const { world, scopes, rollouts } = options;
  const found = new Map<Manifest, readonly Finding[]>();
  if (world.list(TRAFFIC_ROUTING).length > 0) return found;
  for (const [around, sharing] of byLoadBalancer(scopes, rollouts)) {
    for (const [rollout, findings] of toldOfAll(around, sharing, options) ?? []) found.set(rollout, findings);
  }
  return found;
}

interface Sharing {
  readonly rollout: RolloutSubject;
  readonly route: RouteSubject;
}

/** The Rollouts of each load balancer; those are left out that a Rollout uses in any other way. */
function byLoadBalancer(scopes: Scopes, rollouts: readonly RolloutSubject[]): ReadonlyMap<World, readonly Sharing[]> {
  const byWorld = new Map<World, Sharing[]>();
  const unusual = new Set<Manifest>();
  for (const rollout of rollouts) {
    const { route } = rollout;
    if (route === undefined) continue;
    const { named, world } = scopes.around(route);
    const sharing = world && byWorld.get(world);
    if (world === undefined) for (const manifest of named) unusual.add(manifest);
    else if (sharing === undefined) byWorld.set(world, [{ rollout, route }]);
    else sharing.push({ rollout, route });
  }
  if (unusual.size === 0) return byWorld;
  return new Map([...byWorld].filter(([world]) => !world.list(INGRESS).some((ingress) => unusual.has(ingress))));
}

function toldOfAll(
  around: World,
  sharing: readonly Sharing[],
  options: AlikeOptions,
): readonly (readonly [Manifest, readonly Finding[]])[] | undefined {
  const members = membersOf(around, options);
  if (members === undefined) return undefined;
  const byIngress = new Map(members.map((member) => [member.manifest, member]));
  const services = new Set<string>();
  const told: (readonly [Manifest, readonly Finding[]])[] = [];
  for (const { rollout, route } of sharing) {
    const ingress = options.world.find(INGRESS, route.ingress?.name ?? '', route.namespace);
    const member = ingress && byIngress.get(ingress);
    if (member === undefined || !isOurs(options.scripts, route.ingress!.classType)) return undefined;
    // Each Ingress and each Service has one Rollout.
    byIngress.delete(ingress!);
    const service = `${route.namespace}/${route.service}`;
    if (services.has(service)) return undefined;
    services.add(service);
    const application = applicationOf(options.world, rollout, member);
    const found = application && foundIn(application, around, options);
    if (found === undefined) return undefined;
    const place = { members, member, canaryOrder: found.canaryOrder };
    told.push([rollout.manifest, found.findings.map((finding) => toldOf(finding, application!, place))]);
  }
  return told;
}

/** The Ingresses of a load balancer, where none has to do with another. */
function membersOf(around: World, { routers, alb }: AlikeOptions): readonly SeparateMember[] | undefined {
  if (around.manifests.some(({ groupKind }) => !KINDS.has(groupKind)) || isAliyun(around)) return undefined;
  const members = separateMembers(around, alb);
  if (members === undefined) return undefined;
  const names = new Set(members.map(({ manifest }) => manifest.name));
  const hosts = members.flatMap((member) => [...member.hosts]);
  if (names.size < members.length || new Set(hosts).size < hosts.length) return undefined;
  // Whoever names a canary Service sends requests there as soon as there is one.
  if (members.some(({ manifest }) => JSON.stringify(manifest.object).includes('-canary'))) return undefined;
  const others = routers.filter(({ name }) => name !== 'aws-alb' && name !== 'aliyun-alb');
  const isServed = others.some((router) => router.routes(around).loadBalancers.some((one) => one.members.length > 0));
  return isServed ? undefined : members;
}

/** Whether the controller runs the script of this library, which looks into no name. */
function isOurs(scripts: RolloutScripts, classType: string): boolean {
  const script = scripts.ingress(classType);
  const { source } = packagedScripts().find({ provider: 'ingress', classType: 'aws-alb' }) ?? {};
  return script.ok && script.source === source;
}

function foundIn(application: Application, around: World, options: AlikeOptions): Found | undefined {
  const classes = around.list('IngressClass.networking.k8s.io');
  const { version, facts } = options.scripts.version;
  const key = JSON.stringify([version, facts, options.alb, classes.map(({ object }) => object)]) + application.text;
  if (known.has(key)) return known.get(key);
  const found = rehearsedAlone(application, classes, options);
  // Stacks that are edited and synthesised again would be kept for ever.
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, found);
  return found;
}

function rehearsedAlone(
  application: Application,
  classes: readonly Manifest[],
  { world, rehearse, alb }: AlikeOptions,
): Found | undefined {
  const { defaultNamespace } = world;
  const objects = objectsOf(application);
  const [rehearsed] = rehearse(World.of([...classes, ...objects], { defaultNamespace }));
  if (rehearsed === undefined || rehearsed.isStopped) return undefined;
  const { run, findings } = rehearsed;
  if (findings.some((finding) => finding.severity !== 'note' || isLong(finding))) return undefined;
  const [entry, ...others] = run.entries;
  if (entry?.router !== 'aws-alb' || others.length > 0) return undefined;
  const orders = new Set<number>();
  const hosts = separateMembers(run.seen[0]!.moment.world, alb)?.[0]?.hosts ?? NO_HOSTS;
  let latest: readonly Manifest[] | undefined;
  for (const { moment, table } of run.seen) {
    if (isMixed(run, moment)) return undefined;
    const [serving, second] = [...table.values()].filter(({ members }) => members.length > 0);
    if (serving === undefined || serving.frozen !== undefined || second !== undefined) return undefined;
    if (serving.members === latest) continue;
    latest = serving.members;
    const members = separateMembers(moment.world, alb);
    // What is written is for the hosts of the application, too.
    if (members?.every((member) => [...member.hosts].every((host) => hosts.has(host))) !== true) return undefined;
    for (const { manifest, order } of members) if (manifest.name.endsWith('-canary')) orders.add(order);
  }
  const [canaryOrder] = orders;
  return canaryOrder === undefined || orders.size > 1 ? undefined : { findings, canaryOrder };
}

/** Long texts are shortened where it depends on the names in them. */
function isLong({ message, related, request }: Finding): boolean {
  return [message, related?.message ?? '', request ?? ''].some((text) => text.length > LONG_TEXT);
}

const LONG_TEXT = 1000;
const NO_HOSTS: ReadonlySet<string> = new Set();

/** Whether requests are judged at a moment at which the number of pods decides which version they reach. */
function isMixed({ route }: Run, { world, pods, phase, isTakingBack }: PlayedMoment): boolean {
  // Which version is reached is then left open.
  if (phase === 'finish' || isTakingBack === true) return false;
  return [route.service, route.canaryService].some((name) => {
    const service = world.find('Service', name, route.namespace);
    // Whatever the revision label is called, one version at a time has it.
    const selected = service && selectedPods(selectorOf(service.object), pods, '');
    return selected !== undefined && selected.stable > 0 && selected.canary > 0;
  });
}
