/**
 * Which fields of a user's own objects the controller rewrites, so that a GitOps tool can be told to leave them alone.
 * Labels, annotations and objects that it only adds are in nobody's Git, and no tool takes them for drift.
 */
import type { ObjectRef } from '../core/finding';
import { groupKindOf, groupOf, type Manifest } from '../core/manifest';
import type { World } from '../core/world';
import { API_GROUP } from './api';
import { MUTATING_WEBHOOKS_NAME, VALIDATING_WEBHOOKS_NAME } from './install/names';
import { asList, asObject } from './json';
import { ROLLOUT, type RolloutSubject, type RouteSubject, readRollout } from './rules/subject';
import type { KruiseRolloutVersion } from './version';

/** Fields of one object that the controller rewrites. */
export interface RewrittenFields {
  readonly object: ObjectRef & { readonly apiVersion: string };
  /** JSON pointers, sorted: `/spec/paused`. */
  readonly pointers: readonly string[];
}

/** An entry of `spec.ignoreDifferences` of an Argo CD Application. */
export interface ArgoCdIgnoreDifferences {
  /** The API group of the object. */
  readonly group: string;
  /** The kind of the object. */
  readonly kind: string;
  /** Its namespace, where it has one. */
  readonly namespace?: string;
  /** The name of the object. */
  readonly name: string;
  /** The fields that the controller rewrites: `/spec/paused`. */
  readonly jsonPointers: readonly string[];
}

/** An entry of `spec.ignore` of a Flux Kustomization, and of `spec.driftDetection.ignore` of a HelmRelease. */
export interface FluxIgnoreRule {
  /** The fields that the controller rewrites: `/spec/paused`. */
  readonly paths: readonly string[];
  /** Regular expressions, each of which has to fit the whole value. */
  readonly target: {
    readonly group?: string;
    readonly kind: string;
    readonly namespace?: string;
    readonly name: string;
  };
}

/**
 * What a release rewrites in the objects that a Rollout names, and in the HorizontalPodAutoscaler of its workload.
 *
 * @example argoCdIgnoreDifferences(rewrittenByRollout(rollout, world, KruiseRolloutVersion.LATEST))
 */
export function rewrittenByRollout(rollout: Manifest, world: World, version: KruiseRolloutVersion): RewrittenFields[] {
  const subject = readRollout(rollout, world.namespaceOf(rollout), version);
  // A namespace that the manifest leaves open is left open here too.
  const at = rollout.namespace === undefined ? {} : { namespace: rollout.namespace };
  return [
    ...workloadFields(subject, at),
    ...autoscalerFields(subject, world),
    ...(subject.route === undefined || !subject.steps.some(({ routes }) => routes)
      ? []
      : routeFields(subject.route, subject, world, at)),
  ].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
}

/**
 * What the controller rewrites in the objects of its own install: the conversion webhook of the CRDs, and the
 * certificates of the webhook configurations.
 */
export function rewrittenByInstall(world: World): RewrittenFields[] {
  const crds = world
    .list('CustomResourceDefinition.apiextensions.k8s.io')
    .filter((crd) => crd.get('spec.group') === API_GROUP && crd.get('spec.conversion.strategy') === 'Webhook')
    .map((crd) => ({
      object: refOf(crd),
      pointers: [
        '/spec/conversion/webhook/clientConfig/caBundle',
        '/spec/conversion/webhook/clientConfig/service/port',
        '/spec/conversion/webhook/conversionReviewVersions',
      ],
    }));
  const configurations = (
    [
      ['MutatingWebhookConfiguration', MUTATING_WEBHOOKS_NAME],
      ['ValidatingWebhookConfiguration', VALIDATING_WEBHOOKS_NAME],
    ] as const
  ).flatMap(([kind, name]) => {
    const found = world.find(`${kind}.admissionregistration.k8s.io`, name);
    if (found === undefined) return [];
    const pointers = asList(found.get('webhooks')).map((_, index) => `/webhooks/${index}/clientConfig/caBundle`);
    return [{ object: refOf(found), pointers: ['/metadata/annotations/template', ...pointers] }];
  });
  return [...crds, ...configurations];
}

/**
 * What the controller rewrites in a whole World: for its install, and for each of the Rollouts that are asked about. An
 * object that two Rollouts rewrite comes once.
 */
export function rewrittenIn(
  world: World,
  version: KruiseRolloutVersion,
  isMeant: (manifest: Manifest) => boolean = () => true,
): RewrittenFields[] {
  const meant = world.list(ROLLOUT).filter(isMeant);
  const install = rewrittenByInstall(world).filter(({ object }) => isMeant(world.get(object)!));
  return merged([...install, ...meant.flatMap((rollout) => rewrittenByRollout(rollout, world, version))]);
}

function merged(fields: readonly RewrittenFields[]): RewrittenFields[] {
  const byObject = new Map<string, RewrittenFields>();
  for (const { object, pointers } of fields) {
    const key = JSON.stringify([groupKindOf(object.kind, object.apiVersion), object.namespace, object.name]);
    const all = new Set([...(byObject.get(key)?.pointers ?? []), ...pointers]);
    byObject.set(key, { object, pointers: [...all].sort() });
  }
  return [...byObject.values()];
}

/** For `spec.ignoreDifferences` of an Argo CD Application. */
export function argoCdIgnoreDifferences(fields: readonly RewrittenFields[]): ArgoCdIgnoreDifferences[] {
  return fields.map(({ object, pointers }) => ({
    group: groupOf(object.apiVersion),
    kind: object.kind,
    ...(object.namespace === undefined ? {} : { namespace: object.namespace }),
    name: object.name,
    jsonPointers: pointers,
  }));
}

/** For `spec.ignore` of a Flux Kustomization, or `spec.driftDetection.ignore` of a HelmRelease. */
export function fluxIgnoreRules(fields: readonly RewrittenFields[]): FluxIgnoreRule[] {
  return fields.map(({ object, pointers }) => {
    const group = groupOf(object.apiVersion);
    return {
      paths: pointers,
      target: {
        ...(group === '' ? {} : { group: literal(group) }),
        kind: object.kind,
        ...(object.namespace === undefined ? {} : { namespace: literal(object.namespace) }),
        name: literal(object.name),
      },
    };
  });
}

/** The pattern that fits this text only. */
function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function sortKey({ object }: RewrittenFields): string {
  return `${groupKindOf(object.kind, object.apiVersion)}\n${object.name}`;
}

function refOf(manifest: Manifest): RewrittenFields['object'] {
  return { ...manifest.ref, apiVersion: manifest.apiVersion };
}

interface Place {
  readonly namespace?: string;
}

function workloadFields({ workload, style }: RolloutSubject, at: Place): RewrittenFields[] {
  const pointers = workload === undefined ? undefined : pointersOfWorkload(workload.ref, style);
  if (workload === undefined || pointers === undefined) return [];
  return [{ object: { ...workload.ref, ...at }, pointers: [...pointers].sort() }];
}

/** A release of a Deployment pauses it; other kinds are held by their partition. */
function pointersOfWorkload(
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  style: RolloutSubject['style'],
): readonly string[] | undefined {
  const isKruise = groupOf(apiVersion) === 'apps.kruise.io';
  switch (kind) {
    case 'Deployment':
      return {
        canary: ['/spec/paused'],
        partition: ['/spec/paused', '/spec/strategy'],
        blueGreen: ['/spec/paused', '/spec/strategy', '/spec/minReadySeconds', '/spec/progressDeadlineSeconds'],
      }[style];
    case 'CloneSet':
      return [
        '/spec/updateStrategy/partition',
        '/spec/updateStrategy/paused',
        ...(style === 'blueGreen'
          ? ['/spec/updateStrategy/maxSurge', '/spec/updateStrategy/maxUnavailable', '/spec/minReadySeconds']
          : []),
      ];
    case 'StatefulSet':
    case 'DaemonSet':
      return [
        '/spec/updateStrategy/rollingUpdate/partition',
        ...(isKruise ? ['/spec/updateStrategy/rollingUpdate/paused'] : []),
      ];
    default:
      return undefined;
  }
}

/** Blue-green points the autoscaler of the workload at nothing while both versions run. */
function autoscalerFields({ style, workload, namespace }: RolloutSubject, world: World): RewrittenFields[] {
  if (style !== 'blueGreen' || workload === undefined) return [];
  return world
    .list('HorizontalPodAutoscaler.autoscaling', namespace)
    .filter((autoscaler) => {
      const { kind, name } = asObject(autoscaler.get('spec.scaleTargetRef'));
      return kind === workload.ref.kind && name === workload.ref.name;
    })
    .map((autoscaler) => ({ object: refOf(autoscaler), pointers: ['/spec/scaleTargetRef/name'] }));
}

function routeFields(route: RouteSubject, { workload }: RolloutSubject, world: World, at: Place): RewrittenFields[] {
  const revisions = workload?.ref.kind === 'Deployment' ? [REVISIONS[1]] : REVISIONS;
  return [
    ...(route.makesCanaryService && route.service !== ''
      ? [
          {
            object: { apiVersion: 'v1', kind: 'Service', name: route.service, ...at },
            pointers: revisions.map((label) => `/spec/selector/${label}`),
          },
        ]
      : []),
    ...(route.gateway === undefined
      ? []
      : [
          {
            object: {
              apiVersion: 'gateway.networking.k8s.io/v1',
              kind: 'HTTPRoute',
              name: route.gateway.httpRouteName,
              ...at,
            },
            pointers: ['/spec/rules'],
          },
        ]),
    ...route.customNetworkRefs.map(({ ref }) => ({
      object: { ...ref, ...at },
      pointers: pointersOfCustomObject(world.get({ ...ref, namespace: route.namespace }), ref, route.service),
    })),
  ];
}

/** Labels by which pods of one revision are told from those of another; the kind of the workload decides which. */
const REVISIONS = ['controller-revision-hash', 'pod-template-hash'] as const;

/** What the script of a kind changes: those of the controller and those of this library. */
const CHANGED_BY_SCRIPT: Readonly<Record<string, readonly string[]>> = {
  'ApisixRoute.apisix.apache.org': ['/spec/http'],
  'DestinationRule.networking.istio.io': ['/spec/subsets'],
  'HTTPProxy.projectcontour.io': ['/spec/routes'],
  'IngressRoute.traefik.io': ['/spec/routes'],
  'MeshHTTPRoute.kuma.io': ['/spec/to'],
  'TraefikService.traefik.io': ['/spec/weighted'],
  'TrafficRoute.kuma.io': ['/spec/conf'],
  'VirtualService.networking.istio.io': ['/spec/http', '/spec/tcp', '/spec/tls'],
};

function pointersOfCustomObject(
  object: Manifest | undefined,
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  service: string,
): string[] {
  const groupKind = groupKindOf(kind, apiVersion);
  const known = Object.hasOwn(CHANGED_BY_SCRIPT, groupKind) ? CHANGED_BY_SCRIPT[groupKind]! : undefined;
  if (known !== undefined) {
    const present = known.filter((pointer) => object?.get(['spec', pointer.slice('/spec/'.length)]) !== undefined);
    return [...(present.length > 0 ? present : [known[0]!])];
  }
  if (groupKind === 'Ingress.networking.k8s.io') {
    // The action of the service is changed; the others that a step needs are added.
    const action = `alb.ingress.kubernetes.io/actions.${service}`;
    const changed = object?.annotations[action] === undefined ? '' : `/${escaped(action)}`;
    return [`/metadata/annotations${changed}`, '/spec/rules'];
  }
  // What an unknown script changes cannot be told from here.
  return ['/metadata/annotations', '/metadata/labels', '/spec'];
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
