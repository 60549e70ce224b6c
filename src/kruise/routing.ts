import { asList, asObject, compact, isJsonObject, type JsonObject, textOf, typeName } from '../core/json';
import type {
  HttpHeader,
  HttpHeaderFilter,
  HttpHeaderMatch,
  HttpPathMatch,
  HttpQueryParamMatch,
  HttpRouteMatch,
  ObjectRef,
  TrafficRoutingStrategy,
} from './api';
import { KruiseRolloutVersion } from './version';

/** Options for reading a manifest. */
export interface RoutingOptions {
  /**
   * The release. Fields that it does not support are dropped, as the API server does.
   * @default KruiseRolloutVersion.LATEST
   */
  readonly version?: KruiseRolloutVersion;
  /**
   * Whether the manifest lacks the API server's defaults, so that a match may have no `type`.
   * @default false
   */
  readonly withoutCrdDefaults?: boolean;
}

/** The input that the controller's traffic routing manager passes to a provider for one step. */
export interface Routing {
  /** The namespace of the Rollout and its objects. */
  readonly namespace: string;
  readonly stableService: string;
  /** `<service>-canary`, or the stable Service if the controller creates no canary Service. */
  readonly canaryService: string;
  /** The Ingress to copy, for the ingress provider. */
  readonly ingress?: { readonly name: string; readonly classType: string };
  /** The objects that custom scripts rewrite, for the custom provider. */
  readonly customNetworkRefs?: readonly ObjectRef[];
  /** The step's traffic in v1beta1, regardless of the manifest's API version. */
  readonly strategy: TrafficRoutingStrategy;
  /**
   * Fields of a wrong type, which the API server would refuse. They are treated as absent:
   * `spec.strategy.canary.steps[0].traffic is 20: must be a string`.
   */
  readonly refused: readonly string[];
}

/**
 * The routing of one step of a Rollout, v1beta1 or v1alpha1, canary or blue-green.
 * Undefined if the step does not exist, or the Rollout has no `trafficRoutings`.
 *
 * @param step counted from 0, as in `steps[0]`
 */
export function routingOfRollout(rollout: unknown, step: number, options: RoutingOptions = {}): Routing | undefined {
  const manifest = asObject(rollout);
  const version = options.version ?? KruiseRolloutVersion.LATEST;
  const v1alpha1 = manifest.apiVersion === 'rollouts.kruise.io/v1alpha1';
  const { strategy, path } = strategyOfRollout(manifest, v1alpha1 || !version.facts.blueGreen);
  const steps = asList(strategy.steps);
  const [trafficRouting] = asList(strategy.trafficRoutings);
  if (trafficRouting === undefined || steps[step] === undefined) return undefined;
  // The conversion from v1alpha1 drops the field, and releases before 0.6 do not have it.
  const hasDisable = !v1alpha1 && version.facts.disableGenerateCanaryService;
  return routingOf({
    manifest,
    trafficRouting,
    trafficRoutingPath: `${path}.trafficRoutings[0]`,
    strategy: steps[step],
    strategyPath: `${path}.steps[${step}]`,
    v1alpha1,
    sameService: hasDisable && strategy.disableGenerateCanaryService === true,
    options,
  });
}

/** The number of steps of a Rollout. */
export function stepsOfRollout(rollout: unknown): number {
  const manifest = asObject(rollout);
  const v1alpha1 = manifest.apiVersion === 'rollouts.kruise.io/v1alpha1';
  return asList(strategyOfRollout(manifest, v1alpha1).strategy.steps).length;
}

/** The routing of a TrafficRouting (v1alpha1), which always has the stable Service as its canary Service. */
export function routingOfTrafficRouting(trafficRouting: unknown, options: RoutingOptions = {}): Routing | undefined {
  const manifest = asObject(trafficRouting);
  const spec = asObject(manifest.spec);
  const [objectRef] = asList(spec.objectRef);
  if (objectRef === undefined) return undefined;
  return routingOf({
    manifest,
    trafficRouting: objectRef,
    trafficRoutingPath: 'spec.objectRef[0]',
    strategy: spec.strategy,
    strategyPath: 'spec.strategy',
    v1alpha1: true,
    sameService: true,
    options,
  });
}

/** The name of the Service for the canary's traffic. */
export function canaryServiceName(service: string, sameService: boolean): string {
  return sameService ? service : `${service}-canary`;
}

/**
 * Whether the step routes traffic. Otherwise the traffic routing manager does nothing. An empty list of matches counts as
 * none.
 */
export function routesTraffic(strategy: TrafficRoutingStrategy): boolean {
  return strategy.traffic !== undefined || (strategy.matches?.length ?? 0) > 0;
}

/**
 * The traffic of a strategy in percent, or -1 if it has none. A value that is not a whole percentage counts as 0, because
 * the controller ignores the parse error.
 */
export function trafficWeight(strategy: TrafficRoutingStrategy): number {
  if (strategy.traffic === undefined) return -1;
  const digits = /^([+-]?[0-9]+)%$/.exec(strategy.traffic)?.[1];
  if (digits !== undefined && digits.length < 10) return Number.parseInt(digits, 10) | 0;
  if (digits === undefined || BigInt.asIntN(64, BigInt(digits)) !== BigInt(digits)) return 0;
  // The controller keeps the low 32 bits.
  return Number(BigInt.asIntN(32, BigInt(digits)));
}

/** The traffic of a step as the controller reads it, after the API server's defaults and conversion. */
export function readStrategy(step: unknown, options: RoutingOptions & { readonly v1alpha1?: boolean } = {}) {
  return new StrategyReader(options).strategy(step, '', options.v1alpha1 ?? false);
}

function strategyOfRollout(manifest: JsonObject, canaryOnly: boolean) {
  const strategy = asObject(asObject(manifest.spec).strategy);
  if (!isJsonObject(strategy.canary) && isJsonObject(strategy.blueGreen) && !canaryOnly) {
    return { strategy: strategy.blueGreen, path: 'spec.strategy.blueGreen' };
  }
  return { strategy: asObject(strategy.canary), path: 'spec.strategy.canary' };
}

interface RoutingSource {
  readonly manifest: JsonObject;
  readonly trafficRouting: unknown;
  readonly trafficRoutingPath: string;
  readonly strategy: unknown;
  readonly strategyPath: string;
  readonly v1alpha1: boolean;
  readonly sameService: boolean;
  readonly options: RoutingOptions;
}

function routingOf(source: RoutingSource): Routing {
  const reader = new StrategyReader(source.options);
  const trafficRouting = asObject(source.trafficRouting);
  const path = source.trafficRoutingPath;
  const service = reader.string(trafficRouting.service, `${path}.service`) ?? '';
  const ingress = reader.object(trafficRouting.ingress, `${path}.ingress`);
  const refs = reader.list(trafficRouting.customNetworkRefs, `${path}.customNetworkRefs`);
  return compact({
    namespace: textOf(asObject(source.manifest.metadata).namespace) ?? 'default',
    stableService: service,
    canaryService: canaryServiceName(service, source.sameService),
    ingress: ingress && {
      name: reader.string(ingress.name, `${path}.ingress.name`) ?? '',
      classType: reader.string(ingress.classType, `${path}.ingress.classType`) ?? '',
    },
    customNetworkRefs: refs?.map((ref, index) => reader.objectRef(ref, `${path}.customNetworkRefs[${index}]`)),
    strategy: reader.strategy(source.strategy, source.strategyPath, source.v1alpha1),
    refused: reader.refused,
  });
}

/** Reads fields as a typed Go decoder does, and collects those that it would refuse. */
class StrategyReader {
  readonly refused: string[] = [];
  private readonly version: KruiseRolloutVersion;
  private readonly defaults: boolean;

  constructor(options: RoutingOptions) {
    this.version = options.version ?? KruiseRolloutVersion.LATEST;
    this.defaults = options.withoutCrdDefaults !== true;
  }

  strategy(value: unknown, path: string, v1alpha1: boolean): TrafficRoutingStrategy {
    const step = this.object(value, path) ?? {};
    const matches = this.matches(step.matches, `${path}.matches`, v1alpha1);
    return compact({
      traffic: v1alpha1 ? this.weight(step.weight, `${path}.weight`) : this.string(step.traffic, `${path}.traffic`),
      // The conversion builds a new list match by match, so an empty v1alpha1 list becomes absent.
      matches: v1alpha1 && matches?.length === 0 ? undefined : matches,
      requestHeaderModifier: this.modifier(step.requestHeaderModifier, `${path}.requestHeaderModifier`),
    });
  }

  object(value: unknown, path: string) {
    if (value === undefined || value === null) return undefined;
    if (isJsonObject(value)) return value;
    return this.refuse(value, path, 'an object');
  }

  list(value: unknown, path: string): readonly unknown[] | undefined {
    if (value === undefined || value === null) return undefined;
    if (Array.isArray(value)) return value;
    return this.refuse(value, path, 'a list');
  }

  string(value: unknown, path: string): string | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'string') return value;
    return this.refuse(value, path, 'a string');
  }

  objectRef(value: unknown, path: string): ObjectRef {
    const ref = this.object(value, path) ?? {};
    return {
      apiVersion: this.string(ref.apiVersion, `${path}.apiVersion`) ?? '',
      kind: this.string(ref.kind, `${path}.kind`) ?? '',
      name: this.string(ref.name, `${path}.name`) ?? '',
    };
  }

  private weight(value: unknown, path: string): string | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'number' && Number.isInteger(value)) return `${value}%`;
    return this.refuse(value, path, 'a whole number');
  }

  private matches(value: unknown, path: string, headersOnly: boolean): HttpRouteMatch[] | undefined {
    const narrow = headersOnly || !this.version.facts.pathAndQueryMatches;
    return this.list(value, path)?.map((item, index) => this.match(item, `${path}[${index}]`, narrow));
  }

  private match(value: unknown, path: string, headersOnly: boolean): HttpRouteMatch {
    const match = this.object(value, path) ?? {};
    return compact({
      path: headersOnly ? undefined : this.pathMatch(match.path, `${path}.path`),
      headers: this.valueMatches<HttpHeaderMatch>(match.headers, `${path}.headers`),
      queryParams: headersOnly
        ? undefined
        : this.valueMatches<HttpQueryParamMatch>(match.queryParams, `${path}.queryParams`),
    });
  }

  private pathMatch(value: unknown, path: string): HttpPathMatch | undefined {
    const match = this.object(value, path);
    if (match === undefined) return undefined;
    const type = this.string(match.type, `${path}.type`) ?? (this.defaults ? 'PathPrefix' : undefined);
    const text = this.string(match.value, `${path}.value`) ?? (this.defaults ? '/' : undefined);
    return compact({ type, value: text }) as HttpPathMatch;
  }

  private valueMatches<T extends HttpHeaderMatch | HttpQueryParamMatch>(value: unknown, path: string) {
    return this.nonEmpty(value, path, (item, itemPath) => {
      const type = this.string(item.type, `${itemPath}.type`) ?? (this.defaults ? 'Exact' : undefined);
      return compact({ type, ...this.nameAndValue(item, itemPath) }) as T;
    });
  }

  private modifier(value: unknown, path: string): HttpHeaderFilter | undefined {
    const modifier = this.object(value, path);
    if (modifier === undefined) return undefined;
    const headers = (list: 'set' | 'add') =>
      this.nonEmpty(modifier[list], `${path}.${list}`, (item, itemPath) => this.nameAndValue(item, itemPath));
    const remove = this.list(modifier.remove, `${path}.remove`);
    return compact({
      set: headers('set'),
      add: headers('add'),
      remove: remove?.length
        ? remove.map((name, index) => this.string(name, `${path}.remove[${index}]`) ?? '')
        : undefined,
    });
  }

  private nameAndValue(item: JsonObject, path: string): HttpHeader {
    return {
      name: this.string(item.name, `${path}.name`) ?? '',
      value: this.string(item.value, `${path}.value`) ?? '',
    };
  }

  private nonEmpty<T>(value: unknown, path: string, read: (item: JsonObject, path: string) => T) {
    const items = this.list(value, path);
    if (items === undefined || items.length === 0) return undefined;
    return items.map((item, index) => read(this.object(item, `${path}[${index}]`) ?? {}, `${path}[${index}]`));
  }

  private refuse(value: unknown, path: string, expected: string): undefined {
    const shown = typeof value === 'object' ? typeName(value) : String(value);
    this.refused.push(`${path.replace(/^\./, '')} is ${shown}: must be ${expected}`);
    return undefined;
  }
}
