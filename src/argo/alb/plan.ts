/** Plans the names of the objects of a Rollout, and how they refer to each other. */

import { asList, asObject, compact, numberOf } from '../../core/json';
import { USE_ANNOTATION } from '../../routers/ingress/alb-annotations';
import { ArgoAlbClass, type ArgoAlbIngressOptions } from './ingress-options';
import { type ArgoAlbRolloutOptions, ArgoAlbService, type ArgoObjectMetadata } from './options';
import type { ArgoCanaryOptions } from './strategy';

/** The role of a Service. */
export type ServiceRole = 'stable' | 'canary' | 'ping' | 'pong' | 'active' | 'preview' | 'root';

/** A Service of the Rollout. */
export interface PlannedService {
  readonly role: ServiceRole;
  readonly service: ArgoAlbService;
}

/** An Ingress of the Rollout, with the backend of its paths. */
export interface PlannedIngress {
  /** The prop with its options, for messages. */
  readonly prop: string;
  readonly name: string;
  readonly options: ArgoAlbIngressOptions;
  readonly ingressClass: ArgoAlbClass;
  readonly targetType: 'ip' | 'instance';
  readonly backend: { readonly name: string; readonly port: { readonly number: number } | { readonly name: string } };
}

/** The plan of all objects, with their names. */
export interface AlbPlan {
  readonly metadata: ArgoObjectMetadata & { readonly name: string };
  readonly options: ArgoAlbRolloutOptions;
  readonly port: number;
  readonly targetPort: number | string;
  readonly labels: Readonly<Record<string, string>>;
  readonly services: readonly PlannedService[];
  /** The name of the weight action; undefined for blue-green. */
  readonly action: string | undefined;
  /** The name under `rootService`. */
  readonly root: string | undefined;
  /** The Service that gets all traffic before the first release. */
  readonly firstStable: string;
  /** The Ingresses that Argo edits, or the one of the active Service. */
  readonly ingresses: readonly PlannedIngress[];
  readonly previewIngress: PlannedIngress | undefined;
  /** The names of header routes, by precedence. */
  readonly routes: readonly string[];
}

const DEFAULT_PORT = 80;

/** Plans the objects of a Rollout. */
export function planOf(options: ArgoAlbRolloutOptions, metadata: AlbPlan['metadata']): AlbPlan {
  const { port = DEFAULT_PORT, template, selector, migration } = options;
  const { definition } = options.strategy;
  const named = (suffix: string, given?: ArgoAlbService) => given ?? ArgoAlbService.named(`${metadata.name}-${suffix}`);
  const { services, root } = servicesOf(options, named, `${metadata.name}-root`);
  const nameOf = (role: ServiceRole) => services.find((one) => one.role === role)?.service.name;
  const firstStable = nameOf('stable') ?? nameOf('pong') ?? nameOf('active') ?? '';
  const action = definition.kind === 'blueGreen' ? undefined : (root ?? firstStable);
  const isNumbered = action === undefined || migration === 'prepare';
  const backend = { name: action ?? firstStable, port: isNumbered ? { number: port } : { name: USE_ANNOTATION } };
  const preview = definition.kind === 'blueGreen' ? definition.options.previewIngress : undefined;
  return {
    metadata,
    options,
    port,
    targetPort: options.targetPort ?? containerPortsOf(options)[0] ?? port,
    labels: selector ?? template?.metadata?.labels ?? {},
    services,
    action,
    root,
    firstStable,
    ingresses: ingressesOf(options).map(({ prop, one }, index) =>
      plannedIngress(prop, one, index === 0 ? metadata.name : `${metadata.name}-${index + 1}`, backend),
    ),
    previewIngress:
      preview === undefined
        ? undefined
        : plannedIngress('previewIngress', preview, `${metadata.name}-preview`, {
            name: nameOf('preview') ?? '',
            port: { number: port },
          }),
    routes: routesOf(options),
  };
}

/** The options of a canary, with or without ping-pong; undefined for blue-green. */
export function canaryOptionsOf({ strategy }: ArgoAlbRolloutOptions): ArgoCanaryOptions | undefined {
  return strategy.definition.kind === 'blueGreen' ? undefined : strategy.definition.options;
}

/** Whether a container names a port. The template of a workload is not known here. */
export function hasContainerPort(options: ArgoAlbRolloutOptions): boolean {
  return options.workloadRef !== undefined || containerPortsOf(options).length > 0;
}

/** The port numbers of all containers, in order. */
function containerPortsOf({ template }: ArgoAlbRolloutOptions): number[] {
  return asList(asObject(template?.spec).containers).flatMap((container) =>
    asList(asObject(container).ports).flatMap((port) => numberOf(asObject(port).containerPort) ?? []),
  );
}

type Named = (suffix: string, given?: ArgoAlbService) => ArgoAlbService;

function servicesOf({ strategy }: ArgoAlbRolloutOptions, named: Named, defaultRoot: string) {
  const { kind, options } = strategy.definition;
  const of = (role: ServiceRole, given?: ArgoAlbService): PlannedService => ({ role, service: named(role, given) });
  switch (kind) {
    case 'canary':
      return withRoot([of('stable', options.stableService), of('canary', options.canaryService)], options.rootService);
    case 'pingPong':
      return withRoot(
        [of('ping', options.pingService), of('pong', options.pongService)],
        options.rootService ?? defaultRoot,
      );
    case 'blueGreen':
      return {
        services: [of('active', options.activeService), of('preview', options.previewService)],
        root: undefined,
      };
  }
}

function withRoot(services: readonly PlannedService[], root: string | ArgoAlbService | undefined) {
  if (typeof root !== 'object') return { services, root };
  return { services: [...services, { role: 'root', service: root } as const], root: root.name };
}

function ingressesOf({ ingress, ingresses }: ArgoAlbRolloutOptions) {
  if (ingresses === undefined) return [{ prop: 'ingress', one: ingress ?? {} }];
  return ingresses.map((one, index) => ({ prop: `ingresses[${index}]`, one }));
}

function plannedIngress(
  prop: string,
  options: ArgoAlbIngressOptions,
  defaultName: string,
  backend: PlannedIngress['backend'],
): PlannedIngress {
  const ingressClass = options.ingressClass ?? ArgoAlbClass.field('alb');
  return {
    prop,
    name: options.metadata?.name ?? defaultName,
    options,
    ingressClass,
    // Always set, so that the Ingress has an annotation: Argo panics on one without, if there are managed routes.
    targetType: options.targetType ?? ingressClass.settings.targetType ?? 'ip',
    backend,
  };
}

function routesOf(options: ArgoAlbRolloutOptions): string[] {
  const steps = canaryOptionsOf(options)?.steps ?? [];
  return [...new Set(steps.flatMap((step) => ('setHeaderRoute' in step ? [step.setHeaderRoute.name] : [])))];
}

/** Metadata of an object of a Rollout, in its namespace. */
export function metadataFor({ metadata }: AlbPlan, name: string, own: ArgoObjectMetadata = {}): ArgoObjectMetadata {
  return compact({ ...own, name, namespace: own.namespace ?? metadata.namespace });
}
