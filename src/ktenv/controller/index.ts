/**
 * A model of the operator of KtEnv: the VirtualServices, DestinationRules and EnvoyFilters that it writes for a namespace.
 * The order of the operator is random. Here, routes are sorted by the ports of the Service and then by environment, with
 * the default route last, and subsets are sorted by label.
 */
import type { JsonObject } from '../../core/json';
import { ownValue } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import type { World } from '../../core/world';
import { API_GROUP } from '../api/names';
import { type Environment, environmentOf } from './environment';
import { envoyFilter } from './envoy-filter';
import { namespaceOf, planService, type ServicePlan, serviceOf, workloadOf } from './service';

export { type Alias, type Environment, environmentOf, lineage, subsetName } from './environment';
export { CONNECTION_MANAGER } from './envoy-filter';
export { type RuleAnnotation, readRule } from './route';
export { Selection } from './selection';
export {
  type EnvironmentRoute,
  environmentsOf,
  type RoutedService,
  type ServiceOutcome,
  type ServicePlan,
  type ServicePort,
  serviceOf,
  type Workload,
  workloadOf,
} from './service';

/** The objects of one namespace that the operator reads, as plain data. */
export interface OperatorInput {
  readonly virtualEnvironment: unknown;
  readonly services: readonly unknown[];
  readonly deployments: readonly unknown[];
  readonly statefulSets: readonly unknown[];
}

/** What the operator does in one namespace. */
export interface OperatorPlan {
  readonly environment: Environment;
  /** One for each Service, by name. */
  readonly services: readonly ServicePlan[];
  readonly virtualServices: readonly JsonObject[];
  readonly destinationRules: readonly JsonObject[];
  /** One with `autoInject`, none without. */
  readonly envoyFilters: readonly JsonObject[];
}

/**
 * Plays the operator for the objects of one namespace. The result leaves out the owner reference to the
 * VirtualEnvironment, which every object gets.
 *
 * @example playOperator({ virtualEnvironment, services, deployments, statefulSets: [] }).virtualServices
 */
export function playOperator(input: OperatorInput): OperatorPlan {
  const metadata = ownValue(input.virtualEnvironment, 'metadata');
  const namespace = String(ownValue(metadata, 'namespace') ?? 'default');
  const environment = environmentOf(ownValue(input.virtualEnvironment, 'spec'));
  const workloads = [...input.deployments, ...input.statefulSets].map(workloadOf);
  const inNamespace = namespaceOf(namespace, workloads, environment);
  const services = input.services
    .map(serviceOf)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((service) => planService(service, inNamespace));
  const name = String(ownValue(metadata, 'name') ?? '');
  return {
    environment,
    services,
    virtualServices: services.map(({ virtualService }) => virtualService).filter((one) => one !== undefined),
    destinationRules: services.map(({ destinationRule }) => destinationRule).filter((one) => one !== undefined),
    envoyFilters: environment.autoInject ? [envoyFilter(name, namespace, environment)] : [],
  };
}

/** A VirtualEnvironment, as a World names its kind. */
export const VIRTUAL_ENVIRONMENT = `VirtualEnvironment.${API_GROUP}`;

/** Plays the operator for a VirtualEnvironment of a World. */
export function playVirtualEnvironment(world: World, virtualEnvironment: Manifest): OperatorPlan {
  const namespace = world.namespaceOf(virtualEnvironment);
  const objects = (groupKind: string) => world.list(groupKind, namespace).map(({ object }) => object);
  const { object } = virtualEnvironment;
  return playOperator({
    virtualEnvironment: { ...object, metadata: { ...(object.metadata as JsonObject), namespace } },
    services: objects('Service'),
    deployments: objects('Deployment.apps'),
    statefulSets: objects('StatefulSet.apps'),
  });
}
