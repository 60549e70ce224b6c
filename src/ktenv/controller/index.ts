/**
 * The operator of KtEnv: which VirtualServices, DestinationRules and EnvoyFilters it writes for a namespace. Its own
 * order is random; here routes are in the order of the Service's ports, within a port in the order of the environments'
 * names with the default route last, and subsets in the order of their labels.
 */
import type { JsonObject } from '../../core/json';
import { ownValue } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import type { World } from '../../core/world';
import { API_GROUP } from '../api/names';
import { type Environment, environmentOf } from './environment';
import { envoyFilter } from './envoy-filter';
import { planService, type ServicePlan, serviceOf, workloadOf } from './service';

export { type Alias, type Environment, environmentOf, lineage, subsetName } from './environment';
export { CONNECTION_MANAGER } from './envoy-filter';
export { type RuleAnnotation, readRule } from './route';
export {
  type EnvironmentRoute,
  environmentsOf,
  type RoutedService,
  type ServiceOutcome,
  type ServicePlan,
  type ServicePort,
  selects,
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
  /** One with `autoInject`, else none. */
  readonly envoyFilters: readonly JsonObject[];
}

/**
 * What the operator does with the objects of one namespace. The owner reference to the VirtualEnvironment, which every
 * object gets, is left out.
 *
 * @example playOperator({ virtualEnvironment, services, deployments, statefulSets: [] }).virtualServices
 */
export function playOperator(input: OperatorInput): OperatorPlan {
  const metadata = ownValue(input.virtualEnvironment, 'metadata');
  const namespace = String(ownValue(metadata, 'namespace') ?? 'default');
  const environment = environmentOf(ownValue(input.virtualEnvironment, 'spec'));
  const workloads = [...input.deployments, ...input.statefulSets].map(workloadOf);
  const services = input.services
    .map(serviceOf)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((service) => planService(service, workloads, environment, namespace));
  const name = String(ownValue(metadata, 'name') ?? '');
  return {
    environment,
    services,
    virtualServices: services.map(({ virtualService }) => virtualService).filter((one) => one !== undefined),
    destinationRules: services.map(({ destinationRule }) => destinationRule).filter((one) => one !== undefined),
    envoyFilters: environment.autoInject ? [envoyFilter(name, namespace, environment)] : [],
  };
}

/** Kind and group of VirtualEnvironments, as a World is asked for them. */
export const VIRTUAL_ENVIRONMENT = `VirtualEnvironment.${API_GROUP}`;

/** What the operator does for a VirtualEnvironment of a World. */
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
