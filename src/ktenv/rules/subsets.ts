/** Checks the labels of pods, and the subsets that the operator makes of them. */
import type { Finding } from '../../core/finding';
import { ownValue } from '../../core/json';
import { defineRules } from '../../core/rule';
import { subsetName } from '../controller';
import { absentWorkloads, type KtEnvCheck, type KtEnvChecker, listed, routed, type Subject } from './context';
import { DEV, deployment, edit, PROJECT, SERVICE, STACK, VIRTUAL_ENVIRONMENT, yaml } from './examples';
import { source } from './sources';

const SUBSET = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** Kinds whose pods may have the label, although the operator ignores them. */
const IGNORED_KINDS = [
  'DaemonSet.apps',
  'ReplicaSet.apps',
  'CloneSet.apps.kruise.io',
  'StatefulSet.apps.kruise.io',
  'DaemonSet.apps.kruise.io',
  'Rollout.argoproj.io',
  'Job.batch',
];

/** Rules on the labels of pods and their subsets. */
export const subsetRules = defineRules({
  'ktenv-default-subset-missing': {
    severity: 'error',
    title: 'a Service has no workload of the default environment, so its default route returns 503',
    because:
      'the default route of every Service names the subset of defaultSubset; if none of its workloads has that label, the ' +
      'DestinationRule has no such subset and Envoy returns 503',
    fix: 'add a workload of the default environment to the Service',
    basis: 'run',
    sources: [source.virtualService, source.destinationRule],
    failing: yaml(VIRTUAL_ENVIRONMENT, SERVICE, PROJECT, deployment('dev.proj2')),
    corrected: yaml(...STACK),
  },
  'ktenv-subset-duplicate': {
    severity: 'error',
    title: 'two workloads of a Service have the same environment, which makes a duplicate subset',
    because:
      'the operator writes one subset for each workload; Istio 1.22 and later reject two subsets with the same name',
    fix: 'keep one Deployment or StatefulSet for each environment of the Service',
    basis: 'run',
    sources: [source.labels, source.destinationRule, source.istioNotes],
    failing: yaml(...STACK, edit(DEV, ['name: web-dev,', 'name: web-dev-too,'])),
    corrected: yaml(...STACK),
  },
  'ktenv-subset-collision': {
    severity: 'error',
    title: 'two environments of a Service become the same subset',
    because:
      'the name of a subset is the environment with "_" and "." replaced by "-"; two equal names make a duplicate subset, ' +
      'which Istio 1.22 and later reject, and older releases mix up',
    fix: 'name the environments so that they differ in more than ".", "_" and "-"',
    basis: 'run',
    sources: [source.virtualService, source.destinationRule, source.istioNotes],
    failing: yaml(...STACK, edit(deployment('dev-proj1'), ['name: web-dev-proj1', 'name: web-other'])),
    corrected: yaml(...STACK, deployment('dev.proj2')),
  },
  'ktenv-subset-invalid': {
    severity: 'error',
    title: 'the environment of a workload is not a valid subset name',
    because:
      'a subset name has at most 63 lower case letters, digits and dashes; the operator replaces only "_" and ".". Istio ' +
      'rejects the whole DestinationRule if one name is invalid',
    fix: 'write the environment in lower case letters, digits, dashes and dots',
    basis: 'run',
    sources: [source.virtualService, source.istioDestinationRule],
    failing: yaml(...STACK, deployment('dev.Proj2')),
    corrected: yaml(...STACK, deployment('dev.proj2')),
  },
  'ktenv-label-misplaced': {
    severity: 'error',
    title: 'a workload has the label, but its pods do not',
    because:
      'the operator reads only the labels of the pod template; without the label there, the workload has no environment',
    fix: 'add the label to spec.template.metadata.labels',
    basis: 'run',
    sources: [source.labels],
    failing: yaml(
      ...STACK,
      `apiVersion: apps/v1
kind: Deployment
metadata: { name: web-proj2, namespace: shop, labels: { virtual-env: dev.proj2 } }
spec:
  selector: { matchLabels: { app: web, release: proj2 } }
  template:
    metadata: { labels: { app: web, release: proj2 } }
    spec: { containers: [{ name: web, image: example.com/web:1 }] }
`,
    ),
    corrected: yaml(...STACK, deployment('dev.proj2')),
  },
  'ktenv-workload-ignored': {
    severity: 'warning',
    title: 'pods have the label, but the operator ignores their kind',
    because:
      'the operator reads only Deployments and StatefulSets of the group apps; pods of other workloads get no subset, and ' +
      'requests for their environment go to its parent or to the default',
    fix: 'use a Deployment or a StatefulSet',
    basis: 'run',
    sources: [source.labels],
    failing: yaml(...STACK, edit(deployment('dev.proj2'), ['kind: Deployment', 'kind: DaemonSet'])),
    corrected: yaml(...STACK, deployment('dev.proj2')),
  },
});

/** Checks labels and subsets. */
export const checkSubsets: KtEnvChecker = (check) =>
  check.subjects.flatMap((subject) => [
    ...routed(subject).flatMap((service) => [...defaults(service, subject), ...repeats(service, check, subject)]),
    ...invalid(subject),
    ...misplaced(subject, check),
    ...ignored(subject, check),
  ]);

type Service = Subject['services'][number];

function defaults({ plan, manifest }: Service, { namespace, plan: { environment } }: Subject): Finding[] {
  if (plan.outcome !== 'written' || plan.defaultSubset === '' || plan.ports.length === 0) return [];
  const environments = environmentsOf({ plan, manifest }, environment.label);
  if (environments.some((one) => subsetName(one) === plan.defaultSubset)) return [];
  return [
    manifest.finding(subsetRules['ktenv-default-subset-missing'], {
      message: `"${manifest.name}" has no workload of the default environment "${environment.defaultSubset}", only ${listed(environments)}`,
      absent: absentWorkloads(namespace),
    }),
  ];
}

function repeats(service: Service, { istio }: KtEnvCheck, { plan: { environment } }: Subject): Finding[] {
  const { plan, manifest } = service;
  if (plan.outcome !== 'written') return [];
  const refused = istio?.facts.refusesEqualSubsets === true;
  const all = plan.workloads.map((one) => one.labels[environment.label]!);
  const names = [...new Set(all.map(subsetName))];
  return names.flatMap((name) => {
    const environments = [...new Set(all.filter((one) => subsetName(one) === name))];
    if (environments.length > 1) {
      return manifest.finding(subsetRules['ktenv-subset-collision'], {
        severity: refused ? 'error' : 'warning',
        message: `the environments ${listed(environments)} of "${manifest.name}" all become the subset "${name}"`,
      });
    }
    const workloads = plan.workloads.filter((one) => one.labels[environment.label] === environments[0]);
    // Older releases of Istio accept the same subset twice without harm.
    if (workloads.length < 2 || (istio !== undefined && !refused)) return [];
    return manifest.finding(subsetRules['ktenv-subset-duplicate'], {
      severity: refused ? 'error' : 'warning',
      message: `${listed(workloads.map((one) => `${one.kind} "${one.name}"`))} of "${manifest.name}" all have ${environments[0]}`,
    });
  });
}

function invalid({ workloads, plan }: Subject): Finding[] {
  return workloads
    .filter(({ environment }) => !SUBSET.test(subsetName(environment)))
    .map(({ manifest, environment }) =>
      manifest.finding(subsetRules['ktenv-subset-invalid'], {
        message: `the environment "${environment}" of ${manifest.kind} "${manifest.name}" makes the subset "${subsetName(environment)}"`,
        path: ['spec', 'template', 'metadata', 'labels', plan.environment.label],
      }),
    );
}

function misplaced({ namespace, plan }: Subject, { world }: KtEnvCheck): Finding[] {
  const { label } = plan.environment;
  return ['Deployment.apps', 'StatefulSet.apps']
    .flatMap((groupKind) => world.list(groupKind, namespace))
    .filter((manifest) => manifest.labels[label] !== undefined && podLabel(manifest.object, label) === undefined)
    .map((manifest) =>
      manifest.finding(subsetRules['ktenv-label-misplaced'], {
        message: `${manifest.kind} "${manifest.name}" has ${label}: ${manifest.labels[label]}, but its pods do not`,
        path: ['metadata', 'labels', label],
      }),
    );
}

function ignored({ namespace, plan, workloads }: Subject, { world }: KtEnvCheck): Finding[] {
  const { label } = plan.environment;
  const known = new Set(workloads.map(({ environment }) => environment));
  const templated = IGNORED_KINDS.flatMap((groupKind) => world.list(groupKind, namespace)).map((manifest) => ({
    manifest,
    environment: podLabel(manifest.object, label),
  }));
  const pods = world.list('Pod', namespace).map((manifest) => ({ manifest, environment: manifest.labels[label] }));
  return [...templated, ...pods].flatMap(({ manifest, environment }) => {
    if (typeof environment !== 'string') return [];
    const consequence = known.has(environment) ? 'it adds nothing to the routes' : 'no route leads to it';
    return manifest.finding(subsetRules['ktenv-workload-ignored'], {
      message: `${manifest.kind} "${manifest.name}" has the environment "${environment}", but ${consequence}`,
    });
  });
}

function podLabel(object: unknown, label: string) {
  const template = ownValue(ownValue(object, 'spec'), 'template');
  return ownValue(ownValue(ownValue(template, 'metadata'), 'labels'), label);
}

function environmentsOf({ plan }: Service, label: string): string[] {
  return [...new Set(plan.workloads.map(({ labels }) => labels[label]!))];
}
