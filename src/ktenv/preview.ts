/** Shows where the requests of each environment go: the Istio router routes them with the objects of the operator. */
import type { EnvironmentPreview, PreviewCell } from '../core/environment-preview';
import type { JsonObject } from '../core/json';
import { Manifest } from '../core/manifest';
import type { World } from '../core/world';
import { istioRouter } from '../routers/istio';
import type { LoadBalancer } from '../routers/router';
import {
  type Environment,
  environmentsOf,
  type OperatorPlan,
  playVirtualEnvironment,
  Selection,
  type ServicePlan,
  serviceOf,
  subsetName,
  VIRTUAL_ENVIRONMENT,
  type Workload,
  workloadOf,
} from './controller';
import { requestedEnvironments } from './requested';

/** Options of a preview. */
export interface PreviewOptions {
  /**
   * Environments that requests name although no workload has them.
   * @default - those in the annotation rollout-constructs.io/environments of the VirtualEnvironment
   */
  readonly environments?: readonly string[];
}

/**
 * For every VirtualEnvironment, the workloads that answer the requests of each environment.
 *
 * @example previewEnvironments(World.of(manifests), { environments: ['dev.proj1.mine'] })
 */
export function previewEnvironments(world: World, options: PreviewOptions = {}): EnvironmentPreview[] {
  // The operator keeps one per namespace.
  const kept = world
    .list(VIRTUAL_ENVIRONMENT)
    .filter((manifest) => world.list(VIRTUAL_ENVIRONMENT, world.namespaceOf(manifest))[0] === manifest);
  return kept.map((manifest) => previewOf(world, manifest, options));
}

function previewOf(world: World, manifest: Manifest, options: PreviewOptions): EnvironmentPreview {
  const namespace = world.namespaceOf(manifest);
  const plan = playVirtualEnvironment(world, manifest);
  const mesh = meshOf(afterOperator(world, plan, namespace));
  const { environment } = plan;
  const workloads = ['Deployment.apps', 'StatefulSet.apps']
    .flatMap((groupKind) => world.list(groupKind, namespace))
    .map(({ object }) => workloadOf(object));
  const selection = new Selection(workloads, ({ labels }) => labels);
  const named = [...environmentsOf(workloads, environment), ...requestedEnvironments(manifest, options.environments)];
  const environments = [undefined, ...new Set([environment.defaultSubset, ...named].filter((one) => one !== ''))];
  const rows = plan.services
    .filter(({ workloads }) => workloads.length > 0)
    .flatMap((service) => [
      ...service.ports.map(({ port }) => ({
        service: service.service,
        port,
        cells: environments.map((one) => cellOf(mesh, service, { namespace, port, environment, named: one })),
      })),
      ...unrouted(
        world.find('Service', service.service, namespace),
        service,
        selection,
        environments.length,
        environment,
      ),
    ]);
  return { namespace, virtualEnvironment: manifest.name, header: environment.header, environments, rows };
}

/** The ports of a Service without routes: any of its pods answers. */
function unrouted(
  manifest: Manifest | undefined,
  plan: ServicePlan,
  selection: Selection<Workload>,
  columns: number,
  { label }: Environment,
): EnvironmentPreview['rows'] {
  if (plan.ports.length > 0 || manifest === undefined) return [];
  const service = serviceOf(manifest.object);
  const workloads = selection.of(service);
  const cell: PreviewCell = {
    reason: 'any',
    workloads: workloads.map(({ name }) => name).sort(),
    answeredBy: [...new Set(workloads.map(({ labels }) => labels[label] ?? ''))],
    why: 'no port of the Service has a name that starts with "http", so the operator writes no route',
  };
  return service.ports.map(({ port }) => ({
    service: plan.service,
    port,
    cells: Array.from({ length: columns }, () => cell),
  }));
}

/** The World after the operator has written and deleted its objects. */
function afterOperator(world: World, plan: OperatorPlan, namespace: string): World {
  const deleted = plan.services
    .filter(({ outcome }) => outcome === 'too-few-routes')
    .flatMap(({ service }) =>
      ['VirtualService', 'DestinationRule'].flatMap(
        (kind) => world.find(`${kind}.networking.istio.io`, service, namespace) ?? [],
      ),
    );
  const written: readonly JsonObject[] = [...plan.virtualServices, ...plan.destinationRules];
  return world.without(...deleted).with(...written.map((object) => Manifest.of(object)));
}

function meshOf(world: World): LoadBalancer | undefined {
  return istioRouter()
    .routes(world)
    .loadBalancers.find(({ name }) => name === 'mesh');
}

interface Asked {
  readonly namespace: string;
  readonly port: number;
  readonly environment: Environment;
  /** The value of the header; undefined for a request without it. */
  readonly named: string | undefined;
}

function cellOf(mesh: LoadBalancer | undefined, plan: ServicePlan, asked: Asked): PreviewCell {
  const { namespace, port, environment, named } = asked;
  const route = mesh?.listeners
    .find((listener) => listener.port === port)
    ?.route({
      host: `${plan.service}.${namespace}.svc.cluster.local`,
      path: '/',
      headers: named === undefined ? {} : { [environment.header.toLowerCase()]: named },
      source: { namespace },
    });
  const answer = route?.answer;
  const noAnswer = { reason: 'error', workloads: [], answeredBy: [] } as const;
  if (answer?.kind === 'fixed-response') {
    const why = 'no route of the VirtualService takes the request';
    return { ...noAnswer, statusCode: answer.statusCode, why };
  }
  if (answer?.kind !== 'services') return { ...noAnswer, why: 'the request does not reach the Service' };
  const [destination] = answer.destinations;
  if (destination?.unavailable !== undefined) {
    const { statusCode, why } = destination.unavailable;
    return { ...noAnswer, statusCode, why };
  }
  // Only the rule annotation could add destinations, and the operator keeps one.
  const workloads = destination?.workloads ?? [];
  const labels = workloads.map(({ object }) => workloadOf(object).labels[environment.label] ?? '');
  const answeredBy = [...new Set(labels)];
  return {
    ...reasonOf(plan, asked, answeredBy),
    workloads: workloads.map(({ name }) => name).sort(),
    answeredBy,
  };
}

function reasonOf(
  plan: ServicePlan,
  { named, port }: Asked,
  answeredBy: readonly string[],
): Pick<PreviewCell, 'reason' | 'why'> {
  if (plan.outcome !== 'written' && answeredBy.length > 1) {
    return { reason: 'any', why: 'the operator writes no routes for the Service' };
  }
  const route = plan.routes.find((one) => one.environment === named && one.port === port);
  if (route?.reason === 'exact') return { reason: 'exact', why: `"${named}" has its own workload` };
  if (route !== undefined) {
    return { reason: 'parent', why: `"${named}" has no workload here, but its parent "${route.answeredBy}" has one` };
  }
  if (plan.defaultSubset === '' && answeredBy.length > 1) {
    return { reason: 'any', why: 'no route matches, and there is no default environment' };
  }
  const [only] = answeredBy;
  if (named !== undefined && only !== undefined && subsetName(only) === subsetName(named)) {
    return { reason: 'exact', why: `"${only}" is the default environment` };
  }
  return {
    reason: 'default',
    why: named === undefined ? 'the request names no environment' : `no route matches "${named}"`,
  };
}
