/** A partition of AWS: it has its own accounts, and is the second part of every ARN. */
export type AwsPartition = 'aws' | 'aws-cn' | 'aws-us-gov';

/** The parts of an ARN. */
export interface Arn {
  /** `aws`, `aws-cn`, `aws-us-gov`, or an isolated partition. */
  readonly partition: string;
  readonly service: string;
  /** Empty for global services such as IAM. */
  readonly region: string;
  readonly account: string;
  /** Everything after the account: `role/argo-rollouts`. */
  readonly resource: string;
}

const ARN = /^arn:(aws[a-z-]*):([a-z0-9-]+):([a-z0-9-]*):(\d{12}|aws|):(\S+)$/;
const REGION = /^[a-z]{2}(-[a-z]+)+-\d+$/;
const ACCOUNT = /^\d{12}$/;
const ROLE = /^role\/(?:[!-~]+\/)?([\w+=,.@-]{1,64})$/;

/** The parts of an ARN, or undefined if the text is not an ARN. */
export function parseArn(text: string): Arn | undefined {
  const found = ARN.exec(text);
  if (found === null) return undefined;
  const [, partition, service, region, account, resource] = found;
  return { partition: partition!, service: service!, region: region!, account: account!, resource: resource! };
}

/**
 * The partition that a region is in.
 * @example partitionOfRegion('cn-north-1') // 'aws-cn'
 */
export function partitionOfRegion(region: string): AwsPartition {
  if (region.startsWith('cn-')) return 'aws-cn';
  return region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
}

/** Whether a text has the form of a region: `eu-west-1`. */
export function isRegion(text: string): boolean {
  return REGION.test(text);
}

/** Whether a text has the form of an account: twelve digits. */
export function isAccount(text: string): boolean {
  return ACCOUNT.test(text);
}

/**
 * The name of the role that an ARN names, without its path; undefined if the text is not the ARN of a role.
 * @example roleNameOf('arn:aws:iam::111122223333:role/teams/argo-rollouts') // 'argo-rollouts'
 */
export function roleNameOf(text: string): string | undefined {
  const arn = parseArn(text);
  if (arn === undefined || arn.service !== 'iam' || !isAccount(arn.account)) return undefined;
  return ROLE.exec(arn.resource)?.[1];
}

/** The ARN of a role without a path. */
export function roleArn(partition: string, account: string, name: string): string {
  return `arn:${partition}:iam::${account}:role/${name}`;
}
