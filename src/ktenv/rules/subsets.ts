/** Labels of pods, and the subsets that become of them. */
import type { Finding } from '../../core/finding';
import { ownValue } from '../../core/json';
import { defineRules } from '../../core/rule';
import { subsetName } from '../controller';
import { absentWorkloads, type KtEnvCheck, type KtEnvChecker, listed, routed, type Subject } from './context';
import { DEV, deployment, edit, PROJECT, SERVICE, STACK, VIRTUAL_ENVIRONMENT, yaml } from './examples';
import { isAtLeast } from './istio-version';
import { source } from './sources';

const SUBSET = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** Kinds whose pods may carry the label although the operator does not look at them. */
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
    title: 'a Service has no workload of the default environment, so its default route answers 503',
    because:
      'the default route of every Service names the subset of defaultSubset; where none of its workloads carries that ' +
      'label, the DestinationRule has no such subset and Envoy answers 503',
    fix: 'add a workload of the default environment to the Service',
    basis: 'run',
    sources: [source.virtualService, source.destinationRule],
    failing: yaml(VIRTUAL_ENVIRONMENT, SERVICE, PROJECT, deployment('dev.proj2')),
    corrected: yaml(...STACK),
  },
  'ktenv-subset-duplicate': {
    severity: 'error',
    title: 'two workloads of a Service carry the same environment, which makes a subset twice',
    because: 'the operator writes one subset for each workload; Istio 1.22 and later refuse two subsets of one name',
    fix: 'leave one Deployment or StatefulSet for each environment of the Service',
    basis: 'run',
    sources: [source.labels, source.destinationRule, source.istioNotes],
    failing: yaml(...STACK, edit(DEV, ['name: web-dev,', 'name: web-dev-too,'])),
    corrected: yaml(...STACK),
  },
  'ktenv-subset-collision': {
    severity: 'error',
    title: 'two environments of a Service become the same subset',
    because:
      'the name of a subset is the environment with "_" and "." replaced by "-"; two that are the same then make a ' +
      'subset twice, which Istio 1.22 and later refuse, and older ones mix up',
    fix: 'name the environments so that they differ in more than ".", "_" and "-"',
    basis: 'run',
    sources: [source.virtualService, source.destinationRule, source.istioNotes],
    failing: yaml(...STACK, edit(deployment('dev-proj1'), ['name: web-dev-proj1', 'name: web-other'])),
    corrected: yaml(...STACK, deployment('dev.proj2')),
  },
  'ktenv-subset-invalid': {
    severity: 'error',
    title: 'the environment of a workload makes no valid name of a subset',
    because:
      'Istio takes lower case letters, digits and dashes, at most 63 of them; the operator replaces "_" and "." and ' +
      'nothing else. A DestinationRule with one wrong name is refused as a whole',
    fix: 'write the environment in lower case letters, digits, dashes and dots',
    basis: 'run',
    sources: [source.virtualService, source.istioDestinationRule],
    failing: yaml(...STACK, deployment('dev.Proj2')),
    corrected: yaml(...STACK, deployment('dev.proj2')),
  },
  'ktenv-label-misplaced': {
    severity: 'error',
    title: 'a workload carries the label itself, and its pods do not',
    because:
      'the operator reads the labels of the pod template alone; without it the workload belongs to no environment',
    fix: 'put the label into spec.template.metadata.labels',
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
    title: 'pods carry the label, but are of a kind that the operator does not look at',
    because:
      'the operator reads Deployments and StatefulSets of apps; pods of any other workload get no subset, and requests ' +
      'for their environment go to the default or to its parent',
    fix: 'run them by a Deployment or a StatefulSet',
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
  const refused = istio !== undefined && isAtLeast(istio, 22);
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
    // Older releases of Istio take the same subset twice without harm.
    if (workloads.length < 2 || (istio !== undefined && !refused)) return [];
    return manifest.finding(subsetRules['ktenv-subset-duplicate'], {
      severity: refused ? 'error' : 'warning',
      message: `${listed(workloads.map((one) => `${one.kind} "${one.name}"`))} of "${manifest.name}" all carry ${environments[0]}`,
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
        message: `${manifest.kind} "${manifest.name}" carries ${label}: ${manifest.labels[label]}, its pods do not`,
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
      message: `${manifest.kind} "${manifest.name}" is of the environment "${environment}", but ${consequence}`,
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
