/** What is wrong with a release of Argo Rollouts beside the shares of single requests. */

import { type AlbFailure, type AlbFailureClass, type ArgoMoment, playArgoDeletion } from '../../argo/controller';
import { verifiesTargetGroups } from '../../argo/rules/install';
import type { Finding, Manifest, World } from '../../core';
import { asList, asObject, asText, partOf } from '../../core/json';
import { USE_ANNOTATION } from '../../routers/alb-annotations';
import { ask, type Backends } from '../answers';
import { pathAt, textOf } from '../places';
import { type RehearsalRuleId, rehearsalRules } from '../rules';
import type { Run, SeenMoment } from '../run';
import { answerText, percent, whenOf } from '../words';
import type { PlayedArgo } from './play';
import type { ArgoSubject } from './subject';
import { verificationFindings } from './verification';

/** A Rollout of Argo after its run. */
export interface ArgoRun {
  readonly run: Run;
  readonly subject: ArgoSubject;
  readonly play: PlayedArgo;
  /** Everything, where the controller's own Deployment may be. */
  readonly world: World;
}

/** All findings that are about the release as a whole. */
export function argoFindings(argo: ArgoRun): Finding[] {
  const { subject, world, play } = argo;
  if (subject.otherRouter !== undefined) return [otherRouterFinding(subject, subject.otherRouter)];
  // What the controller never wrote is missing for users too: one cause, one finding.
  const broken = play.error === undefined ? unreachable(argo) : [];
  return [
    ...(play.error === undefined ? [] : [stopFinding(subject, play.error, argo.run)]),
    ...broken,
    ...(broken.length > 0 || play.error !== undefined ? [] : notReached(argo)),
    ...unmanaged(argo),
    ...newTargets(argo),
    ...(verifies(world) ? verificationFindings(argo.run, subject) : []),
    ...weightsStay(argo),
  ];
}

const known = new WeakMap<World, boolean>();

/** Asked once for all Rollouts of a World. */
function verifies(world: World): boolean {
  const before = known.get(world);
  if (before !== undefined) return before;
  const answer = verifiesTargetGroups(world);
  known.set(world, answer);
  return answer;
}

function otherRouterFinding({ manifest, route }: ArgoSubject, router: string): Finding {
  return manifest.finding(rehearsalRules['rehearsal-incomplete'], {
    message: `not rehearsed: trafficRouting.${router} is not among the traffic routers of Argo Rollouts that are played`,
    path: [...route.path, router],
    because: 'of the traffic routers of Argo Rollouts only alb is played',
    fix: 'nothing; the checks of the Rollout itself are made all the same',
  });
}

const STOPS: Readonly<Record<AlbFailureClass, RehearsalRuleId>> = {
  panic: 'rehearsal-controller-panics',
  'not-found': 'rehearsal-incomplete',
  'service-not-in-rules': 'rehearsal-controller-stuck',
  stickiness: 'rehearsal-controller-stuck',
  bookkeeping: 'rehearsal-controller-stuck',
};

function stopFinding(
  { manifest, namespace, rollout }: ArgoSubject,
  { class: kind, message, ingress, path, step }: AlbFailure & { readonly step: number },
  { seen }: Run,
): Finding {
  const rule = rehearsalRules[STOPS[kind]];
  const object = seen[0]!.moment.world.find('Ingress.networking.k8s.io', ingress, namespace);
  const at = seen.length === 1 ? 'before the release' : `at steps[${step}]`;
  const place = path === undefined ? '' : ` (${path})`;
  const source = object?.sourceOf(path ?? []);
  return manifest.finding(rule, {
    message:
      kind === 'not-found'
        ? `the rehearsal ends ${at}: Ingress "${ingress}" is not in these manifests`
        : `${at} the controller fails on Ingress "${ingress}"${place}: ${message}`,
    path: rollout.steps[step]?.path ?? rollout.strategy.path,
    ...(seen.length === 1 ? {} : { step }),
    ...(kind === 'not-found'
      ? {}
      : { because: 'Argo tries again for ever, and neither weights nor routes of this Rollout change any more' }),
    ...(object === undefined
      ? {}
      : { related: { message: 'it is about this', object: object.ref, ...(source === undefined ? {} : { source }) } }),
  });
}

/** Ingresses of the Rollout whose users get an error although no release goes on. */
function unreachable({ run, subject }: ArgoRun): Finding[] {
  const { moment, table } = run.seen[0]!;
  const found = new Map<Manifest, Finding>();
  for (const { router, name, listeners, members, candidatesOf } of table.values()) {
    for (const listener of listeners) {
      for (const manifest of members.filter((member) => !found.has(member) && leadsTo(member, subject))) {
        const backends = backendsOf(run, run.seen[0]!);
        for (const { host, paths, extras } of candidatesOf(manifest)) {
          const request = { host, path: paths[0] ?? '/', ...extras };
          const outcome = ask(listener, request, backends);
          const { rule, shares, answer } = outcome;
          if (rule === undefined || outcome.manifest !== manifest || shares.failed < 1) continue;
          const service = manifest.get(`${rule.path}.backend.service.name`);
          if (typeof service !== 'string' || !subject.ownServices.includes(service)) continue;
          const entry = { router, name, port: listener.port, protocol: listener.protocol };
          const text = textOf({ ...run, entries: [entry] }, { class: 'no-match', label: 'any', request, entry: 0 });
          found.set(
            manifest,
            run.rollout.manifest.finding(rehearsalRules['rehearsal-requests-fail'], {
              message: `${whenOf(moment)} all requests for Ingress "${manifest.name}" get an error: ${answerText(answer)}`,
              path: pathAt(run, undefined),
              request: text,
              because: 'users get this as soon as the manifests are applied, and for as long as they are',
              fix: unreachableFix(subject, manifest, rule.path, service),
              related: {
                message: `${rule.description} of ${router} "${name}" takes the request`,
                object: manifest.ref,
                ...(rule.source === undefined ? {} : { source: rule.source }),
              },
            }),
          );
          break;
        }
      }
    }
  }
  return [...found.values()];
}

/** Whether an Ingress has a path of the Rollout, so that neighbours in a group are not all asked. */
function leadsTo(ingress: Manifest, { namespace, ownServices }: ArgoSubject): boolean {
  if (ingress.namespace !== undefined && ingress.namespace !== namespace) return false;
  return asList(ingress.get('spec.rules')).some((rule) =>
    asList(partOf(asObject(rule), 'http')?.paths).some((path) => {
      const service = partOf(partOf(asObject(path), 'backend'), 'service');
      return ownServices.includes(asText(service?.name));
    }),
  );
}

function unreachableFix(subject: ArgoSubject, manifest: Manifest, path: string, service: string): string {
  const isAction = manifest.get(`${path}.backend.service.port.name`) === USE_ANNOTATION;
  if (subject.style === 'argo-blue-green' && isAction) {
    return `give the backend "${service}" the port of that Service; blue-green writes no action`;
  }
  if (subject.otherPrefix !== undefined && isAction) {
    return `remove annotationPrefix: Argo writes the action with ${subject.otherPrefix}, and the load balancer controller reads alb.ingress.kubernetes.io only`;
  }
  if (isAction && subject.style === 'argo-canary' && !subject.ingresses.includes(manifest.name)) {
    return 'name the Ingress in trafficRouting.alb.ingresses';
  }
  return 'correct what the message names';
}

function notReached({ run, subject }: ArgoRun): Finding[] {
  const isFrozen = [...run.seen[0]!.table.values()].some(({ frozen }) => frozen !== undefined);
  if (run.entries.length > 0 || isFrozen) return [];
  const names = subject.ownServices.map((name) => `"${name}"`).join(', ');
  return [
    subject.manifest.finding(rehearsalRules['rehearsal-incomplete'], {
      message: `no load balancer of AWS in these manifests sends requests to ${names}, so only the controller was rehearsed`,
      path: subject.route.path,
      absent: ['Service', 'Ingress'].map((kind) => ({ kind, namespace: subject.route.namespace })),
    }),
  ];
}

/** Ingresses that lead to the stable Service and that Argo does not write. */
function unmanaged({ run, subject }: ArgoRun): Finding[] {
  if (subject.style !== 'argo-canary') return [];
  const seen = run.seen[0]!;
  const found = new Map<Manifest, Finding>();
  for (const [index, { manifest, answer, rule }] of seen.cells.entries()) {
    if (manifest === undefined || subject.ingresses.includes(manifest.name) || found.has(manifest)) continue;
    if (answer.kind !== 'services') continue;
    const stable = `${subject.namespace}/${subject.route.service}`;
    if (!answer.destinations.some(({ name, share }) => share > 0 && name === stable)) continue;
    found.set(
      manifest,
      subject.manifest.finding(rehearsalRules['rehearsal-ingress-unmanaged'], {
        message: `Ingress "${manifest.name}" leads to Service "${subject.route.service}", and the Rollout does not name it`,
        path: [...subject.route.path, 'alb'],
        request: textOf(run, run.requests[index]!),
        ...(rule?.source === undefined
          ? {}
          : { related: { message: 'the Ingress stands here', object: manifest.ref, source: rule.source } }),
      }),
    );
  }
  return [...found.values()];
}

/** A Service that begins to select other pods: its target group follows some seconds later. */
function newTargets({ run, subject }: ArgoRun): Finding[] {
  const { seen, rollout } = run;
  if (run.entries.length === 0) return [];
  const isBlueGreen = subject.style === 'argo-blue-green';
  const at = isBlueGreen
    ? seen.find(({ moment }) => moment.phase === 'finish')
    : seen.find(({ moment, cells }) => moment.phase === 'step' && cells.some(({ shares }) => shares.canary > 0));
  if (at === undefined || subject.isPingPong) return [];
  const service = isBlueGreen ? subject.route.service : subject.route.canaryService;
  const { step } = at.moment;
  return [
    rollout.manifest.finding(rehearsalRules['rehearsal-target-group-empty'], {
      message: `the target group of Service ${service} changes to new pods ${whenOf(at.moment)}, when it has requests to answer`,
      path: pathAt(run, step),
      ...(step === undefined ? {} : { step }),
      because:
        'Argo moves the selector of the Service and the load balancer registers the pods some seconds later, so its share probably gets errors until then (inferred from the order in which both work)',
      fix: isBlueGreen
        ? 'turn on pod readiness gates, and verification with the flag --aws-verify-target-group'
        : 'use ping-pong Services with pod readiness gates, or begin with a small weight',
    }),
  ];
}

/** What deleting the Rollout in the middle of its release leaves behind. */
function weightsStay({ run, subject, play }: ArgoRun): Finding[] {
  if (subject.style !== 'argo-canary' || run.entries.length === 0) return [];
  const moment = play.moments.find(({ phase, restShare = 0 }) => phase === 'step' && restShare > 0 && restShare < 1);
  if (moment === undefined) return [];
  const { givenUp } = playArgoDeletion(moment as ArgoMoment, subject.manifest);
  const [first] = givenUp;
  if (first === undefined) return [];
  const share = percent(moment.restShare ?? 0);
  return [
    subject.manifest.finding(rehearsalRules['rehearsal-weights-stay'], {
      message: `deleted ${whenOf(moment)}, the Rollout leaves ${share} of the requests of Ingress "${first.ingress}" with the canary: ${first.message}`,
      path: pathAt(run, moment.step),
      ...(moment.step === undefined ? {} : { step: moment.step }),
    }),
  ];
}

function backendsOf({ route, argo }: Run, { moment }: SeenMoment): Backends {
  return {
    world: moment.world,
    pods: moment.pods,
    revisionLabel: 'rollouts-pod-template-hash',
    route: { ...route, otherServices: argo?.ownServices ?? [] },
    known: new Map(),
  };
}
