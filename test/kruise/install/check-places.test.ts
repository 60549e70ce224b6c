/** What is found in an install with each change of its process, its Service and its webhooks, in full. */
import { describe, expect, it } from 'vitest';
import { collectFindings, parseManifests, World } from '../../../src/core';
import { edit } from '../../../src/core/example';
import { checkKruiseInstall, installRules, type KruiseInstallCheckOptions } from '../../../src/kruise/install/check';
import { installYaml } from '../../../src/kruise/install/check/examples';

type Edit = readonly [from: string, to: string];
const M = 'kruise-rollout-controller-manager';

/** `severity rule kind path: message | fix, where it is not that of the rule | related (kind line)` */
function found(yaml: string, options: KruiseInstallCheckOptions = {}): string[] {
  const world = World.of(parseManifests(yaml, 'install.yaml').manifests);
  return collectFindings(checkKruiseInstall(world, options)).map(
    ({ severity, rule, path, message, fix, object, related }) =>
      [
        `${severity} ${rule} ${object?.kind} ${path}: ${message}`,
        ...(fix === installRules[rule as keyof typeof installRules].fix ? [] : [fix]),
        ...(related === undefined ? [] : [`${related.message} (${related.object?.kind} ${related.source?.line})`]),
      ].join(' | '),
  );
}

const words = (indent: number, texts: readonly string[]) =>
  texts.map((text) => `${' '.repeat(indent)}- ${text}\n`).join('');
const arg = (...args: readonly string[]): Edit => [
  '            - --v=4\n',
  words(
    12,
    args.map((text) => JSON.stringify(text)),
  ),
];
const env = (...variables: readonly string[]): Edit => ['          env:\n', `          env:\n${words(12, variables)}`];

describe('an install', () => {
  it.each<[what: string, edits: readonly Edit[], found: readonly string[]]>([
    [
      'a flag that is similar',
      [arg('--rollout-worker=3')],
      [
        'error kruise-flag-unknown Deployment spec.template.spec.containers[0].args[2]: Kruise Rollouts v0.6.2 has no flag --rollout-worker | did you mean --rollout-workers? If not, remove the flag',
      ],
    ],
    [
      'a flag that is like no other',
      [arg('--xyz')],
      [
        'error kruise-flag-unknown Deployment spec.template.spec.containers[0].args[2]: Kruise Rollouts v0.6.2 has no flag --xyz',
      ],
    ],
    [
      'a flag with one dash',
      [arg('-rollout-worker', '3')],
      [
        'error kruise-flag-unknown Deployment spec.template.spec.containers[0].args[2]: Kruise Rollouts v0.6.2 has no flag --rollout-worker | did you mean --rollout-workers? If not, remove the flag',
      ],
    ],
    [
      'a flag with other letters',
      [arg('--leader_elect')],
      [
        'error kruise-flag-unknown Deployment spec.template.spec.containers[0].args[2]: Kruise Rollouts v0.6.2 has no flag --leader_elect | did you mean --leader-elect? If not, remove the flag',
      ],
    ],
    ['a value that looks like nothing', [arg('rollout-worker=3')], []],
    [
      'the flag of 0.6 before it',
      [arg('--partition-percent-limit=5'), [':v0.6.2', ':v0.5.5']],
      [
        'error kruise-flag-unknown Deployment spec.template.spec.containers[0].args[2]: Kruise Rollouts v0.5.5 has no flag --partition-percent-limit',
      ],
    ],
    [
      'an unknown flag of a similar release',
      [arg('--xyz'), [':v0.6.2', ':v0.6.9']],
      [
        'warning kruise-flag-unknown Deployment spec.template.spec.containers[0].args[2]: Kruise Rollouts v0.6.2 has no flag --xyz',
      ],
    ],
    [
      'an unknown flag in its command',
      [['command: [/manager]', 'command: [/manager, --xyz]']],
      [
        'error kruise-flag-unknown Deployment spec.template.spec.containers[0].command[1]: Kruise Rollouts v0.6.2 has no flag --xyz',
      ],
    ],
    [
      'gates that it has, with blanks',
      [['AdvancedDeployment=true', ' AllAlpha=true , AllBeta,AppendPodSelector=false,RolloutHistory=true, ']],
      [],
    ],
    [
      'two gates that it does not have',
      [['AdvancedDeployment=true', 'A=true,AdvancedDeploymnt=true']],
      [
        'error kruise-feature-gate-unknown Deployment spec.template.spec.containers[0].args[3]: Kruise Rollouts v0.6.2 has no feature gate "A"; it has RolloutHistory, AdvancedDeployment, AppendPodSelector',
        'error kruise-feature-gate-unknown Deployment spec.template.spec.containers[0].args[3]: Kruise Rollouts v0.6.2 has no feature gate "AdvancedDeploymnt"; it has RolloutHistory, AdvancedDeployment, AppendPodSelector | did you mean "AdvancedDeployment"? If not, remove it',
      ],
    ],
    ['no gates', [['AdvancedDeployment=true', '']], []],
    [
      'gates in an argument of their own',
      [['--feature-gates=AdvancedDeployment=true', '--feature-gates\n            - Xyz=true']],
      [
        'error kruise-feature-gate-unknown Deployment spec.template.spec.containers[0].args[3]: Kruise Rollouts v0.6.2 has no feature gate "Xyz"; it has RolloutHistory, AdvancedDeployment, AppendPodSelector',
      ],
    ],
    [
      'gates of a later release',
      [
        [':v0.6.2', ':v0.5.3'],
        ['AdvancedDeployment=true', 'AppendPodSelector=true'],
      ],
      [
        'error kruise-feature-gate-unknown Deployment spec.template.spec.containers[0].args[3]: Kruise Rollouts v0.5.3 has no feature gate "AppendPodSelector"; it has RolloutHistory, AdvancedDeployment',
      ],
    ],
    [
      'no flag for the election',
      [['            - --leader-elect\n', '']],
      [
        'error kruise-leader-election Deployment spec.replicas: kruise-rollout-controller-manager has 2 replicas, but no --leader-elect',
      ],
    ],
    ['a flag for the election with a value', [['--leader-elect', '--leader-elect=true']], []],
    [
      'a flag against the election',
      [['--leader-elect', '--leader-elect=false']],
      [
        'error kruise-leader-election Deployment spec.template.spec.containers[0].args[0]: kruise-rollout-controller-manager has 2 replicas, but no --leader-elect',
      ],
    ],
    [
      'one replica, and no election',
      [
        ['            - --leader-elect\n', ''],
        ['replicas: 2', 'replicas: 1'],
      ],
      [],
    ],
    [
      'no number of replicas, and no election',
      [
        ['            - --leader-elect\n', ''],
        ['  replicas: 2\n', ''],
      ],
      [],
    ],
    [
      'three replicas, and no election',
      [
        ['            - --leader-elect\n', ''],
        ['replicas: 2', 'replicas: 3'],
      ],
      [
        'error kruise-leader-election Deployment spec.replicas: kruise-rollout-controller-manager has 3 replicas, but no --leader-elect',
      ],
    ],
    ['an argument that nobody knows', [['--leader-elect', ' args ']], []],
    [
      'a flag for the election, and a later one against it',
      [arg('--leader-elect=false')],
      [
        'error kruise-leader-election Deployment spec.template.spec.containers[0].args[2]: kruise-rollout-controller-manager has 2 replicas, but no --leader-elect',
      ],
    ],
    [
      'a digest behind its tag',
      [[':v0.6.2', ':v0.5.0@sha256:abc'], arg('--partition-percent-limit=5')],
      [
        'error kruise-flag-unknown Deployment spec.template.spec.containers[0].args[2]: Kruise Rollouts v0.5.0 has no flag --partition-percent-limit',
      ],
    ],
    [
      'no tag',
      [[':v0.6.2', ''], arg('--xyz')],
      [
        'warning kruise-flag-unknown Deployment spec.template.spec.containers[0].args[2]: Kruise Rollouts v0.6.2 has no flag --xyz',
      ],
    ],
    [
      'a registry with a port, and no tag',
      [['openkruise/kruise-rollout:v0.6.2', 'reg:5000/kruise-rollout'], arg('--xyz')],
      [
        'warning kruise-flag-unknown Deployment spec.template.spec.containers[0].args[2]: Kruise Rollouts v0.6.2 has no flag --xyz',
      ],
    ],
    [
      'a tag that is no version',
      [[':v0.6.2', ':latest'], arg('--xyz')],
      [
        'warning kruise-flag-unknown Deployment spec.template.spec.containers[0].args[2]: Kruise Rollouts v0.6.2 has no flag --xyz',
      ],
    ],
    [
      'a version near a known one',
      [[':v0.6.2', ':0.4.9'], arg('--xyz')],
      [
        'warning kruise-flag-unknown Deployment spec.template.spec.containers[0].args[2]: Kruise Rollouts v0.4.4 has no flag --xyz',
      ],
    ],
    [
      'another image, and the name of the controller',
      [['openkruise/kruise-rollout:v0.6.2', 'example.com/other:1'], arg('--xyz')],
      [
        'warning kruise-flag-unknown Deployment spec.template.spec.containers[0].args[2]: Kruise Rollouts v0.6.2 has no flag --xyz',
      ],
    ],
    ['a Service that names the port by its number', [['targetPort: webhook-server', 'targetPort: 9876']], []],
    [
      'a Service that names another port',
      [['targetPort: webhook-server', 'targetPort: 9877']],
      [
        'error kruise-webhook-port Service spec.ports[0].targetPort: the Service "kruise-rollout-webhook-service" sends to port 9877, but the controller listens on 9876 | set the environment variable WEBHOOK_PORT to "9877", or set the Service\'s targetPort to 9876',
      ],
    ],
    [
      'a Service without a target port',
      [[', targetPort: webhook-server', '']],
      [
        'error kruise-webhook-port Service spec.ports[0].targetPort: the Service "kruise-rollout-webhook-service" sends to port 443, but the controller listens on 9876 | set the environment variable WEBHOOK_PORT to "443", or set the Service\'s targetPort to 9876',
      ],
    ],
    [
      'a Service without a target port, and a process on port 443',
      [[', targetPort: webhook-server', ''], env('{ name: WEBHOOK_PORT, value: "443" }')],
      [],
    ],
    [
      'a process on another port',
      [env('{ name: WEBHOOK_PORT, value: "8443" }')],
      [
        'error kruise-webhook-port Service spec.ports[0].targetPort: the Service "kruise-rollout-webhook-service" sends to port 9876, but the controller listens on 8443 | set the environment variable WEBHOOK_PORT to "9876", or set the Service\'s targetPort to 8443',
      ],
    ],
    ['a port that is no number', [env('{ name: WEBHOOK_PORT, value: "84x" }')], []],
    ['an empty port', [env('{ name: WEBHOOK_PORT, value: "" }')], []],
    [
      'a port from a ConfigMap',
      [env('{ name: WEBHOOK_PORT, valueFrom: { configMapKeyRef: { name: a, key: b } } }')],
      [],
    ],
    [
      'a port that is set twice',
      [env('{ name: WEBHOOK_PORT, value: "8443" }', '{ name: WEBHOOK_PORT, value: "9876" }')],
      [],
    ],
    [
      'a Service with another port before',
      [
        [
          'ports: [{ port: 443, targetPort: webhook-server }]',
          'ports: [{ port: 80, targetPort: 1 }, { port: 443, targetPort: 8443 }]',
        ],
      ],
      [
        'error kruise-webhook-port Service spec.ports[1].targetPort: the Service "kruise-rollout-webhook-service" sends to port 8443, but the controller listens on 9876 | set the environment variable WEBHOOK_PORT to "8443", or set the Service\'s targetPort to 9876',
      ],
    ],
    [
      'a Service whose name comes from a ConfigMap',
      [
        [
          'name: kruise-rollout-webhook-service, namespace: kruise-rollout }\nspec',
          'name: hooks, namespace: kruise-rollout }\nspec',
        ],
        env('{ name: SERVICE_NAME, valueFrom: { configMapKeyRef: { name: a, key: b } } }'),
      ],
      [],
    ],
    ['an empty name of the Service', [env('{ name: SERVICE_NAME, value: "" }')], []],
    [
      'a Service with an empty selector',
      [[`selector: { control-plane: ${M} }\n  ports`, 'selector: {}\n  ports']],
      [
        'error kruise-webhook-service Service spec.selector: the Service "kruise-rollout-webhook-service" does not select the pods of kruise-rollout-controller-manager',
      ],
    ],
    [
      'a Service without a selector',
      [[`  selector: { control-plane: ${M} }\n  ports`, '  ports']],
      [
        'error kruise-webhook-service Service spec.selector: the Service "kruise-rollout-webhook-service" does not select the pods of kruise-rollout-controller-manager',
      ],
    ],
    [
      'a Service with a label too many',
      [[`selector: { control-plane: ${M} }\n  ports`, `selector: { control-plane: ${M}, app: a }\n  ports`]],
      [
        'error kruise-webhook-service Service spec.selector: the Service "kruise-rollout-webhook-service" does not select the pods of kruise-rollout-controller-manager',
      ],
    ],
    ['a namespace from another field', [['fieldPath: metadata.namespace', 'fieldPath: metadata.name']], []],
    [
      'another namespace',
      [['valueFrom: { fieldRef: { fieldPath: metadata.namespace } }', 'value: other']],
      [
        'error kruise-pod-namespace Deployment spec.template.spec.containers[0].env[0]: the controller runs in "kruise-rollout", but POD_NAMESPACE is "other"',
      ],
    ],
    [
      'a webhook that is not served',
      [['path: /mutate-unified-workload', 'path: /other']],
      [
        'note kruise-webhook-not-served MutatingWebhookConfiguration webhooks[0]: Kruise Rollouts v0.6.2 does not serve /other of the webhook munifiedworload.kb.io',
      ],
    ],
    [
      'a webhook that a similar release does not serve',
      [
        ['path: /mutate-unified-workload', 'path: /other'],
        [':v0.6.2', ':v0.6.9'],
      ],
      [],
    ],
    ['a webhook without a path', [[', path: /mutate-unified-workload', '']], []],
    [
      'a template of webhooks',
      [
        [
          '{ name: kruise-rollout-validating-webhook-configuration }',
          '{ name: kruise-rollout-validating-webhook-configuration, annotations: { template: "" } }',
        ],
      ],
      [
        'warning kruise-webhook-template ValidatingWebhookConfiguration metadata.annotations.template: the ValidatingWebhookConfiguration has the annotation "template"',
      ],
    ],
    [
      'another name of the mutating webhooks',
      [['name: kruise-rollout-mutating-webhook-configuration', 'name: other']],
      [
        'error kruise-webhook-configuration MutatingWebhookConfiguration metadata.name: the MutatingWebhookConfiguration is named "other", but the controller looks for "kruise-rollout-mutating-webhook-configuration" | name it "kruise-rollout-mutating-webhook-configuration"',
      ],
    ],
    [
      'another name of the validating webhooks',
      [['name: kruise-rollout-validating-webhook-configuration', 'name: other']],
      [
        'error kruise-webhook-configuration ValidatingWebhookConfiguration metadata.name: the ValidatingWebhookConfiguration is named "other", but the controller looks for "kruise-rollout-validating-webhook-configuration" | name it "kruise-rollout-validating-webhook-configuration"',
      ],
    ],
    [
      'another name and other paths of webhooks',
      [
        ['name: kruise-rollout-validating-webhook-configuration', 'name: other'],
        ['path: /validate-rollouts-kruise-io-rollout', 'path: /other'],
      ],
      [
        'error kruise-webhook-configuration Deployment undefined: there is no ValidatingWebhookConfiguration "kruise-rollout-validating-webhook-configuration" | add it',
      ],
    ],
    [
      'no CRD of TrafficRoutings, in a release without them',
      [
        [':v0.6.2', ':v0.3.0'],
        ['name: trafficroutings.rollouts.kruise.io', 'name: x.rollouts.kruise.io'],
      ],
      [],
    ],
  ])('with %s', (_, edits, expected) => {
    expect(found(edit(installYaml(), ...edits))).toEqual(expected);
  });

  const FLAGS =
    'batchrelease-workers deployment-workers disable-no-deepcopy expectation-timeout feature-gates filter-workload-type ' +
    'grace-timeout health-probe-bind-address help kubeconfig leader-elect metrics-bind-address nativedaemonset-workers ' +
    'partition-percent-limit rate-limiter-base-delay rate-limiter-bucket-size rate-limiter-max-delay rate-limiter-qps ' +
    'rollout-workers rollouthistory-workers trafficrouting-workers add_dir_header alsologtostderr ' +
    'legacy_stderr_threshold_behavior log_backtrace_at log_dir log_file log_file_max_size logtostderr one_output ' +
    'skip_headers skip_log_headers stderrthreshold v vmodule';
  it.each(FLAGS.split(' '))('knows the flag --%s, and not a longer one', (flag) => {
    expect(found(edit(installYaml(), arg(`--${flag}`)))).toEqual([]);
    expect(found(edit(installYaml(), arg(`--${flag}-x`)))).toEqual([
      expect.stringContaining(`has no flag --${flag}-x${flag === 'v' ? '' : ` | did you mean --${flag}? If not`}`),
    ]);
  });
});
