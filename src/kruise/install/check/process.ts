import { didYouMean } from '../../../core/did-you-mean';
import type { Finding } from '../../../core/finding';
import { type Controller, flagOf, hasOtherArguments, type ProcessFlag, variableOf } from './controllers';
import { installRules } from './rules';

/** The controller's own flags. */
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

/** The flags of klog, the controller's logging library. */
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

/** Checks that the controller starts, and that its namespace is correct. */
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

/** Compares names literally: pflag does not treat `-` and `_` in a name as equal. */
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
        // AllAlpha and AllBeta belong to the library that parses feature gates.
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

function checkLeaderElection({ manifest, replicas, flags, container }: Controller): Finding[] {
  const flag = flagOf(flags, 'leader-elect');
  if (flag === undefined && hasOtherArguments(container)) return [];
  if (replicas < 2 || (flag !== undefined && flag.value !== 'false')) return [];
  return [
    manifest.finding(installRules['kruise-leader-election'], {
      message: `${manifest.name} has ${replicas} replicas, but no --leader-elect`,
      path: flag?.path ?? ['spec', 'replicas'],
    }),
  ];
}

function checkNamespace({ manifest, namespace, ownNamespace, container, containerPath }: Controller): Finding[] {
  if (ownNamespace === undefined || ownNamespace === namespace) return [];
  const variable = variableOf(container, containerPath, 'POD_NAMESPACE');
  const assumed = variable === undefined ? `is not set, which means` : 'is';
  return [
    manifest.finding(installRules['kruise-pod-namespace'], {
      message: `the controller runs in "${namespace}", but POD_NAMESPACE ${assumed} "${ownNamespace}"`,
      path: variable?.path ?? containerPath,
    }),
  ];
}
