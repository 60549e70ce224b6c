import type { ArgoRolloutsVersion } from '../argo/version';
import type { KruiseRolloutVersion } from '../kruise/version';
import type { AwsLoadBalancerControllerVersion } from '../routers/aws-alb/version';
import { oneOf } from './command';
import { UserError } from './user-error';

/** The releases that a stack is checked for. */
export interface Versions {
  readonly kruise: KruiseRolloutVersion;
  readonly argo: ArgoRolloutsVersion;
  readonly awsLoadBalancerController: AwsLoadBalancerControllerVersion;
  /** Undefined where nobody said it: what depends on it is a warning then. */
  readonly istio: string | undefined;
  readonly kubernetes: string;
}

/** The releases as somebody wrote them, in options or in a file. */
export interface VersionTexts {
  /**
   * The release of Kruise Rollouts: `0.6.2`.
   * @default - that of the install in the stack, or the latest
   */
  readonly kruise?: string;
  /**
   * The release of Argo Rollouts: `1.9.1`.
   * @default - the latest
   */
  readonly argo?: string;
  /**
   * The release of the AWS Load Balancer Controller: `2.13.4`.
   * @default - the latest
   */
  readonly awsLoadBalancerController?: string;
  /**
   * The release of Istio: `1.24`.
   * @default - unknown: what depends on it is a warning
   */
  readonly istio?: string;
  /**
   * The release of Kubernetes: `1.34`.
   * @default - the latest that is known
   */
  readonly kubernetes?: string;
}

/** Kubernetes as clusters run it that are kept up to date. */
const DEFAULT_KUBERNETES = '1.34';

/** The options of the command line. */
export const VERSION_OPTIONS = {
  'kruise-version': { type: 'string' },
  'argo-version': { type: 'string' },
  'lbc-version': { type: 'string' },
  'istio-version': { type: 'string' },
  'kubernetes-version': { type: 'string' },
} as const;

/** What help says of them. */
export const VERSION_HELP = `  --kruise-version <v>     the release of Kruise Rollouts: 0.6, or 0.6.1 (default the newest known)
  --argo-version <v>       the release of Argo Rollouts (default the newest known)
  --lbc-version <v>        the release of the AWS Load Balancer Controller (default the newest known)
  --istio-version <v>      the release of Istio; without it what depends on it is a warning
  --kubernetes-version <v> the release of Kubernetes (default ${DEFAULT_KUBERNETES})`;

/** The texts that options give. */
export function versionTexts(values: { readonly [key in keyof typeof VERSION_OPTIONS]?: string }): VersionTexts {
  const texts: Record<keyof VersionTexts, string | undefined> = {
    kruise: values['kruise-version'],
    argo: values['argo-version'],
    awsLoadBalancerController: values['lbc-version'],
    istio: values['istio-version'],
    kubernetes: values['kubernetes-version'],
  };
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined));
}

/**
 * The releases that the texts mean; a text that means none is a `UserError`.
 * @param place what the texts stand under: `--{}-version` in options, `versions.{}` in a file
 */
export function readVersions(texts: VersionTexts, place: (key: keyof VersionTexts) => string): Versions {
  const { KruiseRolloutVersion: Kruise } = require('../kruise/version') as typeof import('../kruise/version');
  const { ArgoRolloutsVersion: Argo } = require('../argo/version') as typeof import('../argo/version');
  return {
    kruise: known(Kruise.ALL, Kruise.LATEST, texts.kruise, place('kruise')),
    argo: known(Argo.ALL, Argo.LATEST, texts.argo, place('argo')),
    awsLoadBalancerController: loadBalancerController(
      texts.awsLoadBalancerController,
      place('awsLoadBalancerController'),
    ),
    istio: istio(texts.istio, place('istio')),
    kubernetes: kubernetes(texts.kubernetes, place('kubernetes')),
  };
}

/** The releases in words, for the end of a report. */
export function describeVersions({ kruise, argo, awsLoadBalancerController, istio, kubernetes }: Versions) {
  return {
    'Kruise Rollouts': kruise.version,
    'Argo Rollouts': argo.version,
    'AWS Load Balancer Controller': awsLoadBalancerController.version,
    Istio: istio ?? 'unknown',
    Kubernetes: kubernetes,
  };
}

/** A whole number, or the first two of it: then the newest known patch. */
function known<V extends { readonly version: string }>(
  all: readonly V[],
  latest: V,
  text: string | undefined,
  place: string,
): V {
  if (text === undefined) return latest;
  const number = text.replace(/^v/, '');
  const found =
    all.find(({ version }) => version === number) ??
    all.filter(({ version }) => version.startsWith(`${number}.`)).at(-1);
  if (found !== undefined) return found;
  const minors = [...new Set(all.map(({ version }) => version.split('.').slice(0, 2).join('.')))];
  return (
    all.find(({ version }) => version === oneOf(place, text, [...minors, ...all.map((each) => each.version)])) ?? latest
  );
}

function loadBalancerController(text: string | undefined, place: string): AwsLoadBalancerControllerVersion {
  const { AwsLoadBalancerControllerVersion: Version } =
    require('../routers/aws-alb/version') as typeof import('../routers/aws-alb/version');
  if (text === undefined) return Version.LATEST;
  try {
    return Version.of(text);
  } catch (error) {
    throw new UserError(`${place}: ${(error as Error).message}`);
  }
}

function istio(text: string | undefined, place: string): string | undefined {
  if (text === undefined) return undefined;
  const { parseIstioVersion } =
    require('../ktenv/rules/istio-version') as typeof import('../ktenv/rules/istio-version');
  try {
    parseIstioVersion(text);
    return text;
  } catch (error) {
    throw new UserError(`${place}: ${(error as Error).message}`);
  }
}

function kubernetes(text: string | undefined, place: string): string {
  const number = (text ?? DEFAULT_KUBERNETES).replace(/^v/, '');
  if (/^1\.\d+(\.\d+)?$/.test(number)) return number;
  throw new UserError(`${place} is "${text}"`, 'write it as 1.34 or 1.34.1');
}
