/** The fields that Kruise Rollouts rewrites in a user's own objects and in those of its install. */
import { fieldsOf, mergeRewritten, type RewrittenFields, sortRewritten } from '../core/gitops';
import { asList, asObject } from '../core/json';
import { groupKindOf, type Manifest } from '../core/manifest';
import type { World } from '../core/world';
import { allRouters, anyField, nameOfKind, type Router, scriptableKinds } from '../routers';
import { API_GROUP } from './api';
import { heldPointers } from './held-fields';
import { MUTATING_WEBHOOKS_NAME, VALIDATING_WEBHOOKS_NAME } from './install/names';
import { ROLLOUT, type RolloutSubject, type RouteSubject, readRollout } from './subject';
import type { KruiseRolloutVersion } from './version';

/**
 * For one Rollout: the objects that it names, and the HorizontalPodAutoscaler of its workload.
 *
 * @example argoCdIgnoreDifferences(rewrittenByRollout(rollout, world, KruiseRolloutVersion.LATEST))
 */
export function rewrittenByRollout(
  rollout: Manifest,
  world: World,
  version: KruiseRolloutVersion,
  routers: readonly Router[] = allRouters(),
): RewrittenFields[] {
  const subject = readRollout(rollout, world.namespaceOf(rollout), version);
  // Without a namespace if the manifest has none, because the GitOps tool then adds it.
  const at = rollout.namespace === undefined ? {} : { namespace: rollout.namespace };
  return sortRewritten([
    ...workloadFields(subject, at),
    ...autoscalerFields(subject, world),
    ...(subject.route === undefined || !subject.steps.some(({ routes }) => routes)
      ? []
      : routeFields(subject.route, subject, { world, routers, at })),
  ]);
}

/** For the install: the conversion webhook of the CRDs, and the certificates of the webhook configurations. */
export function rewrittenByInstall(world: World): RewrittenFields[] {
  const crds = world
    .list('CustomResourceDefinition.apiextensions.k8s.io')
    .filter((crd) => crd.get('spec.group') === API_GROUP && crd.get('spec.conversion.strategy') === 'Webhook')
    .map((crd) =>
      fieldsOf(crd, [
        '/spec/conversion/webhook/clientConfig/caBundle',
        '/spec/conversion/webhook/clientConfig/service/port',
        '/spec/conversion/webhook/conversionReviewVersions',
      ]),
    );
  const configurations = (
    [
      ['MutatingWebhookConfiguration', MUTATING_WEBHOOKS_NAME],
      ['ValidatingWebhookConfiguration', VALIDATING_WEBHOOKS_NAME],
    ] as const
  ).flatMap(([kind, name]) => {
    const found = world.find(`${kind}.admissionregistration.k8s.io`, name);
    if (found === undefined) return [];
    const pointers = asList(found.get('webhooks')).map((_, index) => `/webhooks/${index}/clientConfig/caBundle`);
    return [fieldsOf(found, ['/metadata/annotations/template', ...pointers])];
  });
  return [...crds, ...configurations];
}

/** For the install and the selected Rollouts of a World. An object that two Rollouts rewrite has one entry. */
export function rewrittenIn(
  world: World,
  version: KruiseRolloutVersion,
  isMeant: (manifest: Manifest) => boolean = () => true,
  routers: readonly Router[] = allRouters(),
): RewrittenFields[] {
  const meant = world.list(ROLLOUT).filter(isMeant);
  const install = rewrittenByInstall(world).filter(({ object }) => isMeant(world.get(object)!));
  return mergeRewritten([
    ...install,
    ...meant.flatMap((rollout) => rewrittenByRollout(rollout, world, version, routers)),
  ]);
}

interface Place {
  readonly namespace?: string;
}

function workloadFields({ workload, style }: RolloutSubject, at: Place): RewrittenFields[] {
  const pointers = workload === undefined ? undefined : heldPointers(workload.ref, style);
  if (workload === undefined || pointers === undefined) return [];
  return [{ object: { ...workload.ref, ...at }, pointers: [...pointers].sort() }];
}

/** A blue-green release points the autoscaler at a workload that does not exist while both versions run. */
function autoscalerFields({ style, workload, namespace }: RolloutSubject, world: World): RewrittenFields[] {
  if (style !== 'blueGreen' || workload === undefined) return [];
  return world
    .list('HorizontalPodAutoscaler.autoscaling', namespace)
    .filter((autoscaler) => {
      const { kind, name } = asObject(autoscaler.get('spec.scaleTargetRef'));
      return kind === workload.ref.kind && name === workload.ref.name;
    })
    .map((autoscaler) => fieldsOf(autoscaler, ['/spec/scaleTargetRef/name']));
}

interface RouteSurroundings {
  readonly world: World;
  readonly routers: readonly Router[];
  readonly at: Place;
}

function routeFields(
  route: RouteSubject,
  { workload }: RolloutSubject,
  { world, routers, at }: RouteSurroundings,
): RewrittenFields[] {
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
    ...route.customNetworkRefs.map(({ ref }) => {
      const kind = scriptableKinds(routers).find((each) => nameOfKind(each) === groupKindOf(ref.kind, ref.apiVersion));
      const object = world.get({ ...ref, namespace: route.namespace });
      return { object: { ...ref, ...at }, pointers: (kind?.rewrittenFields ?? anyField)(object, route.service) };
    }),
  ];
}

/** Labels that distinguish the pods of two revisions; which ones depends on the kind of the workload. */
const REVISIONS = ['controller-revision-hash', 'pod-template-hash'] as const;
