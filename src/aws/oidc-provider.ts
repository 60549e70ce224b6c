import { type AwsPartition, isAccount, parseArn, partitionOfRegion } from './arn';

/** The OIDC provider of a cluster in IAM. */
export interface OidcProvider {
  readonly arn: string;
  /** The issuer without `https://`: the first part of the condition keys in trust policies. */
  readonly issuer: string;
  readonly partition: string;
  readonly account: string;
}

/** An OIDC provider by the URL of the cluster's issuer. */
export interface OidcIssuer {
  /** What `aws eks describe-cluster --query cluster.identity.oidc.issuer` prints. */
  readonly url: string;
  /** The account in which the provider is registered. */
  readonly account: string;
  /**
   * The partition.
   * @default - that of the region in the URL
   */
  readonly partition?: AwsPartition;
}

const REGION_IN_HOST = /^oidc\.eks\.([a-z0-9-]+)\./;

/**
 * The OIDC provider of a cluster, by its ARN or by the issuer and the account.
 * @example oidcProvider('arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/0123ABCD')
 */
export function oidcProvider(provider: string | OidcIssuer): OidcProvider {
  return typeof provider === 'string' ? providerOfArn(provider) : providerOfIssuer(provider);
}

/** The issuer in the ARN of a provider, or undefined if the text is not the ARN of a provider. */
export function issuerOfArn(text: string): string | undefined {
  const arn = parseArn(text);
  const found = arn?.service === 'iam' ? /^oidc-provider\/(.+)$/.exec(arn.resource) : undefined;
  return found?.[1];
}

function providerOfArn(arn: string): OidcProvider {
  const issuer = issuerOfArn(arn);
  const parsed = parseArn(arn);
  if (issuer === undefined || parsed === undefined || !isAccount(parsed.account)) {
    throw new Error(
      `the OIDC provider is "${arn}": give an ARN as arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/<id>`,
    );
  }
  return { arn, issuer, partition: parsed.partition, account: parsed.account };
}

function providerOfIssuer({ url, account, partition }: OidcIssuer): OidcProvider {
  const issuer = url.replace(/^https:\/\//, '').replace(/\/$/, '');
  if (issuer === '' || /[\s:?#]/.test(issuer)) {
    throw new Error(`the issuer is "${url}": give a URL as https://oidc.eks.eu-west-1.amazonaws.com/id/<id>`);
  }
  if (!isAccount(account)) throw new Error(`account is "${account}": give the twelve digits of the account`);
  const region = REGION_IN_HOST.exec(issuer)?.[1] ?? '';
  const inPartition = partition ?? partitionOfRegion(region);
  return {
    arn: `arn:${inPartition}:iam::${account}:oidc-provider/${issuer}`,
    issuer,
    partition: inPartition,
    account,
  };
}
