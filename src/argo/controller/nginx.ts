/** What the controller writes for `trafficRouting.nginx`: a second Ingress next to each stable one. */
import { asList, asObject, asText, isSet, type JsonObject, numberOf, partOf, stringMapOf } from '../../core/json';
import { CLASS_ANNOTATION } from '../../routers/ingress/class';

const DEFAULT_PREFIX = 'nginx.ingress.kubernetes.io';
const SUFFIX = '-canary';
const MAX_NAME = 253;

/** The fields of a Rollout that decide what its canary Ingresses say. */
export interface NginxRollout {
  readonly name: string;
  readonly stableIngresses: readonly string[];
  readonly stableService: string;
  readonly canaryService: string;
  readonly annotationPrefix: string;
  /** Annotations by their key, which gets the prefix where it lacks it. */
  readonly additionalAnnotations: ReadonlyMap<string, string>;
  /** Annotations by their whole key. */
  readonly annotations: ReadonlyMap<string, string>;
  /** @default - 100 */
  readonly maxTrafficWeight?: number;
}

/** Reads a Rollout; undefined if it does not route through ingress-nginx. */
export function readNginxRollout(rollout: JsonObject): NginxRollout | undefined {
  const canary = partOf(partOf(partOf(rollout, 'spec'), 'strategy'), 'canary');
  const routing = partOf(canary, 'trafficRouting');
  const nginx = partOf(routing, 'nginx');
  if (canary === undefined || nginx === undefined) return undefined;
  const several = asList(nginx.stableIngresses).map(asText);
  const max = numberOf(routing?.maxTrafficWeight);
  return {
    name: asText(asObject(rollout.metadata).name),
    stableIngresses: several.length > 0 ? several : [asText(nginx.stableIngress)],
    stableService: asText(canary.stableService),
    canaryService: asText(canary.canaryService),
    annotationPrefix: asText(nginx.annotationPrefix) || DEFAULT_PREFIX,
    additionalAnnotations: stringMapOf(nginx.additionalIngressAnnotations),
    annotations: stringMapOf(nginx.canaryIngressAnnotations),
    ...(max === undefined ? {} : { maxTrafficWeight: max }),
  };
}

/** The name of the canary Ingress of a stable one. */
export function canaryIngressName({ name }: Pick<NginxRollout, 'name'>, stableIngress: string): string {
  return `${name}-${stableIngress}`.slice(0, MAX_NAME - SUFFIX.length) + SUFFIX;
}

/**
 * The canary Ingress with a weight. It keeps annotations that others have added.
 * @param existing the canary Ingress as it is now @default - it does not exist yet
 */
export function canaryIngress(
  rollout: NginxRollout,
  stable: JsonObject,
  weight: number,
  existing?: JsonObject,
): JsonObject {
  const { tls, ingressClassName, rules } = asObject(stable.spec);
  const { namespace, name } = asObject(stable.metadata);
  return {
    apiVersion: stable.apiVersion ?? 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: {
      ...asObject(existing?.metadata),
      name: canaryIngressName(rollout, asText(name)),
      ...(isSet(namespace) && { namespace }),
      annotations: {
        ...asObject(asObject(existing?.metadata).annotations),
        ...Object.fromEntries(annotationsOf(rollout, stable, weight)),
      },
    },
    spec: {
      ...(isSet(ingressClassName) && { ingressClassName }),
      ...(isSet(tls) && { tls }),
      rules: asList(rules).flatMap((rule) => canaryRule(rollout, asObject(rule))),
    },
  };
}

function annotationsOf(rollout: NginxRollout, stable: JsonObject, weight: number): Map<string, string> {
  const { annotationPrefix: prefix, additionalAnnotations, annotations, maxTrafficWeight } = rollout;
  const written = new Map<string, string>();
  const className = stringMapOf(asObject(stable.metadata).annotations).get(CLASS_ANNOTATION);
  if (className !== undefined) written.set(CLASS_ANNOTATION, className);
  for (const [key, value] of additionalAnnotations)
    written.set(key.startsWith(prefix) ? key : `${prefix}/${key}`, value);
  for (const [key, value] of annotations) written.set(key, value);
  written.set(`${prefix}/canary`, 'true').set(`${prefix}/canary-weight`, String(weight));
  if (maxTrafficWeight !== undefined) written.set(`${prefix}/canary-weight-total`, String(maxTrafficWeight));
  return written;
}

/** A rule with the canary Service instead of the stable one; none if no path leads there. Other paths stay as they are. */
function canaryRule({ stableService, canaryService }: NginxRollout, rule: JsonObject): JsonObject[] {
  const paths = asList(asObject(rule.http).paths).map(asObject);
  const isStable = (path: JsonObject) => asText(partOf(partOf(path, 'backend'), 'service')?.name) === stableService;
  if (!paths.some(isStable)) return [];
  const rewritten = paths.map((path) => {
    if (!isStable(path)) return path;
    const backend = asObject(path.backend);
    return { ...path, backend: { ...backend, service: { ...asObject(backend.service), name: canaryService } } };
  });
  return [{ ...rule, http: { ...asObject(rule.http), paths: rewritten } }];
}
