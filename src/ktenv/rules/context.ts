import { type ExternalObjects, isExternal } from '../../core/external';
import type { AbsentObject, Finding, ObjectRef } from '../../core/finding';
import { asList, asObject, type JsonObject, ownValue } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import type { World } from '../../core/world';
import { type IstioVersion, parseIstioVersion } from '../../routers/istio-version';
import {
  type OperatorPlan,
  playVirtualEnvironment,
  type ServicePlan,
  VIRTUAL_ENVIRONMENT,
  workloadOf,
} from '../controller';

/** Options of the checks of KtEnv. */
export interface KtEnvCheckOptions extends ExternalObjects {
  /**
   * The release of Istio, `1.24`. Without it, findings that depend on the release are warnings.
   * @default - unknown
   */
  readonly istioVersion?: string;
  /**
   * Environments that requests name in the header, which are checked to have routes. For a single namespace, list them in
   * the annotation `rollout-constructs.io/environments` of its VirtualEnvironment, separated by commas.
   * @default - those of the annotation
   */
  readonly environments?: readonly string[];
}

/** A namespace with a VirtualEnvironment. */
export interface Subject {
  readonly manifest: Manifest;
  readonly namespace: string;
  readonly plan: OperatorPlan;
  /** The Services that the operator routes or would route, with their manifests. */
  readonly services: readonly { readonly plan: ServicePlan; readonly manifest: Manifest }[];
  /** Deployments and StatefulSets whose pods have the label. */
  readonly workloads: readonly { readonly manifest: Manifest; readonly environment: string }[];
}

/** The input of every check of this folder. */
export interface KtEnvCheck {
  readonly world: World;
  readonly istio: IstioVersion | undefined;
  readonly environments: readonly string[];
  readonly subjects: readonly Subject[];
  isExternal(ref: ObjectRef): boolean;
}

/** A check of one concept: what it finds in all namespaces. */
export type KtEnvChecker = (check: KtEnvCheck) => Finding[];

/** The kinds of workloads that KtEnv routes to. */
const WORKLOAD_KINDS = ['Deployment', 'StatefulSet'] as const;

/** The workloads of a namespace that KtEnv may route to. */
export function workloadsIn(world: World, namespace: string): Manifest[] {
  return WORKLOAD_KINDS.flatMap((kind) => world.list(`${kind}.apps`, namespace));
}

/** For a finding that no workload of a namespace has what it needs. */
export function absentWorkloads(namespace: string): AbsentObject[] {
  return WORKLOAD_KINDS.map((kind) => ({ apiVersion: 'apps/v1', kind, namespace }));
}

/** Reads the World once for all checks. */
export function ktenvCheck(world: World, options: KtEnvCheckOptions = {}): KtEnvCheck {
  const { istioVersion, environments = [] } = options;
  return {
    world,
    istio: istioVersion === undefined ? undefined : parseIstioVersion(istioVersion),
    environments,
    // The operator keeps one VirtualEnvironment per namespace, so only the first is played.
    subjects: world
      .list(VIRTUAL_ENVIRONMENT)
      .filter((manifest) => world.list(VIRTUAL_ENVIRONMENT, world.namespaceOf(manifest))[0] === manifest)
      .map((manifest) => subjectOf(world, manifest)),
    isExternal: (ref) => isExternal(options, ref),
  };
}

function subjectOf(world: World, manifest: Manifest): Subject {
  const namespace = world.namespaceOf(manifest);
  const plan = playVirtualEnvironment(world, manifest);
  const services = plan.services.flatMap((one) => {
    const service = world.find('Service', one.service, namespace);
    return service === undefined ? [] : [{ plan: one, manifest: service }];
  });
  const workloads = workloadsIn(world, namespace).flatMap((one) => {
    const environment = workloadOf(one.object).labels[plan.environment.label];
    return environment === undefined ? [] : [{ manifest: one, environment }];
  });
  return { manifest, namespace, plan, services, workloads };
}

/** The Services whose pods have the label, which should be routed. */
export function routed({ services }: Subject): Subject['services'] {
  return services.filter(({ plan }) => plan.outcome === 'written' || plan.outcome === 'too-few-routes');
}

/** The related object of a finding. */
export function relatedTo(manifest: Manifest, message: string): Pick<Finding, 'related'> {
  const source = manifest.sourceOf();
  return { related: { message, object: manifest.ref, ...(source === undefined ? {} : { source }) } };
}

/** `a, b and c` */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** An environment variable of the containers of a pod template. */
export function variable(manifest: Manifest, name: string): JsonObject | undefined {
  const containers = asList(manifest.get('spec.template.spec.containers')).map(asObject);
  return containers.flatMap(({ env }) => asList(env).map(asObject)).find((one) => ownValue(one, 'name') === name);
}
