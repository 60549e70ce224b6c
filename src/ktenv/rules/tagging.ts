/** How the label of a pod gets into the requests it sends: namespace, webhook, sidecar, EnvoyFilter. */
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
import { isAtLeast } from './istio-version';
import { issue, source } from './sources';

const TAGGED = [AUTO_INJECT, SERVICE, DEV, PROJECT] as const;
/** The second environment, whose pods carry another label that is one of the webhook's too. */
const STAGED = edit(PROJECT, ['    metadata: { labels: {', '    metadata: { labels: { stage: blue,']);
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9])?$/;
const NATIVE_SIDECAR = 'sidecar.istio.io/nativeSidecar';

/** Rules on the tag that pods put into their requests. */
export const taggingRules = defineRules({
  'ktenv-auto-inject-istio': {
    severity: 'error',
    title: 'autoInject does nothing on Istio 1.19 and later',
    because:
      `the operator’s EnvoyFilter looks for the filter "${CONNECTION_MANAGER}", a name that Envoy gave up; Istio ` +
      'translates it up to 1.18, and later releases find nothing to insert before',
    fix: 'leave autoInject out, and let the apps pass the header on; or write an EnvoyFilter of another name with envoy.filters.network.http_connection_manager',
    basis: 'read',
    sources: [source.envoyFilter, issue(17)],
    failing: yaml(...TAGGED),
    corrected: yaml(...STACK),
  },
  'ktenv-native-sidecar': {
    severity: 'error',
    title: 'pods get their sidecar as an init container, which the webhook does not tag',
    because:
      'the webhook looks for "istio-proxy" among the containers of the pod; Istio puts it among the init containers where ' +
      'native sidecars are on, as they are by default from 1.27',
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
    title: 'pods of an environment get no sidecar that could route or tag their requests',
    because:
      'Istio injects no sidecar into pods on the host’s network or with sidecar.istio.io/inject: "false"; what they send ' +
      'follows no route, and what they get bears no tag',
    fix: 'take the opt-out or hostNetwork out of the pod template',
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
    title: 'the namespace lacks a label by which its pods get a sidecar or a tag',
    because:
      'Istio injects sidecars where the namespace carries istio-injection: enabled or istio.io/rev; the webhook of KtEnv ' +
      'is only asked where it carries environment-tag-injection: enabled',
    fix: 'add the label to the Namespace',
    basis: 'read',
    sources: [source.install, source.istioInjection],
    failing: yaml(edit(NAMESPACE, [', environment-tag-injection: enabled', '']), ...TAGGED),
    corrected: yaml(NAMESPACE, ...TAGGED),
  },
  'ktenv-webhook-labels': {
    severity: 'error',
    title: 'the webhook does not know the label of an environment, and leaves its pods without a tag',
    because:
      'the webhook looks only for the labels that its variable envLabel lists; pods with any other label it leaves as they ' +
      'are, without a word',
    fix: 'add the label to the list in envLabel of the webhook’s Deployment',
    basis: 'read',
    sources: [source.webhook],
    failing: yaml(...TAGGED, ...webhookStack('env,stage')),
    corrected: yaml(...TAGGED, ...webhookStack('env,virtual-env')),
  },
  'ktenv-webhook-label-first': {
    severity: 'error',
    title: 'pods carry another label of the webhook’s list, and are tagged with that',
    because:
      'the webhook goes through envLabel in its order and takes the first label that a pod carries with a value, whatever ' +
      'label the VirtualEnvironment of the namespace names',
    fix: 'put the label of the VirtualEnvironment before the other one in envLabel, or take the other one off the pods',
    basis: 'read',
    sources: [source.webhook],
    failing: yaml(AUTO_INJECT, SERVICE, DEV, STAGED, ...webhookStack('stage,virtual-env')),
    corrected: yaml(AUTO_INJECT, SERVICE, DEV, STAGED, ...webhookStack('virtual-env,stage')),
  },
  'ktenv-header-label': {
    severity: 'error',
    title: 'the name of the header is no valid label, so the EnvoyFilter is not created',
    because: 'the operator labels the EnvoyFilter with the name of the header, and the API server refuses the label',
    fix: 'name the header with letters, digits, dashes, dots and underscores, at most 63 of them',
    basis: 'read',
    sources: [source.envoyFilter],
    failing: yaml(edit(AUTO_INJECT, ['name: X-Virtual-Env,', 'name: X-Virtual-Env!,']), SERVICE, DEV, PROJECT),
    corrected: yaml(...TAGGED),
  },
});

/** Checks the way of the tag. */
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
          message: `the header "${header}" is no valid value of a label`,
          path: ['spec', 'envHeader', 'name'],
        }),
      ];
  if (istio !== undefined && !isAtLeast(istio, 19)) return refused;
  return [
    ...refused,
    manifest.finding(taggingRules['ktenv-auto-inject-istio'], {
      severity: istio === undefined ? 'warning' : 'error',
      message:
        istio === undefined
          ? 'autoInject works up to Istio 1.18 only, and the release of Istio is not known'
          : `autoInject works up to Istio 1.18, not with ${istio.major}.${istio.minor}`,
      path: ['spec', 'envHeader', 'autoInject'],
    }),
  ];
}

function sidecars(subject: Subject, { istio, world }: KtEnvCheck): Finding[] {
  const { workloads } = subject;
  const tagged = isTagged(subject, world);
  const byDefault = istio !== undefined && isAtLeast(istio, 27);
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

function namespaceLabels({ namespace, manifest, plan }: Subject, { world }: KtEnvCheck): Finding[] {
  const found = world.find('Namespace', namespace);
  if (found === undefined) return [];
  const { labels } = found;
  const injected = labels['istio-injection'] === 'enabled' || labels['istio.io/rev'] !== undefined;
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

/** The label that no webhook of the World knows, and the labels that come before it. */
function webhookLabels(subject: Subject, { world }: KtEnvCheck): Finding[] {
  if (!isTagged(subject, world)) return [];
  const { manifest, plan, workloads } = subject;
  const { label } = plan.environment;
  return webhookDeploymentsIn(world).flatMap((deployment) => {
    const list = labelsOfWebhook(deployment) ?? [];
    if (!list.includes(label)) {
      return deployment.finding(taggingRules['ktenv-webhook-labels'], {
        message: `envLabel of the webhook holds "${list.join(',')}", not "${label}" of the VirtualEnvironment "${manifest.name}"`,
        path: ['spec', 'template', 'spec', 'containers'],
        ...relatedTo(manifest, `"${manifest.name}" is here`),
      });
    }
    return workloads.flatMap(({ manifest: workload }) => {
      const { labels } = workloadOf(workload.object);
      const first = list.find((one) => (labels[one] ?? '') !== '');
      if (first === undefined || first === label) return [];
      return workload.finding(taggingRules['ktenv-webhook-label-first'], {
        message: `the pods of ${workload.kind} "${workload.name}" are tagged with ${first}: ${labels[first]}, not with ${label}: ${labels[label]}`,
        path: ['spec', 'template', 'metadata', 'labels', first],
        ...relatedTo(deployment, `the webhook’s list is here: ${list.join(',')}`),
      });
    });
  });
}

/** Whether tags are wanted: for the EnvoyFilter of the operator, or for one that somebody else wrote. */
function isTagged({ plan, namespace }: Subject, world: KtEnvCheck['world']): boolean {
  return plan.environment.autoInject || world.find('Namespace', namespace)?.labels[TAG_INJECTION_LABEL] === 'enabled';
}
