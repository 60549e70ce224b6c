import { didYouMean } from '../../../core/did-you-mean';
import type { Finding } from '../../../core/finding';
import { type Controller, flagOf, type ProcessFlag, variableOf } from './controllers';
import { installRules } from './rules';

/** The flags of the process itself. */
const FLAGS = [
  'batchrelease-workers',
  'deployment-workers',
  'disable-no-deepcopy',
  'expectation-timeout',
  'feature-gates',
  'filter-workload-type',
  'grace-timeout',
  'health-probe-bind-address',
  'help',
  'kubeconfig',
  'leader-elect',
  'metrics-bind-address',
  'nativedaemonset-workers',
  'partition-percent-limit',
  'rate-limiter-base-delay',
  'rate-limiter-bucket-size',
  'rate-limiter-max-delay',
  'rate-limiter-qps',
  'rollout-workers',
  'rollouthistory-workers',
  'trafficrouting-workers',
];

/** The flags of klog, with which the process logs. */
const LOG_FLAGS = [
  'add_dir_header',
  'alsologtostderr',
  'legacy_stderr_threshold_behavior',
  'log_backtrace_at',
  'log_dir',
  'log_file',
  'log_file_max_size',
  'logtostderr',
  'one_output',
  'skip_headers',
  'skip_log_headers',
  'stderrthreshold',
  'v',
  'vmodule',
];

/** Whether the process starts, and knows where it is. */
export function checkProcess(controller: Controller): Finding[] {
  return [
    ...checkFlags(controller),
    ...checkGates(controller),
    ...checkLeaderElection(controller),
    ...checkNamespace(controller),
  ];
}

function checkFlags(controller: Controller): Finding[] {
  const { manifest, flags, version, versionIsExact } = controller;
  const known = [...FLAGS, ...LOG_FLAGS];
  return flags
    .filter(({ name }) => !isKnownFlag(name, controller))
    .map(({ name, path }) => {
      const meant = didYouMean(
        name,
        known.filter((flag) => flag !== name),
      );
      return manifest.finding(installRules['kruise-flag-unknown'], {
        severity: versionIsExact ? 'error' : 'warning',
        message: `Kruise Rollouts ${version} has no flag --${name}`,
        path,
        ...(meant === undefined ? {} : { fix: `did you mean --${meant}? If not, remove the flag` }),
      });
    });
}

/** pflag takes `-` for `_` in a name nowhere, so that names are compared as they are. */
function isKnownFlag(name: string, { version }: Controller): boolean {
  if (name === 'partition-percent-limit') return version.facts.partitionPercentLimitFlag;
  return FLAGS.includes(name) || LOG_FLAGS.includes(name);
}

function checkGates({ manifest, flags, version, versionIsExact }: Controller): Finding[] {
  const known: readonly string[] = version.facts.featureGates;
  return flags
    .filter(({ name }) => name === 'feature-gates')
    .flatMap((flag) =>
      gatesOf(flag)
        // AllAlpha and AllBeta come with the library that reads the gates.
        .filter((gate) => !known.includes(gate) && gate !== 'AllAlpha' && gate !== 'AllBeta')
        .map((gate) => {
          const meant = didYouMean(gate, known);
          return manifest.finding(installRules['kruise-feature-gate-unknown'], {
            severity: versionIsExact ? 'error' : 'warning',
            message: `Kruise Rollouts ${version} has no feature gate "${gate}"; it has ${known.join(', ')}`,
            path: flag.path,
            ...(meant === undefined ? {} : { fix: `did you mean "${meant}"? If not, remove it` }),
          });
        }),
    );
}

function gatesOf({ value }: ProcessFlag): string[] {
  return value
    .split(',')
    .map((entry) => entry.split('=')[0]!.trim())
    .filter((gate) => gate !== '');
}

function checkLeaderElection({ manifest, replicas, flags }: Controller): Finding[] {
  const flag = flagOf(flags, 'leader-elect');
  if (replicas < 2 || (flag !== undefined && flag.value !== 'false')) return [];
  return [
    manifest.finding(installRules['kruise-leader-election'], {
      message: `${manifest.name} has ${replicas} replicas and no --leader-elect`,
      path: flag?.path ?? ['spec', 'replicas'],
    }),
  ];
}

function checkNamespace({ manifest, namespace, ownNamespace, container, containerPath }: Controller): Finding[] {
  if (ownNamespace === undefined || ownNamespace === namespace) return [];
  const variable = variableOf(container, containerPath, 'POD_NAMESPACE');
  const believed = variable === undefined ? `is not set, so that it believes to be` : 'tells it that it is';
  return [
    manifest.finding(installRules['kruise-pod-namespace'], {
      message: `the controller runs in "${namespace}"; POD_NAMESPACE ${believed} in "${ownNamespace}"`,
      path: variable?.path ?? containerPath,
    }),
  ];
}
