import {
  labelErrors,
  type NameCheck,
  pathSegmentErrors,
  serviceNameErrors,
  subdomainErrors,
} from '../../core/schema/names';

/** The longest name of a CronJob: its Jobs have 11 more characters. */
const LONGEST_CRON_JOB = 52;

const CHECKS: Readonly<Record<string, NameCheck>> = {
  ClusterRole: pathSegmentErrors,
  ClusterRoleBinding: pathSegmentErrors,
  CronJob: (name) => [
    ...subdomainErrors(name),
    ...(name.length > LONGEST_CRON_JOB ? [`must be no more than ${LONGEST_CRON_JOB} characters`] : []),
  ],
  Namespace: labelErrors,
  PodDisruptionBudget: pathSegmentErrors,
  Role: pathSegmentErrors,
  RoleBinding: pathSegmentErrors,
  Service: serviceNameErrors,
};

/** What a kind asks of the names of its objects. */
export function nameCheckOf(kind: string): NameCheck {
  return Object.hasOwn(CHECKS, kind) ? CHECKS[kind]! : subdomainErrors;
}
