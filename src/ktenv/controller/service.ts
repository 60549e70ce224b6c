import { compareBytes } from '../../core/bytes';
import { asText, isJsonObject, type JsonObject, ownValue, stringsOf } from '../../core/json';
import { GATEWAYS_ANNOTATION, HOSTS_ANNOTATION, RULE_ANNOTATION } from '../api/names';
import { type Environment, lineage, subsetName } from './environment';
import { mergeRoute, type RuleAnnotation, readRule } from './route';
import { Selection } from './selection';

/** What the operator reads of a Deployment or a StatefulSet. It ignores other kinds of workloads. */
export interface Workload {
  readonly kind: string;
  readonly name: string;
  /** Labels of the pod template. */
  readonly labels: { readonly [key: string]: string };
}

/** What the operator reads of a Service. */
export interface RoutedService {
  readonly name: string;
  /** The labels that pods must have; an empty selector takes every workload. */
  readonly selector: { readonly [key: string]: string };
  readonly ports: readonly ServicePort[];
  readonly annotations: { readonly [key: string]: string };
}

/** A port of a Service. */
export interface ServicePort {
  readonly name: string;
  readonly port: number;
}

/** The environment that answers the requests of one environment on one port, and the reason. */
export interface EnvironmentRoute {
  readonly port: number;
  /** The environment that the request names. */
  readonly environment: string;
  /** The environment whose pods answer. */
  readonly answeredBy: string;
  readonly reason: 'exact' | 'parent';
  readonly subset: string;
}

/**
 * What the operator does for a Service: it writes both objects, deletes them if they would have only one route
 * (`too-few-routes`), or does nothing (`no-workload`: the Service selects no labelled workload; `ignored`: it is the
 * Service of the API server).
 */
export type ServiceOutcome = 'written' | 'too-few-routes' | 'no-workload' | 'ignored';

/** What the operator does for a Service. */
export interface ServicePlan {
  readonly service: string;
  readonly outcome: ServiceOutcome;
  /** The selected workloads that have the label. */
  readonly workloads: readonly Workload[];
  /** The routed ports, whose name starts with `http`. */
  readonly ports: readonly ServicePort[];
  /** The routes besides the default ones. */
  readonly routes: readonly EnvironmentRoute[];
  /** The subset of the default routes; empty for any pod of the Service. */
  readonly defaultSubset: string;
  readonly rule?: RuleAnnotation;
  readonly virtualService?: JsonObject;
  readonly destinationRule?: JsonObject;
}

/** What all Services of a namespace share. */
export interface Namespace {
  readonly name: string;
  readonly environment: Environment;
  /** The workloads that have the label. */
  readonly workloads: Selection<Workload>;
  /** The values of the label. */
  readonly environments: readonly string[];
}

/** What the operator reads of a namespace. */
export function namespaceOf(name: string, workloads: readonly Workload[], environment: Environment): Namespace {
  const labelled = workloads.filter(({ labels }) => labels[environment.label] !== undefined);
  return {
    name,
    environment,
    workloads: new Selection(labelled, ({ labels }) => labels),
    environments: environmentsOf(labelled, environment),
  };
}

/** Plays the operator for one Service. */
export function planService(service: RoutedService, namespace: Namespace): ServicePlan {
  const { environment, environments } = namespace;
  const related = namespace.workloads.of(service);
  const ports = service.ports.filter(({ name }) => name.startsWith('http'));
  const defaultSubset = subsetName(environment.defaultSubset);
  const nothing = { service: service.name, workloads: related, ports, routes: [], defaultSubset };
  if (service.name === 'kubernetes') return { ...nothing, outcome: 'ignored' };
  if (related.length === 0) return { ...nothing, outcome: 'no-workload' };

  const labels = related.map((one) => one.labels[environment.label]!);
  const routes = ports.flatMap(({ port }) =>
    environments.flatMap((one) => routeOf(one, labels, environment, port) ?? []),
  );
  const annotation = service.annotations[RULE_ANNOTATION];
  const rule = annotation === undefined || annotation === '' ? undefined : readRule(annotation);
  const plan = { ...nothing, routes, ...(rule === undefined ? {} : { rule }) };
  const http = ports.flatMap(({ port }) => [
    ...routes.filter((route) => route.port === port).flatMap((route) => httpRoutes(service.name, route, environment)),
    httpRoute(service.name, port, defaultSubset),
  ]);
  const gateways = ['mesh', ...split(service.annotations[GATEWAYS_ANNOTATION])];
  if (http.length < 2 && gateways.length < 2) return { ...plan, outcome: 'too-few-routes' };

  const metadata = { name: service.name, namespace: namespace.name };
  return {
    ...plan,
    outcome: 'written',
    virtualService: {
      apiVersion: 'networking.istio.io/v1alpha3',
      kind: 'VirtualService',
      metadata,
      spec: {
        hosts: [service.name, ...split(service.annotations[HOSTS_ANNOTATION])],
        gateways,
        ...(http.length === 0 ? {} : { http: http.map((route) => mergeRoute(rule?.base, route)) }),
      },
    },
    destinationRule: {
      apiVersion: 'networking.istio.io/v1alpha3',
      kind: 'DestinationRule',
      metadata,
      spec: {
        host: service.name,
        subsets: [...labels]
          .sort(compareBytes)
          .map((label) => ({ name: subsetName(label), labels: { [environment.label]: label } })),
      },
    },
  };
}

/** The environments of a namespace: the values of the label, without duplicates. */
export function environmentsOf(workloads: readonly Workload[], { label }: Environment): string[] {
  return [...new Set(workloads.flatMap(({ labels }) => labels[label] ?? []))].sort(compareBytes);
}

/** What the operator reads of a Service. */
export function serviceOf(object: unknown): RoutedService {
  const spec = ownValue(object, 'spec');
  const metadata = ownValue(object, 'metadata');
  const ports = ownValue(spec, 'ports');
  return {
    name: asText(ownValue(metadata, 'name')),
    selector: stringsOf(ownValue(spec, 'selector')),
    ports: (Array.isArray(ports) ? ports : []).filter(isJsonObject).flatMap(({ name, port }) => {
      return typeof port === 'number' ? [{ name: asText(name), port }] : [];
    }),
    annotations: stringsOf(ownValue(metadata, 'annotations')),
  };
}

/** What the operator reads of a Deployment or a StatefulSet. */
export function workloadOf(object: unknown): Workload {
  const template = ownValue(ownValue(object, 'spec'), 'template');
  return {
    kind: asText(ownValue(object, 'kind')),
    name: asText(ownValue(ownValue(object, 'metadata'), 'name')),
    labels: stringsOf(ownValue(ownValue(template, 'metadata'), 'labels')),
  };
}

/** The route of one environment; undefined if the default route is enough, or if neither it nor a parent has workloads. */
function routeOf(
  environment: string,
  labels: readonly string[],
  { splitter, defaultSubset }: Environment,
  port: number,
): EnvironmentRoute | undefined {
  const answeredBy = lineage(environment, splitter).find((one) => labels.includes(one));
  if (answeredBy === undefined) return undefined;
  const subset = subsetName(answeredBy);
  // The operator compares after the replacement: the environment "a-b" equals the default "a.b".
  if (subset === subsetName(defaultSubset)) return undefined;
  return { port, environment, answeredBy, reason: answeredBy === environment ? 'exact' : 'parent', subset };
}

function httpRoutes(
  host: string,
  { port, environment, subset }: EnvironmentRoute,
  { header, aliases }: Environment,
): JsonObject[] {
  const others = aliases.map(({ name, pattern, placeholder }): [string, JsonObject] => [
    name,
    pattern !== '' && placeholder !== ''
      ? { regex: pattern.replaceAll(placeholder, () => environment) }
      : { exact: environment },
  ]);
  const conditions: [string, JsonObject][] = [[header, { exact: environment }], ...others];
  return conditions.map(([name, value]) => httpRoute(host, port, subset, { [name]: value }));
}

function httpRoute(host: string, port: number, subset: string, headers?: JsonObject): JsonObject {
  return {
    match: [{ ...(headers === undefined ? {} : { headers }), port }],
    // Without a subset the field is left out, so that the subset of the annotation stays.
    route: [{ destination: { host, ...(subset === '' ? {} : { subset }), port: { number: port } }, weight: 100 }],
  };
}

/** Splits at commas without trimming, as the operator does: an empty annotation is one empty name. */
function split(annotation: string | undefined): string[] {
  return annotation === undefined ? [] : annotation.split(',');
}
