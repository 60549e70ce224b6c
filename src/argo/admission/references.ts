import type { JsonObject } from '../../core/json';
import { asList, asObject, asText, isSet, partOf, stringMapOf } from '../../core/json';
import type { Path } from '../../core/path';
import { ArgoRolloutsVersion } from '../version';
import { checkAnalyses, findAnalyses } from './analysis';
import { type ArgoCluster, beside, existsElsewhere, nameOf } from './cluster';
import { checkIstio } from './istio';
import type { Problem } from './problem';

const STRATEGY: Path = ['spec', 'strategy'];
const HASH_LABEL = 'rollouts-pod-template-hash';
const MANAGED_BY = 'argo-rollouts.argoproj.io/managed-by-rollouts';

/** The problems with the objects that a Rollout refers to. */
export interface ReferenceProblems {
  /** Missing objects; the controller stops at the first. */
  readonly missing: readonly Problem[];
  /** Problems of existing objects; the controller checks them only if none is missing. */
  readonly wrong: readonly Problem[];
  /** The Ingress with a backend that makes the controller panic. */
  readonly crash?: Problem;
}

/** Looks up referenced objects in the controller's order: Services, analysis templates, Ingresses. */
export function checkReferences(rollout: JsonObject, cluster: ArgoCluster): ReferenceProblems {
  const services = servicesOf(rollout);
  const analyses = findAnalyses(rollout, cluster);
  const ingresses = ingressesOf(rollout);
  const istio = checkIstio(rollout, cluster);
  const missing = [
    ...services
      .filter(({ name }) => beside(rollout, cluster.services, name) === undefined)
      .filter(({ name }) => !existsElsewhere(rollout, cluster, 'Service', name, 'v1'))
      .map(({ name, path }) => missingService(name, path)),
    ...analyses.missing,
    ...checkIngressChoice(rollout),
    ...ingresses
      .filter(({ name }) => beside(rollout, cluster.ingresses, name) === undefined)
      .filter(({ name }) => !existsElsewhere(rollout, cluster, 'Ingress', name, 'networking.k8s.io/v1'))
      .map(({ name, path }) => missingIngress(name, path)),
    ...istio.missing,
  ];
  const checked = ingresses.map(({ name }) => {
    const ingress = beside(rollout, cluster.ingresses, name);
    return ingress === undefined ? undefined : checkIngress(rollout, ingress, cluster);
  });
  const crash = checked.find((problem) => problem?.class === 'crash');
  return {
    missing,
    wrong: [
      ...services.flatMap(({ name, path }) => {
        const service = beside(rollout, cluster.services, name);
        return service === undefined ? [] : checkService(rollout, service, path);
      }),
      ...checkAnalyses(rollout, analyses.found),
      ...checked.flatMap((problem) => (problem === undefined || problem.class === 'crash' ? [] : [problem])),
      ...istio.wrong,
    ],
    ...(crash !== undefined && { crash }),
  };
}

interface Reference {
  readonly name: string;
  readonly path: Path;
}

function strategyOf(rollout: JsonObject): JsonObject {
  return asObject(asObject(rollout.spec).strategy);
}

/** The Services that a Rollout names, with their fields. */
export function servicesOf(rollout: JsonObject): Reference[] {
  const { blueGreen, canary } = strategyOf(rollout);
  const named = (holder: unknown, names: readonly string[], path: Path) =>
    names.flatMap((field) => {
      const name = asText(asObject(holder)[field]);
      return name === '' ? [] : [{ name, path: [...path, field] }];
    });
  if (isSet(blueGreen)) return named(blueGreen, ['activeService', 'previewService'], [...STRATEGY, 'blueGreen']);
  const path = [...STRATEGY, 'canary'];
  return [
    ...named(canary, ['stableService', 'canaryService'], path),
    ...named(asObject(canary).pingPong, ['pingService', 'pongService'], [...path, 'pingPong']),
  ];
}

function missingService(name: string, path: Path): Problem {
  return {
    rule: 'argo-service-not-found',
    class: 'R-S1',
    message: `service "${name}" not found`,
    path,
    text: `there is no Service "${name}"`,
    absent: { apiVersion: 'v1', kind: 'Service', name },
  };
}

function checkService(rollout: JsonObject, service: JsonObject, path: Path): Problem[] {
  const labels = stringMapOf(asObject(asObject(asObject(rollout.spec).template).metadata).labels);
  const selector = [...stringMapOf(asObject(service.spec).selector)].sort(([a], [b]) => (a < b ? -1 : 1));
  const name = nameOf(service);
  const mismatches = selector
    .filter(([key, value]) => key !== HASH_LABEL && labels.get(key) !== value)
    .map(([key, value]): Problem => {
      const own = labels.get(key);
      return {
        rule: 'argo-service-selector-mismatch',
        class: 'R-S2',
        message: `Service "${name}" has unmatch label "${key}" in rollout`,
        path,
        about: { kind: 'Service', name },
        text: `Service "${name}" selects ${key}: ${value}, but the pods ${own === undefined ? `have no label "${key}"` : `have ${key}: ${own}`}`,
      };
    });
  const manager = stringMapOf(asObject(service.metadata).annotations).get(MANAGED_BY);
  if (manager === undefined || manager === nameOf(rollout)) return mismatches;
  return [
    ...mismatches,
    {
      rule: 'argo-service-managed-by-other',
      class: 'R-S3',
      message: `Service "${name}" is managed by another Rollout`,
      path,
      text: `Service "${name}" is managed by the Rollout "${manager}"`,
    },
  ];
}

function routingOf(rollout: JsonObject): JsonObject | undefined {
  const { blueGreen, canary } = strategyOf(rollout);
  return isSet(blueGreen) && !isSet(canary) ? undefined : partOf(asObject(canary), 'trafficRouting');
}

const ROUTING: Path = [...STRATEGY, 'canary', 'trafficRouting'];

/** The fields of a router for its Ingresses: one, or several. */
interface IngressFields {
  readonly router: 'alb' | 'nginx';
  readonly one: string;
  readonly many: string;
  readonly titles: readonly [string, string];
}

const NGINX: IngressFields = {
  router: 'nginx',
  one: 'stableIngress',
  many: 'stableIngresses',
  titles: ['StableIngress', 'StableIngresses'],
};
const ALB: IngressFields = { router: 'alb', one: 'ingress', many: 'ingresses', titles: ['Ingress', 'Ingresses'] };

/** Reports a router that has both or none of the two fields. */
function checkIngressChoice(rollout: JsonObject): Problem[] {
  const routing = routingOf(rollout);
  return [NGINX, ALB].flatMap(({ router, one, many, titles }) => {
    const fields = partOf(routing, router);
    if (fields === undefined) return [];
    const hasOne = asText(fields[one]) !== '';
    const hasMany = asList(fields[many]).length > 0;
    if (hasOne !== hasMany) return [];
    return [
      {
        rule: 'argo-ingress-not-one',
        class: 'R-I1',
        message: `Either ${titles[0]} or ${titles[1]} must be configured. ${hasOne ? 'Both' : 'Neither'} are configured.`,
        path: [...ROUTING, router],
        text: hasOne ? `has both ${one} and ${many}` : `has neither ${one} nor ${many}`,
      } satisfies Problem,
    ];
  });
}

/** The Ingresses of a Rollout; only those of the ALB if it has both routers. */
export function ingressesOf(rollout: JsonObject): Reference[] {
  const routing = routingOf(rollout);
  const fields = isSet(routing?.alb) ? ALB : isSet(routing?.nginx) ? NGINX : undefined;
  if (fields === undefined) return [];
  const { router, one, many } = fields;
  const named = asObject(routing?.[router]);
  const several = asList(named[many]);
  const path = [...ROUTING, router];
  if (several.length > 0) return several.map((name) => ({ name: asText(name), path: [...path, many] }));
  const name = asText(named[one]);
  return name === '' ? [] : [{ name, path: [...path, one] }];
}

function missingIngress(name: string, path: Path): Problem {
  return {
    rule: 'argo-ingress-not-found',
    class: 'R-I2',
    message: `ingresses.networking.k8s.io "${name}" not found`,
    path,
    text: `there is no Ingress "${name}"`,
    absent: { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', name },
  };
}

/** The router for which the controller checks this Ingress. */
function routerOf(
  routing: JsonObject | undefined,
  ingress: string,
  { version = ArgoRolloutsVersion.LATEST }: ArgoCluster,
): IngressFields | undefined {
  if (!version.facts.ingressesCheckedByRouter) return isSet(routing?.nginx) ? NGINX : ALB;
  return [NGINX, ALB].find(({ router, one, many }) => {
    const fields = asObject(routing?.[router]);
    return asText(fields[one]) === ingress || asList(fields[many]).includes(ingress);
  });
}

function checkIngress(rollout: JsonObject, ingress: JsonObject, cluster: ArgoCluster): Problem | undefined {
  const routing = routingOf(rollout);
  const checkedFor = routerOf(routing, nameOf(ingress), cluster);
  if (checkedFor === undefined) return undefined;
  const { router, one, many } = checkedFor;
  const fields = asObject(routing?.[router]);
  const stable = asText(asObject(strategyOf(rollout).canary).stableService);
  const service = router === 'alb' ? asText(fields.rootService) || stable : stable;
  // Without a Service, the controller does not reach this check.
  if (service === '') return undefined;
  const name = nameOf(ingress);
  const about = { kind: 'Ingress.networking.k8s.io', name };
  const path = [...ROUTING, router, asList(fields[many]).includes(name) ? many : one];
  switch (hasBackend(ingress, service)) {
    case 'yes':
      return undefined;
    case 'crash':
      return {
        rule: 'argo-ingress-resource-backend',
        class: 'crash',
        message: 'runtime error: invalid memory address or nil pointer dereference',
        path,
        about,
        text: `Ingress "${name}" has a path with a backend that is not a Service`,
      };
    case 'no':
      return {
        rule: 'argo-ingress-without-backend',
        class: 'R-I3',
        message: `ingress \`${name}\` has no rules using service ${service} backend`,
        path,
        about,
        text: `Ingress "${name}" has no path to "${service}"`,
      };
  }
}

/** Whether a path of an Ingress routes to a Service; the controller panics if it first reads a backend without a Service. */
function hasBackend(ingress: JsonObject, service: string): 'yes' | 'no' | 'crash' {
  for (const rule of asList(asObject(ingress.spec).rules)) {
    for (const path of asList(asObject(asObject(rule).http).paths)) {
      const backend = asObject(asObject(path).backend);
      if (!isSet(backend.service)) return 'crash';
      if (asText(asObject(backend.service).name) === service) return 'yes';
    }
  }
  return 'no';
}
