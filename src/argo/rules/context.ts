import type { Finding } from '../../core/finding';
import type { JsonObject } from '../../core/json';
import { asList, asObject, asText, isSet, numberOf, partOf } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import type { Path } from '../../core/path';
import type { World } from '../../core/world';
import { ARGO_ROLLOUT, clusterOf, placed } from '../admission/findings';
import { isProblem, resolveWorkload } from '../admission/workload-ref';
import type { ArgoCheckOptions } from '../check-options';
import { weightedTemplates } from '../controller/experiment';
import { currentIngress } from '../ingress-versions';

const CANARY: Path = ['spec', 'strategy', 'canary'];
export const ALB_PATH: Path = [...CANARY, 'trafficRouting', 'alb'];
export const MANAGED_PATH: Path = [...CANARY, 'trafficRouting', 'managedRoutes'];

/** A path of an Ingress, with its position in the manifest. */
export interface IngressPath {
  readonly host: string;
  readonly pathType: string;
  /** Undefined for a backend that is not a Service. */
  readonly service: string | undefined;
  readonly port: string;
  readonly at: Path;
}

/** An Ingress of a Rollout. */
export interface IngressSubject {
  readonly manifest: Manifest;
  readonly paths: readonly IngressPath[];
  /** Rules without paths. */
  readonly emptyRules: readonly Path[];
}

/** A Rollout with a canary through an ALB. */
export interface AlbRollout {
  readonly manifest: Manifest;
  readonly namespace: string;
  readonly canary: JsonObject;
  readonly alb: JsonObject;
  readonly servicePort: number | undefined;
  /** The name of the action: rootService, or stableService. */
  readonly action: string;
  /** The stable, canary, ping and pong Services that are set. */
  readonly services: readonly { readonly name: string; readonly path: Path }[];
  readonly steps: readonly { readonly step: JsonObject; readonly index: number; readonly path: Path }[];
  readonly routes: readonly { readonly name: string; readonly path: Path }[];
  readonly ingressNames: readonly string[];
  readonly ingresses: readonly IngressSubject[];
  /** The ports of all containers; undefined if the workload is unknown. */
  readonly containerPorts: readonly number[] | undefined;
}

/** The input of every check in this folder. */
export interface ArgoAlbCheck {
  readonly world: World;
  readonly options: ArgoCheckOptions;
  readonly rollouts: readonly AlbRollout[];
}

/** Checks one concept. */
export type ArgoAlbChecker = (check: ArgoAlbCheck) => Finding[];

/** Reads the World once for all checks. */
export function argoAlbCheck(world: World, options: ArgoCheckOptions = {}): ArgoAlbCheck {
  return { world, options, rollouts: world.list(ARGO_ROLLOUT).flatMap((manifest) => albRollout(manifest, world)) };
}

function albRollout(manifest: Manifest, world: World): AlbRollout[] {
  const canary = asObject(asObject(asObject(manifest.object.spec).strategy).canary);
  const routing = partOf(canary, 'trafficRouting');
  const alb = partOf(routing, 'alb');
  if (alb === undefined) return [];
  const namespace = world.namespaceOf(manifest);
  const several = asList(alb.ingresses).map(asText);
  const one = asText(alb.ingress);
  const ingressNames = [...new Set([...(one === '' ? [] : [one]), ...several])];
  return [
    {
      manifest,
      namespace,
      canary,
      alb,
      servicePort: numberOf(alb.servicePort),
      action: asText(alb.rootService) || asText(canary.stableService),
      services: servicesOf(canary),
      steps: asList(canary.steps).map((step, index) => ({
        step: asObject(step),
        index,
        path: [...CANARY, 'steps', index],
      })),
      routes: asList(routing?.managedRoutes).map((route, index) => ({
        name: asText(asObject(route).name),
        path: [...MANAGED_PATH, index, 'name'],
      })),
      ingressNames,
      ingresses: ingressNames.flatMap((name) => {
        const ingress = world.find('Ingress.networking.k8s.io', name, namespace);
        return ingress === undefined ? [] : [ingressSubject(ingress)];
      }),
      containerPorts: containerPorts(manifest, world),
    },
  ];
}

function servicesOf(canary: JsonObject): { readonly name: string; readonly path: Path }[] {
  const named = (holder: unknown, fields: readonly string[], path: Path) =>
    fields.flatMap((field) => {
      const name = asText(asObject(holder)[field]);
      return name === '' ? [] : [{ name, path: [...path, field] }];
    });
  return [
    ...named(canary, ['stableService', 'canaryService'], CANARY),
    ...named(canary.pingPong, ['pingService', 'pongService'], [...CANARY, 'pingPong']),
  ];
}

/** An Ingress with its paths in order. */
export function ingressSubject(manifest: Manifest): IngressSubject {
  const rules = asList(asObject(currentIngress(manifest.object).spec).rules).map((rule, index) => ({
    host: asText(asObject(rule).host),
    paths: asList(asObject(asObject(rule).http).paths),
    at: ['spec', 'rules', index] as Path,
  }));
  return {
    manifest,
    emptyRules: rules.filter(({ paths }) => paths.length === 0).map(({ at }) => at),
    paths: rules.flatMap(({ host, paths, at }) =>
      paths.map((one, index) => {
        const { pathType, backend } = asObject(one);
        const service = partOf(asObject(backend), 'service');
        const port = asObject(service?.port);
        return {
          host,
          pathType: asText(pathType),
          service: service === undefined ? undefined : asText(service.name),
          port: asText(port.name) || (isSet(port.number) ? String(port.number) : ''),
          at: [...at, 'http', 'paths', index],
        };
      }),
    ),
  };
}

function containerPorts(manifest: Manifest, world: World): number[] | undefined {
  const own = placed(manifest, world);
  const hasRef = isSet(asObject(own.spec).workloadRef);
  const resolved = hasRef ? resolveWorkload(own, clusterOf(world)) : own;
  if (isProblem(resolved)) return undefined;
  const { containers } = asObject(asObject(asObject(resolved.spec).template).spec);
  return asList(containers).flatMap((container) =>
    asList(asObject(container).ports).flatMap((port) => numberOf(asObject(port).containerPort) ?? []),
  );
}

/** The steps that set a header route: those with matches; a step without matches removes the route. */
export function headerRoutesOf({ steps }: AlbRollout) {
  return steps.flatMap(({ step, index, path }) => {
    const route = partOf(step, 'setHeaderRoute');
    const matches = asList(route?.match).map(asObject);
    if (route === undefined || matches.length === 0) return [];
    return [{ name: asText(route.name), matches, index, path: [...path, 'setHeaderRoute'] as Path }];
  });
}

/** The weights of an experiment in a step. */
export function experimentWeights(step: JsonObject): number[] {
  return weightedTemplates(step).map(({ weight }) => numberOf(weight)!);
}
