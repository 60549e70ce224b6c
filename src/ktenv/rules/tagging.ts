/** Checks how the label of a pod reaches the requests it sends: namespace, webhook, sidecar, EnvoyFilter. */
import type { Finding } from '../../core/finding';
import { ownValue } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import { defineRules } from '../../core/rule';
import { CONNECTION_MANAGER, workloadOf } from '../controller';
import { TAG_INJECTION_LABEL } from '../install/names';
import { type KtEnvCheck, type KtEnvChecker, relatedTo, type Subject } from './context';
import {
  AUTO_INJECT,
  DEV,
  edit,
  NAMESPACE,
  PROJECT,
  SERVICE,
  STACK,
  VIRTUAL_ENVIRONMENT,
  webhookStack,
  yaml,
} from './examples';
import { labelsOfWebhook, webhookDeploymentsIn } from './installed';
import { issue, source } from './sources';

const TAGGED = [AUTO_INJECT, SERVICE, DEV, PROJECT] as const;
/** The second environment, whose pods have another label that the webhook reads. */
const STAGED = edit(PROJECT, ['    metadata: { labels: {', '    metadata: { labels: { stage: blue,']);
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9])?$/;
const NATIVE_SIDECAR = 'sidecar.istio.io/nativeSidecar';

/** Rules on the tag that sidecars add to requests. */
export const taggingRules = defineRules({
  'ktenv-auto-inject-istio': {
    severity: 'error',
    title: 'autoInject does nothing on Istio 1.19 and later',
    because:
      `the EnvoyFilter of the operator refers to the filter "${CONNECTION_MANAGER}", a name that Envoy removed; Istio ` +
      'translates it up to 1.18, and in later releases the EnvoyFilter has no effect',
    fix: 'remove autoInject, and pass the header on in the apps; or write an EnvoyFilter with another name that refers to envoy.filters.network.http_connection_manager',
    basis: 'read',
    sources: [source.envoyFilter, issue(17)],
    failing: yaml(...TAGGED),
    corrected: yaml(...STACK),
  },
  'ktenv-native-sidecar': {
    severity: 'error',
    title: 'pods get a native sidecar, which the webhook does not tag',
    because:
      'the webhook looks for "istio-proxy" in the containers of the pod; with native sidecars, the default from 1.27 on, ' +
      'Istio adds it to the init containers',
    fix: `annotate the pod template with ${NATIVE_SIDECAR}: "false"`,
    basis: 'read',
    sources: [source.webhook, source.istioNotes],
    failing: yaml(
      NAMESPACE,
      VIRTUAL_ENVIRONMENT,
      SERVICE,
      DEV,
      edit(PROJECT, ['    metadata: { labels', `    metadata: { annotations: { ${NATIVE_SIDECAR}: "true" }, labels`]),
    ),
    corrected: yaml(NAMESPACE, ...STACK),
  },
  'ktenv-sidecar-missing': {
    severity: 'error',
    title: 'pods of an environment get no sidecar, which would route and tag their requests',
    because:
      'Istio injects no sidecar into pods with hostNetwork or with sidecar.istio.io/inject: "false"; their requests follow ' +
      'no routes and have no tag',
    fix: 'remove the opt-out or hostNetwork from the pod template',
    basis: 'documented',
    sources: [source.istioInjection],
    failing: yaml(
      VIRTUAL_ENVIRONMENT,
      SERVICE,
      DEV,
      edit(PROJECT, ['    metadata: { labels: {', '    metadata: { labels: { sidecar.istio.io/inject: "false",']),
    ),
    corrected: yaml(...STACK),
  },
  'ktenv-namespace-labels': {
    severity: 'error',
    title: 'the namespace has no label for sidecar injection or tag injection',
    because:
      'Istio injects sidecars if the namespace has istio-injection: enabled or istio.io/rev, or pods have the label ' +
      'sidecar.istio.io/inject: "true" themselves; the API server calls the ' +
      'webhook of KtEnv only if it has environment-tag-injection: enabled',
    fix: 'add the label to the Namespace',
    basis: 'read',
    sources: [source.install, source.istioInjection],
    failing: yaml(edit(NAMESPACE, [', environment-tag-injection: enabled', '']), ...TAGGED),
    corrected: yaml(NAMESPACE, ...TAGGED),
  },
  'ktenv-webhook-labels': {
    severity: 'error',
    title: 'the webhook does not know the label of an environment, so its pods get no tag',
    because:
      'the webhook reads only the labels that its variable envLabel lists, and silently ignores pods with any other label',
    fix: 'add the label to envLabel of the Deployment of the webhook',
    basis: 'read',
    sources: [source.webhook],
    failing: yaml(...TAGGED, ...webhookStack('env,stage')),
    corrected: yaml(...TAGGED, ...webhookStack('env,virtual-env')),
  },
  'ktenv-webhook-label-first': {
    severity: 'error',
    title: 'pods have another label from the list of the webhook, and get its value as their tag',
    because:
      'the webhook uses the first label in envLabel that a pod has with a value, even if the VirtualEnvironment of the ' +
      'namespace names a different label',
    fix: 'move the label of the VirtualEnvironment before the other one in envLabel, or remove the other one from the pods',
    basis: 'read',
    sources: [source.webhook],
    failing: yaml(AUTO_INJECT, SERVICE, DEV, STAGED, ...webhookStack('stage,virtual-env')),
    corrected: yaml(AUTO_INJECT, SERVICE, DEV, STAGED, ...webhookStack('virtual-env,stage')),
  },
  'ktenv-header-label': {
    severity: 'error',
    title: 'the name of the header is not a valid label value, so the EnvoyFilter is not created',
    because:
      'the operator uses the name of the header as a label of the EnvoyFilter, and the API server rejects the label',
    fix: 'use at most 63 letters, digits, dashes, dots and underscores in the name of the header',
    basis: 'read',
    sources: [source.envoyFilter],
    failing: yaml(edit(AUTO_INJECT, ['name: X-Virtual-Env,', 'name: X-Virtual-Env!,']), SERVICE, DEV, PROJECT),
    corrected: yaml(...TAGGED),
  },
});

/** Checks that tags can reach requests. */
export const checkTagging: KtEnvChecker = (check) =>
  check.subjects.flatMap((subject) => [
    ...autoInject(subject, check),
    ...sidecars(subject, check),
    ...namespaceLabels(subject, check),
    ...webhookLabels(subject, check),
  ]);

function autoInject({ manifest, plan }: Subject, { istio }: KtEnvCheck): Finding[] {
  const { autoInject: wanted, header } = plan.environment;
  if (!wanted) return [];
  const refused = LABEL_VALUE.test(header)
    ? []
    : [
        manifest.finding(taggingRules['ktenv-header-label'], {
          message: `the header "${header}" is not a valid label value`,
          path: ['spec', 'envHeader', 'name'],
        }),
      ];
  if (istio?.facts.takesAutoInject === true) return refused;
  return [
    ...refused,
    manifest.finding(taggingRules['ktenv-auto-inject-istio'], {
      severity: istio === undefined ? 'warning' : 'error',
      message:
        istio === undefined
          ? 'autoInject works only up to Istio 1.18, and the release of Istio is not known'
          : `autoInject works only up to Istio 1.18, not with ${istio.major}.${istio.minor}`,
      path: ['spec', 'envHeader', 'autoInject'],
    }),
  ];
}

function sidecars(subject: Subject, { istio, world }: KtEnvCheck): Finding[] {
  const { workloads } = subject;
  const tagged = isTagged(subject, world);
  const byDefault = istio?.facts.nativeSidecars === true;
  return workloads.flatMap(({ manifest }) => {
    const why = optOut(manifest);
    if (why !== undefined) {
      const message = `the pods of ${manifest.kind} "${manifest.name}" get no sidecar: ${why}`;
      return manifest.finding(taggingRules['ktenv-sidecar-missing'], { message, path: ['spec', 'template'] });
    }
    const native = metadataOf(manifest, 'annotations', NATIVE_SIDECAR);
    if (!tagged || !(native === 'true' || (byDefault && native !== 'false'))) return [];
    return manifest.finding(taggingRules['ktenv-native-sidecar'], {
      message: `the pods of ${manifest.kind} "${manifest.name}" get a native sidecar, which the webhook does not tag`,
      path: ['spec', 'template', 'metadata'],
    });
  });
}

function optOut(manifest: Manifest): string | undefined {
  if (manifest.get('spec.template.spec.hostNetwork') === true) return 'hostNetwork is true';
  const inject = ['labels', 'annotations'].map((part) => metadataOf(manifest, part, 'sidecar.istio.io/inject'));
  return inject.includes('false') ? 'sidecar.istio.io/inject is "false"' : undefined;
}

function metadataOf(manifest: Manifest, part: string, key: string) {
  return ownValue(manifest.get(['spec', 'template', 'metadata', part]), key);
}

/** Whether pods ask for a sidecar with their own labels, which works unless the Namespace says no. Annotations do not ask. */
function asksForSidecar(manifest: Manifest): boolean {
  const label = (name: string) => metadataOf(manifest, 'labels', name);
  return label('sidecar.istio.io/inject') === 'true' || label('istio.io/rev') !== undefined;
}

function namespaceLabels({ namespace, manifest, plan, workloads }: Subject, { world }: KtEnvCheck): Finding[] {
  const found = world.find('Namespace', namespace);
  if (found === undefined) return [];
  const { labels } = found;
  const isOff = labels['istio-injection'] === 'disabled';
  const askThemselves = !isOff && workloads.length > 0 && workloads.every((each) => asksForSidecar(each.manifest));
  const injected = labels['istio-injection'] === 'enabled' || labels['istio.io/rev'] !== undefined || askThemselves;
  const missing = [
    ...(injected ? [] : ['istio-injection: enabled']),
    ...(plan.environment.autoInject && labels[TAG_INJECTION_LABEL] !== 'enabled'
      ? [`${TAG_INJECTION_LABEL}: enabled`]
      : []),
  ];
  return missing.map((label) =>
    found.finding(taggingRules['ktenv-namespace-labels'], {
      message: `the Namespace "${namespace}" lacks ${label}`,
      path: ['metadata', 'labels'],
      fix: `add the label ${label}`,
      ...relatedTo(manifest, `its VirtualEnvironment "${manifest.name}" is here`),
    }),
  );
}

/** Findings if a webhook does not list the label, or lists another label of the pods before it. */
function webhookLabels(subject: Subject, { world }: KtEnvCheck): Finding[] {
  if (!isTagged(subject, world)) return [];
  const { manifest, plan, workloads } = subject;
  const { label } = plan.environment;
  return webhookDeploymentsIn(world).flatMap((deployment) => {
    const list = labelsOfWebhook(deployment) ?? [];
    if (!list.includes(label)) {
      return deployment.finding(taggingRules['ktenv-webhook-labels'], {
        message: `envLabel of the webhook is "${list.join(',')}", without "${label}" of the VirtualEnvironment "${manifest.name}"`,
        path: ['spec', 'template', 'spec', 'containers'],
        ...relatedTo(manifest, `"${manifest.name}" is here`),
      });
    }
    return workloads.flatMap(({ manifest: workload }) => {
      const { labels } = workloadOf(workload.object);
      const first = list.find((one) => (labels[one] ?? '') !== '');
      if (first === undefined || first === label) return [];
      return workload.finding(taggingRules['ktenv-webhook-label-first'], {
        message: `the pods of ${workload.kind} "${workload.name}" get the tag of ${first}: ${labels[first]} instead of ${label}: ${labels[label]}`,
        path: ['spec', 'template', 'metadata', 'labels', first],
        ...relatedTo(deployment, `the list of the webhook is here: ${list.join(',')}`),
      });
    });
  });
}

/** Whether pods need tags, for the EnvoyFilter of the operator or for a hand-written one. */
function isTagged({ plan, namespace }: Subject, world: KtEnvCheck['world']): boolean {
  return plan.environment.autoInject || world.find('Namespace', namespace)?.labels[TAG_INJECTION_LABEL] === 'enabled';
}
