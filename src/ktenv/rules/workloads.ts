/** Checks workloads without the label, and labels without a VirtualEnvironment. */

import type { Finding } from '../../core/finding';
import { asObject } from '../../core/json';
import { defineRules } from '../../core/rule';
import { DEFAULT_LABEL } from '../api/names';
import { Selection, serviceOf, VIRTUAL_ENVIRONMENT, workloadOf } from '../controller';
import { TAG_INJECTION_LABEL } from '../install/names';
import { type KtEnvCheck, type KtEnvChecker, listed, relatedTo, type Subject, workloadsIn } from './context';
import { DEV, VIRTUAL_ENVIRONMENT as EXAMPLE, edit, NAMESPACE, PROJECT, SERVICE, STACK, yaml } from './examples';
import { labelsOfWebhook, operatorsIn, webhookDeploymentsIn } from './installed';
import { source } from './sources';

const UNLABELLED = edit(
  PROJECT,
  ['name: web-dev-proj1,', 'name: web-old,'],
  ['matchLabels: { app: web, virtual-env: "dev.proj1" }', 'matchLabels: { app: web, release: old }'],
  ['labels: { app: web, virtual-env: "dev.proj1" }', 'labels: { app: web, release: old }'],
);

/** Rules on workloads and their VirtualEnvironment. */
export const workloadRules = defineRules({
  'ktenv-label-missing': {
    severity: 'warning',
    title: 'pods of a Service with environments have no environment, and get no requests',
    because:
      'with a default environment every route of the Service leads to a subset, and only pods with the label are in a ' +
      'subset. A Service gets no routes if none of its pods has the label',
    fix: 'add the label with an environment to spec.template.metadata.labels',
    basis: 'run',
    sources: [source.labels, source.virtualService],
    failing: yaml(...STACK, UNLABELLED),
    corrected: yaml(...STACK),
  },
  'ktenv-virtual-environment-missing': {
    severity: 'warning',
    title: 'pods have an environment, but their namespace has no VirtualEnvironment',
    because:
      'the operator of a namespace does nothing without a VirtualEnvironment, so requests go to the pods of any environment',
    fix: 'add a VirtualEnvironment to the namespace',
    basis: 'read',
    sources: [source.trigger],
    failing: yaml(NAMESPACE, SERVICE, DEV, PROJECT),
    corrected: yaml(NAMESPACE, EXAMPLE, SERVICE, DEV, PROJECT),
  },
});

/** Checks workloads. */
export const checkWorkloads: KtEnvChecker = (check) => [
  ...check.subjects.flatMap((subject) => unlabelled(subject, check)),
  ...missing(check),
];

function unlabelled({ services, namespace, plan: { environment } }: Subject, { world }: KtEnvCheck): Finding[] {
  const { label } = environment;
  const rule = workloadRules['ktenv-label-missing'];
  const without = workloadsIn(world, namespace).filter(
    // Another check reports a label in the wrong place.
    (one) => workloadOf(one.object).labels[label] === undefined && one.labels[label] === undefined,
  );
  const selection = new Selection(without, ({ object }) => workloadOf(object).labels);
  return services.flatMap(({ manifest, plan }) => {
    if (Object.keys(asObject(manifest.get('spec.selector'))).length === 0) return [];
    const service = serviceOf(manifest.object);
    const behind = selection.of(service);
    if (plan.outcome === 'written' && plan.defaultSubset !== '') {
      return behind.map((one) =>
        one.finding(rule, {
          message: `the pods of ${one.kind} "${one.name}" have no ${label}, so no route of "${manifest.name}" leads to them`,
          path: ['spec', 'template', 'metadata', 'labels'],
          ...relatedTo(manifest, `the Service "${manifest.name}" is here`),
        }),
      );
    }
    const speaksHttp = service.ports.some(({ name }) => name.startsWith('http'));
    if (plan.outcome !== 'no-workload' || behind.length === 0 || !speaksHttp) return [];
    return [
      manifest.finding(rule, {
        // All environments may share a Service on purpose.
        severity: 'note',
        message: `"${manifest.name}" gets no routes, because the pods of ${listed(behind.map((one) => `${one.kind} "${one.name}"`))} have no ${label}`,
        path: ['spec', 'selector'],
      }),
    ];
  });
}

/** Only for namespaces that use KtEnv: they have its operator, or the label for tag injection. */
function missing({ world }: KtEnvCheck): Finding[] {
  const operators = operatorsIn(world).map((one) => world.namespaceOf(one));
  const tagged = world
    .list('Namespace')
    .filter(({ labels }) => labels[TAG_INJECTION_LABEL] === 'enabled')
    .map(({ name }) => name);
  const known = [DEFAULT_LABEL, ...webhookDeploymentsIn(world).flatMap((one) => labelsOfWebhook(one) ?? [])];
  return [...new Set([...operators, ...tagged])]
    .filter((namespace) => world.list(VIRTUAL_ENVIRONMENT, namespace).length === 0)
    .flatMap((namespace) => {
      const carrying = workloadsIn(world, namespace).filter((one) => {
        const { labels } = workloadOf(one.object);
        return known.some((label) => (labels[label] ?? '') !== '');
      });
      const [first] = carrying;
      if (first === undefined) return [];
      return [
        first.finding(workloadRules['ktenv-virtual-environment-missing'], {
          message: `the namespace "${namespace}" has no VirtualEnvironment for ${listed(carrying.map((one) => `${one.kind} "${one.name}"`))}`,
          absent: [{ kind: 'VirtualEnvironment', namespace }],
        }),
      ];
    });
}
