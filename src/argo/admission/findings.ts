import { severityOfAbsence } from '../../core/absence';
import { isExternal } from '../../core/external';
import type { Finding } from '../../core/finding';
import { asObject, asText, type JsonObject } from '../../core/json';
import { groupKindOf, type Manifest } from '../../core/manifest';
import { formatPath, type Path } from '../../core/path';
import { checkObject, scaleErrors, schemaFindings } from '../../core/schema';
import type { World } from '../../core/world';
import { API_GROUP, API_KINDS, API_VERSION, type ApiKind } from '../api/names';
import { apiSchema } from '../api/schema';
import type { ArgoCheckOptions } from '../check-options';
import { currentIngress } from '../ingress-versions';
import { possibleVirtualServices, readIstioRollout } from '../istio-rollout';
import { ArgoRolloutsVersion } from '../version';
import { admitArgoRollout, allProblems } from './admit';
import { analysisRunProblems, templateProblems } from './analysis-objects';
import type { ArgoCluster } from './cluster';
import { isNeverRead, undecodable } from './decode';
import { experimentProblems } from './experiment';
import type { ArgoProblem, Problem } from './problem';
import { ingressesOf, servicesOf } from './references';
import { argoAdmissionRules } from './rules';

/** The kind of an Argo Rollout in a World. */
export const ARGO_ROLLOUT = 'Rollout.argoproj.io';

const VIRTUAL_SERVICE = 'VirtualService.networking.istio.io';
const DESTINATION_RULE = 'DestinationRule.networking.istio.io';

/**
 * Reports everything that the API server and the controller refuse or drop in the Argo Rollouts objects of a World. The
 * controller itself reports only the first problem of an object.
 *
 * @example admissionFindings(World.of(readManifests(['deploy']).manifests))
 */
export function admissionFindings(world: World, options: ArgoCheckOptions = {}): Finding[] {
  const cluster: ArgoCluster = {
    ...clusterOf(world),
    ...(options.version && { version: options.version }),
    isExternal: (ref) => isExternal(options, ref),
  };
  return API_KINDS.flatMap((kind) =>
    world.list(`${kind}.${API_GROUP}`).flatMap((manifest) => {
      if (manifest.apiVersion !== `${API_GROUP}/${API_VERSION}`) return [unknownVersion(manifest)];
      return kind === 'Rollout'
        ? rolloutFindings(manifest, world, cluster)
        : otherFindings(manifest, kind, world, cluster);
    }),
  );
}

/** The objects of a World that a Rollout can refer to, with explicit namespaces. */
export function clusterOf(world: World): ArgoCluster {
  const list = (...kinds: readonly string[]) =>
    kinds.flatMap((kind) => world.list(kind).map((manifest) => placed(manifest, world)));
  return {
    services: list('Service'),
    ingresses: list('Ingress.networking.k8s.io').map(currentIngress),
    virtualServices: list(VIRTUAL_SERVICE),
    destinationRules: list(DESTINATION_RULE),
    analysisTemplates: list('AnalysisTemplate.argoproj.io'),
    clusterAnalysisTemplates: list('ClusterAnalysisTemplate.argoproj.io'),
    workloads: list('Deployment.apps', 'ReplicaSet.apps', 'PodTemplate'),
  };
}

/** The objects that one Rollout refers to: the part of `clusterOf` that matters to it, found by their names. */
export function clusterBeside(world: World, manifest: Manifest): ArgoCluster {
  const namespace = world.namespaceOf(manifest);
  const find = (kind: string, names: readonly string[], of = namespace) =>
    names.flatMap((name) => world.find(kind, name, of) ?? []).map((found) => placed(found, world));
  const { kind, apiVersion, name } = asObject(asObject(manifest.object.spec).workloadRef);
  const workload = groupKindOf(asText(kind), asText(apiVersion));
  const { analysisTemplates, clusterAnalysisTemplates } = world.memo(clusterOf);
  const istio = readIstioRollout(manifest.object, namespace);
  return {
    virtualServices: possibleVirtualServices(manifest.object, namespace).flatMap(({ name: vs, namespace: of }) =>
      find(VIRTUAL_SERVICE, [vs], of),
    ),
    destinationRules: istio?.subsets === undefined ? [] : find(DESTINATION_RULE, [istio.subsets.name]),
    services: find('Service', servicesOf(manifest.object).map(nameOfReference)),
    ingresses: find('Ingress.networking.k8s.io', ingressesOf(manifest.object).map(nameOfReference)).map(currentIngress),
    workloads: find(workload, [asText(name)]),
    ...(analysisTemplates && { analysisTemplates }),
    ...(clusterAnalysisTemplates && { clusterAnalysisTemplates }),
  };
}

const nameOfReference = ({ name }: { readonly name: string }) => name;

/** The object with its namespace in the World, which the object itself may lack. */
export function placed(manifest: Manifest, world: World): JsonObject {
  const { metadata } = manifest.object;
  const namespace = world.namespaceOf(manifest);
  return { ...manifest.object, metadata: { ...(metadata as JsonObject), namespace } };
}

function rolloutFindings(manifest: Manifest, world: World, cluster: ArgoCluster): Finding[] {
  const verdict = admitArgoRollout(placed(manifest, world), cluster);
  const { unknown, nulls, object } = verdict;
  const errors = [...(verdict.allowed ? [] : verdict.schemaErrors), ...scaleErrors(object, ['spec', 'replicas'])];
  const isRefused = ({ path }: { readonly path: Path }) => errors.some((error) => overlaps(error.path, path));
  const decoded = verdict.allowed || verdict.stage !== 'decode' ? [] : verdict.problems;
  const unreadable = decoded.filter((problem) => !isRefused(problem));
  const refused = [...errors, ...unreadable].map(({ path }) => path);
  const problems = allProblems(object, cluster).filter(({ path }) => !refused.some((one) => overlaps(one, path)));
  return [
    ...schemaFindings(manifest, { unknown, nulls, errors }),
    ...different([...unreadable, ...problems.map((problem) => ifRead(problem, unreadable))]).map((problem) =>
      problemFinding(manifest, world, problem),
    ),
  ];
}

/** A mistake that the controller never reads counts only once the value before it is corrected. */
function ifRead(problem: ArgoProblem, unreadable: readonly ArgoProblem[]): ArgoProblem {
  return isNeverRead(problem.path, unreadable) ? { ...problem, severity: 'warning' } : problem;
}

/** The controller's checks of each kind except Rollouts. */
const CHECKS: {
  readonly [Kind in Exclude<ApiKind, 'Rollout'>]: (object: JsonObject, cluster: ArgoCluster) => readonly Problem[];
} = {
  AnalysisRun: analysisRunProblems,
  AnalysisTemplate: templateProblems,
  ClusterAnalysisTemplate: templateProblems,
  Experiment: experimentProblems,
};

function otherFindings(
  manifest: Manifest,
  kind: Exclude<ApiKind, 'Rollout'>,
  world: World,
  cluster: ArgoCluster,
): Finding[] {
  const { version = ArgoRolloutsVersion.LATEST } = cluster;
  const schema = apiSchema(kind, version.facts.lacksFields);
  // A cluster-scoped object has no namespace.
  const written = kind === 'ClusterAnalysisTemplate' ? manifest.object : placed(manifest, world);
  const { object, unknown, nulls, errors } = checkObject(written, schema);
  const unreadable = undecodable(object, schema);
  const refused = [...errors, ...unreadable].map(({ path }) => path);
  const problems = CHECKS[kind](object, cluster).filter(({ path }) => !refused.some((one) => overlaps(one, path)));
  return [
    ...schemaFindings(manifest, { unknown, nulls, errors }),
    ...[...unreadable, ...problems].map((problem) => problemFinding(manifest, world, problem)),
  ];
}

function unknownVersion(manifest: Manifest): Finding {
  const { kind, apiVersion } = manifest;
  return manifest.finding(argoAdmissionRules['argo-version-unknown'], {
    path: ['apiVersion'],
    message: `apiVersion: Argo Rollouts has no ${kind} in ${apiVersion}`,
  });
}

/** Whether one path contains the other. */
function overlaps(a: Path, b: Path): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.every((part, index) => part === long[index]);
}

/** Removes duplicates: the controller reports managed routes once per step, and an invalid selector twice. */
function different(problems: readonly ArgoProblem[]): ArgoProblem[] {
  const byPlace = new Map<string, ArgoProblem>();
  for (const problem of problems) {
    const key = `${problem.rule} ${formatPath(problem.path)} ${problem.rule === 'argo-managed-routes-missing' ? '' : problem.text}`;
    if (!byPlace.has(key)) byPlace.set(key, problem);
  }
  return [...byPlace.values()];
}

function problemFinding(manifest: Manifest, world: World, problem: Problem): Finding {
  const { rule, path, text, fix, step, severity, absent, about } = problem;
  const found = about && world.find(about.kind, about.name, world.namespaceOf(manifest));
  const sure = severity ?? (absent && severityOfAbsence(world, manifest, absent));
  return manifest.finding(argoAdmissionRules[rule], {
    path,
    message: `${formatPath(path)}: ${text}`,
    ...(fix === undefined ? {} : { fix }),
    ...(step === undefined ? {} : { step }),
    ...(sure === undefined ? {} : { severity: sure }),
    ...(found && { related: found.declaration }),
    ...(absent && { absent: [{ ...absent, ...(manifest.namespace && { namespace: manifest.namespace }) }] }),
  });
}
