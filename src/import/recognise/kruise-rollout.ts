/** Rollouts and TrafficRoutings of Kruise Rollouts. */
import { findingTexts } from '../../core/finding';
import { asList, asObject, type Json, type JsonObject, textOf } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import { groupKindOf } from '../../core/manifest';
import { World } from '../../core/world';
import { admissionFindings } from '../../kruise/admission';
import { API_GROUP, TRAFFIC_ROUTING_ANNOTATION } from '../../kruise/api';
import { type Code, call, callOf, list, maybe, object, reference, value } from '../code';
import { keyBeside } from '../statement';
import { type Context, metadataOf, type Recognised, statementFor } from './context';
import { matchesCode, stepCode } from './kruise-steps';

/** A Rollout of v1beta1, the version that the construct writes. */
export function recogniseKruiseRollout(manifest: Manifest, context: Context): Recognised | undefined {
  if (manifest.groupKind !== `Rollout.${API_GROUP}`) return undefined;
  if (manifest.version !== 'v1beta1') {
    return { refusal: `KruiseRollout writes ${API_GROUP}/v1beta1, and this is ${manifest.apiVersion}` };
  }
  const refused = refusalOf(manifest, context);
  if (refused !== undefined) return refused;
  const { workloadRef, strategy, disabled } = asObject(manifest.object.spec);
  const { paused, canary, blueGreen } = asObject(strategy);
  const steps = asObject(canary ?? blueGreen);
  const named = textOf(steps.trafficRoutingRef);
  const [routing, ...more] = asList(steps.trafficRoutings);
  if (more.length > 0) return { refusal: 'a KruiseRollout has one of trafficRoutings, as the controller supports it' };
  return variants(routing, manifest, context).map((trafficRouting) =>
    statementFor(
      manifest,
      'KruiseRollout',
      object({
        metadata: metadataOf(manifest, named === undefined ? [] : [TRAFFIC_ROUTING_ANNOTATION]),
        workload: referenceTo(workloadRef, manifest, context, trafficRouting.isLinked),
        strategy: strategyCode(blueGreen === undefined ? 'canary' : 'blueGreen', steps),
        trafficRouting: trafficRouting.code,
        trafficRoutingRef:
          named === undefined
            ? undefined
            : nameCode(named, `TrafficRouting.${API_GROUP}`, manifest, context, trafficRouting.isLinked),
        paused: maybe(paused),
        disabled: maybe(disabled),
      }),
    ),
  );
}

/** A TrafficRouting, which exists in v1alpha1 only. */
export function recogniseKruiseTrafficRouting(manifest: Manifest, context: Context): Recognised | undefined {
  if (manifest.groupKind !== `TrafficRouting.${API_GROUP}`) return undefined;
  const refused = refusalOf(manifest, context);
  if (refused !== undefined) return refused;
  const { objectRef, strategy } = asObject(manifest.object.spec);
  const { weight, matches, requestHeaderModifier } = asObject(strategy);
  const [routing] = asList(objectRef);
  return variants(routing, manifest, context).map(({ code }) =>
    statementFor(
      manifest,
      'KruiseTrafficRouting',
      object({
        metadata: metadataOf(manifest),
        trafficRouting: code,
        matches: matches === undefined ? undefined : matchesCode(matches),
        weight: maybe(weight),
        requestHeaderModifier: maybe(requestHeaderModifier),
      }),
    ),
  );
}

/**
 * The types of the props follow from the API, so a field that the API does not have like this has no prop. A component of
 * Pulumi stops at anything that the API server or the webhook would refuse.
 */
function refusalOf(manifest: Manifest, { target }: Context): { readonly refusal: string } | undefined {
  const found = admissionFindings(World.of([manifest])).find(
    ({ severity, rule }) => rule.startsWith('field-') || (target === 'pulumi' && severity === 'error'),
  );
  return found && { refusal: `the API does not have it like this: ${findingTexts(found).message}` };
}

function strategyCode(style: 'canary' | 'blueGreen', given: JsonObject): Code {
  const { enableExtraWorkloadForCanary, steps, failureThreshold, disableGenerateCanaryService } = given;
  const { patchPodTemplateMetadata } = given;
  const options = object({
    steps: list(asList(steps).map(stepCode)),
    failureThreshold: maybe(failureThreshold),
    disableGenerateCanaryService: maybe(disableGenerateCanaryService),
    patchPodTemplateMetadata: enableExtraWorkloadForCanary === true ? maybe(patchPodTemplateMetadata) : undefined,
  });
  const method = style === 'blueGreen' ? style : enableExtraWorkloadForCanary === true ? 'canary' : 'partition';
  return call(`KruiseRolloutStrategy.${method}`, options);
}

/** One way to write the routing. */
interface Variant {
  readonly code: Code | undefined;
  /** Whether it refers to other statements. */
  readonly isLinked: boolean;
}

/** The ways to write the routing, the best first: by the Ingress, by other statements, by names. */
function variants(routing: Json | undefined, manifest: Manifest, context: Context): Variant[] {
  if (routing === undefined)
    return [
      { code: undefined, isLinked: true },
      { code: undefined, isLinked: false },
    ];
  const { service, ingress, gateway, customNetworkRefs, gracePeriodSeconds } = asObject(routing);
  const written = (isLinked: boolean): Variant => {
    const named = (name: Json, groupKind: string) => nameCode(String(name), groupKind, manifest, context, isLinked);
    const { name: ingressName, classType } = asObject(ingress);
    const { httpRouteName } = asObject(gateway);
    return {
      isLinked,
      code: object({
        service: service === undefined ? undefined : named(service, 'Service'),
        ingress: ingressName === undefined ? undefined : named(ingressName, 'Ingress.networking.k8s.io'),
        classType: maybe(classType),
        gateway: httpRouteName === undefined ? undefined : object({ httpRouteName: value(httpRouteName) }),
        customNetworkRefs:
          customNetworkRefs === undefined
            ? undefined
            : list(asList(customNetworkRefs).map((one) => referenceTo(one, manifest, context, isLinked))),
        gracePeriodSeconds: maybe(gracePeriodSeconds),
      }),
    };
  };
  const byIngress = ingressOf(asObject(routing), manifest, context);
  const own: Variant[] = byIngress === undefined ? [] : [{ code: byIngress, isLinked: true }];
  return [...own, written(true), written(false)];
}

/** Constructs of Ingresses that give the routing of a Rollout. */
const ROUTING_INGRESSES = ['AlbCanaryIngress', 'AliyunAlbCanaryIngress'];

/** The time that both constructs give the load balancer unless they are told. */
const DEFAULT_GRACE_PERIOD = 30;

function ingressOf(routing: JsonObject, manifest: Manifest, { statements }: Context): Code | undefined {
  const { ingress, customNetworkRefs, gracePeriodSeconds } = routing;
  const [first] = asList(customNetworkRefs);
  const name = textOf(asObject(ingress ?? first).name);
  const key = name === undefined ? '' : keyBeside(manifest, 'Ingress.networking.k8s.io', name);
  const statement = statements.get(key);
  if (statement === undefined || !ROUTING_INGRESSES.includes(statement.class)) return undefined;
  const isDefault = gracePeriodSeconds === undefined || gracePeriodSeconds === DEFAULT_GRACE_PERIOD;
  return callOf(key, 'trafficRouting', ...(isDefault ? [] : [value(gracePeriodSeconds)]));
}

/** Statements that cannot be referred to as one object. */
const NO_OBJECT = ['ArgoAlbRollout', 'KtVirtualEnvironment', 'LuaRoutingConfigMap'];

function isMade(key: string, { statements }: Context): boolean {
  const statement = statements.get(key);
  return statement !== undefined && !NO_OBJECT.includes(statement.class);
}

/** A reference to an object of any kind. */
function referenceTo(ref: Json | undefined, manifest: Manifest, context: Context, isLinked: boolean): Code {
  const { apiVersion, kind, name } = asObject(ref);
  const key = keyBeside(manifest, groupKindOf(String(kind), String(apiVersion)), String(name));
  return isLinked && isMade(key, context) ? reference(key) : value(ref ?? {});
}

/** A reference by name. */
function nameCode(name: string, groupKind: string, manifest: Manifest, context: Context, isLinked: boolean): Code {
  const key = keyBeside(manifest, groupKind, name);
  return isLinked && isMade(key, context) ? reference(key) : value(name);
}
