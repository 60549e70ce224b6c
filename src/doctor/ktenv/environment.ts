/** The questions about one namespace of KtEnv: what the operator wrote, and the tags of pods. */
import { isJsonObject, type Json, type JsonObject, Manifest, ownValue } from '../../core';
import type { CheckupItem, CheckupSection } from '../../core/checkup';
import { goJson } from '../../core/go-json';
import { TAG_VARIABLE } from '../../ktenv/api/names';
import { type OperatorPlan, playVirtualEnvironment, VIRTUAL_ENVIRONMENT } from '../../ktenv/controller';
import { TAG_INJECTION_LABEL } from '../../ktenv/install/names';
import { operatorsIn } from '../../ktenv/rules/installed';
import type { LiveCluster } from '../cluster';
import { isOwnedBy } from '../declared';
import { differenceOf } from '../difference';
import { listed, nameOf, Question } from '../question';

const NOTHING_HASHED = { labels: [], stable: undefined, canary: undefined };

/** All questions about the namespace of a VirtualEnvironment. */
export function environmentSection(manifest: Manifest, cluster: LiveCluster): CheckupSection {
  const { world } = cluster;
  const namespace = world.namespaceOf(manifest);
  const plan = playVirtualEnvironment(world, manifest);
  return {
    title: `Namespace ${namespace} (${nameOf(manifest, namespace)})`,
    object: manifest.ref,
    items: [
      alone(namespace, cluster),
      operator(namespace, cluster),
      labels(plan, namespace, cluster),
      services(plan, namespace, cluster),
      written(plan, manifest, namespace, cluster),
      pods(plan, namespace, cluster),
    ],
  };
}

function alone(namespace: string, { world }: LiveCluster): CheckupItem {
  const all = world.list(VIRTUAL_ENVIRONMENT, namespace).map((one) => nameOf(one));
  const question = new Question('ktenv-environment', 'is there one VirtualEnvironment?', all);
  if (all.length === 1) return question.ok(`${all[0]} is the only one`);
  return question.problem(`there are ${listed(all)}; the operator deletes all but one`, { fix: 'keep one' });
}

function operator(namespace: string, cluster: LiveCluster): CheckupItem {
  const found = operatorsIn(cluster.world).filter((one) => cluster.world.namespaceOf(one) === namespace);
  const names = found.map((one) => nameOf(one, namespace));
  const looked = names.length > 0 ? names : [`Deployments of ${namespace} with the image virtual-env-operator`];
  const question = new Question('ktenv-operator', 'does the operator run in the namespace?', looked);
  const [first] = found;
  if (first === undefined) {
    const unread = cluster.unread('Deployment.apps', namespace);
    if (unread !== undefined) return question.unknown(unread);
    return question.problem('the operator has no Deployment, so nothing writes routes', {
      fix: `install the operator of KtEnv in the namespace "${namespace}"`,
    });
  }
  if (first.get('status') !== undefined && typeof first.get('status.availableReplicas') !== 'number') {
    return question.problem(`${names[0]} has no pod that is available`, {
      fix: `look at it: kubectl logs -n ${namespace} deployment/${first.name}`,
    });
  }
  return question.ok(`${names[0]} runs`);
}

function labels({ environment: { autoInject } }: OperatorPlan, namespace: string, cluster: LiveCluster): CheckupItem {
  const what = autoInject ? 'sidecars and tags' : 'sidecars';
  const question = new Question('ktenv-labels', `do the labels of the namespace switch on ${what}?`, [
    `labels of Namespace ${namespace}`,
  ]);
  const found = cluster.world.find('Namespace', namespace);
  if (found === undefined) {
    return question.unknown(
      cluster.unread('Namespace') ?? { groupKind: 'Namespace', namespace, why: 'it is not there' },
    );
  }
  const own = found.labels;
  const missing = [
    ...(own['istio-injection'] === 'enabled' || own['istio.io/rev'] !== undefined ? [] : ['istio-injection=enabled']),
    ...(!autoInject || own[TAG_INJECTION_LABEL] === 'enabled' ? [] : [`${TAG_INJECTION_LABEL}=enabled`]),
  ];
  if (missing.length === 0) return question.ok('they do');
  return question.problem(`it has no label ${listed(missing)}`, {
    fix: `kubectl label namespace ${namespace} ${missing.join(' ')}, and restart the pods`,
  });
}

/** Why a Service with labelled pods gets no routes, most often because of port names. */
function services({ services: plans }: OperatorPlan, namespace: string, cluster: LiveCluster): CheckupItem {
  const selecting = plans.filter(({ workloads }) => workloads.length > 0);
  const question = new Question(
    'ktenv-services',
    'does every Service of labelled pods get routes?',
    selecting.map(({ service }) => `Service ${namespace}/${service}`),
  );
  const unread = ['Service', 'Deployment.apps'].map((kind) => cluster.unread(kind, namespace)).find(Boolean);
  if (unread !== undefined) return question.unknown(unread);
  if (selecting.length === 0) return question.problem('no Service selects pods with the label of environments');
  const nameless = selecting.filter(({ ports }) => ports.length === 0).map(({ service }) => `Service ${service}`);
  if (nameless.length > 0) {
    return question.problem(`${listed(nameless)} ${nameless.length === 1 ? 'has' : 'have'} no port named "http…"`, {
      fix: 'name the ports "http" or "http-…", as Istio asks for it',
    });
  }
  const single = selecting.filter(({ outcome }) => outcome !== 'written').map(({ service }) => service);
  const more = single.length === 0 ? '' : `; ${listed(single)} needs none, as only the default environment has pods`;
  return question.ok(`${selecting.length - single.length} of ${selecting.length} do${more}`);
}

/** Compares the objects of the operator with its model. The order does not matter. */
function written(plan: OperatorPlan, owner: Manifest, namespace: string, cluster: LiveCluster): CheckupItem {
  const should = [...plan.virtualServices, ...plan.destinationRules, ...plan.envoyFilters].map((object) =>
    Manifest.of(withoutOrder(object)),
  );
  const names = should.map((one) => nameOf(one, namespace));
  const question = new Question('ktenv-written', 'has the operator written what it should?', names);
  const kinds = ['VirtualService', 'DestinationRule', 'EnvoyFilter'].map((kind) => `${kind}.networking.istio.io`);
  const unread = should.map(({ groupKind }) => cluster.unread(groupKind, namespace)).find((one) => one !== undefined);
  if (unread !== undefined) return question.unknown(unread);
  const details = should.flatMap((one) => {
    const live = cluster.world.find(one.groupKind, one.name, namespace);
    if (live === undefined) return [`${nameOf(one, namespace)} should be there`];
    const [expected, found] = [one, Manifest.of(withoutOrder(live.object))].map((each) =>
      Manifest.of({ kind: each.kind, spec: each.object.spec ?? {} }),
    );
    const lines = differenceOf(expected, found, 'whole', NOTHING_HASHED);
    return lines.length === 0 ? [] : [nameOf(one, namespace), ...lines.map((line) => `  ${line}`)];
  });
  const surplus = kinds
    .flatMap((kind) => cluster.world.list(kind, namespace))
    .filter((live) => isOwnedBy(live, owner) && !names.includes(nameOf(live, namespace)))
    .map((live) => `${nameOf(live, namespace)} should not be there`);
  const all = [...details, ...surplus];
  if (all.length === 0) {
    return question.ok(
      `${plan.virtualServices.length} VirtualServices and ${plan.destinationRules.length} DestinationRules are as the operator writes them`,
    );
  }
  return question.problem(`${listed(all.filter((line) => !line.startsWith(' ')))}: not as the operator writes it`, {
    details: ['- should be, + is', ...all],
    fix: 'look at the log of the operator; it treats an object with the name of a Service as its own',
  });
}

/** Sorts routes within a port, and subsets, because the operator writes them in random order. */
function withoutOrder(object: JsonObject): JsonObject {
  const spec = isJsonObject(object.spec) ? object.spec : {};
  const sorted = (list: Json | undefined) =>
    Array.isArray(list) ? [...list].sort((a, b) => (goJson(a) < goJson(b) ? -1 : 1)) : undefined;
  const http = sorted(spec.http);
  const subsets = sorted(spec.subsets);
  return { ...object, spec: { ...spec, ...(http && { http }), ...(subsets && { subsets }) } };
}

/** The tag that the webhook should have given to each pod. */
function pods({ environment }: OperatorPlan, namespace: string, cluster: LiveCluster): CheckupItem {
  const labelled = cluster.world
    .list('Pod', namespace)
    .filter(({ labels: own }) => (own[environment.label] ?? '') !== '');
  const question = new Question('ktenv-pods', 'do pods have their sidecar, and the sidecar its tag?', [
    `${labelled.length} pods of ${namespace} with the label ${environment.label}`,
  ]);
  const unread = cluster.unread('Pod', namespace);
  if (unread !== undefined) return question.unknown(unread);
  if (labelled.length === 0) return question.notApplicable(`no pod has the label ${environment.label}`);
  const reasons = labelled.flatMap((pod) => {
    const reason = untagged(pod, pod.labels[environment.label]!);
    return reason === undefined ? [] : [`Pod ${pod.name} ${reason}`];
  });
  if (reasons.length === 0) return question.ok('all of them do');
  return question.problem(`${reasons.length} of ${labelled.length} pods do not: ${reasons[0]}`, {
    details: reasons,
    fix: 'restart the pods once namespace labels, Istio and the webhook are right: tags are given when a pod is created',
  });
}

function untagged(pod: Manifest, tag: string): string | undefined {
  const containers = pod.get('spec.containers');
  const inits = pod.get('spec.initContainers');
  const named = (list: Json | undefined) =>
    (Array.isArray(list) ? list : []).find((one: Json) => ownValue(one, 'name') === 'istio-proxy');
  const sidecar = named(containers);
  if (sidecar === undefined) {
    return named(inits) === undefined
      ? 'has no sidecar'
      : 'has its sidecar among the init containers, where the webhook does not look';
  }
  const env = ownValue(sidecar, 'env');
  const variable = (Array.isArray(env) ? env : []).find((one: Json) => ownValue(one, 'name') === TAG_VARIABLE);
  if (variable === undefined) return `has no ${TAG_VARIABLE} in its sidecar`;
  const value = ownValue(variable, 'value');
  return value === tag ? undefined : `has the tag "${String(value)}" and the label "${tag}"`;
}
