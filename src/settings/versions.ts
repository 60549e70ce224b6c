import { ArgoRolloutsVersion } from '../argo/version';
import { didYouMean } from '../core/did-you-mean';
import { compact } from '../core/json';
import { KruiseRolloutVersion } from '../kruise/version';
import { AwsLoadBalancerControllerVersion } from '../routers/aws-alb/version';
import { IngressNginxVersion } from '../routers/canary-ingress/nginx-version';
import { parseIstioVersion } from '../routers/istio-version';
import { TraefikVersion } from '../routers/traefik/version';
import { UserError } from './user-error';

/** The versions that a cluster runs, as far as somebody states them. */
export interface Versions {
  /**
   * The version of Kruise Rollouts.
   * @default - the version of the install in the stack, or KruiseRolloutVersion.LATEST
   */
  readonly kruiseVersion?: KruiseRolloutVersion;
  /**
   * The version of Argo Rollouts.
   * @default - the version of the install in the stack, or ArgoRolloutsVersion.LATEST
   */
  readonly argoVersion?: ArgoRolloutsVersion;
  /**
   * The version of the AWS Load Balancer Controller.
   * @default - the version of the install in the stack, or AwsLoadBalancerControllerVersion.LATEST
   */
  readonly awsLoadBalancerControllerVersion?: AwsLoadBalancerControllerVersion;
  /**
   * The version of ingress-nginx.
   * @default - the version of the install in the stack, or IngressNginxVersion.LATEST
   */
  readonly ingressNginxVersion?: IngressNginxVersion;
  /**
   * The version of Traefik.
   * @default - the version of the install in the stack, or TraefikVersion.LATEST
   */
  readonly traefikVersion?: TraefikVersion;
  /**
   * The version of Istio, `1.24`.
   * @default - the version of the install in the stack; if there is none, findings that depend on it are warnings
   */
  readonly istioVersion?: string;
  /**
   * The version of Kubernetes, `1.34`.
   * @default '1.34'
   */
  readonly kubernetesVersion?: string;
}

/** The versions that a cluster runs, as text: in flags, in the configuration file, in the configuration of policies. */
export interface VersionTexts {
  /**
   * The version of Kruise Rollouts: `0.6.2`, or `0.6` for its newest known patch.
   * @default - the version of the install in the stack, or the newest known
   */
  readonly kruiseVersion?: string;
  /**
   * The version of Argo Rollouts: `1.9.1`, or `1.9` for its newest known patch.
   * @default - the version of the install in the stack, or 1.9.1
   */
  readonly argoVersion?: string;
  /**
   * The version of the AWS Load Balancer Controller: `2.13.4`.
   * @default - the version of the install in the stack, or the newest known
   */
  readonly awsLoadBalancerControllerVersion?: string;
  /**
   * The version of ingress-nginx: `1.11.5`.
   * @default - the version of the install in the stack, or the newest known
   */
  readonly ingressNginxVersion?: string;
  /**
   * The version of Traefik: `3.6.12`.
   * @default - the version of the install in the stack, or the newest known
   */
  readonly traefikVersion?: string;
  /**
   * The version of Istio: `1.24`.
   * @default - the version of the install in the stack; if there is none, findings that depend on it are warnings
   */
  readonly istioVersion?: string;
  /**
   * The version of Kubernetes: `1.34`.
   * @default '1.34'
   */
  readonly kubernetesVersion?: string;
}

/** The versions of the controllers of load balancers. */
export type RouterVersions = Pick<
  Versions,
  'awsLoadBalancerControllerVersion' | 'ingressNginxVersion' | 'istioVersion' | 'traefikVersion'
>;

/** Those of a cluster. */
export function routerVersionsOf({
  awsLoadBalancerControllerVersion,
  ingressNginxVersion,
  istioVersion,
  traefikVersion,
}: RouterVersions): RouterVersions {
  return compact({ awsLoadBalancerControllerVersion, ingressNginxVersion, istioVersion, traefikVersion });
}

/** The name of a version: the same in flags, files, props and options. */
export type VersionName = keyof Versions;

/** Kubernetes in clusters that are kept up to date. */
export const DEFAULT_KUBERNETES_VERSION = '1.34';

/** Reads the text of one version; throws a `UserError` that names the place if the text is no known version. */
type VersionReader<Name extends VersionName> = (text: string, place: string) => NonNullable<Versions[Name]>;

const READERS: { readonly [Name in VersionName]: VersionReader<Name> } = {
  kruiseVersion: (text, place) => known(KruiseRolloutVersion, text, place),
  argoVersion: (text, place) => known(ArgoRolloutsVersion, text, place),
  awsLoadBalancerControllerVersion: (text, place) => valid(place, () => AwsLoadBalancerControllerVersion.of(text)),
  ingressNginxVersion: (text, place) => valid(place, () => IngressNginxVersion.of(text)),
  traefikVersion: (text, place) => valid(place, () => TraefikVersion.of(text)),
  istioVersion: (text, place) =>
    valid(place, () => {
      parseIstioVersion(text);
      return text;
    }),
  kubernetesVersion: (text, place) => {
    const number = text.replace(/^v/, '');
    if (/^1\.\d+(\.\d+)?$/.test(number)) return number;
    throw new UserError(`${place} is "${text}"`, 'write it as 1.34 or 1.34.1');
  },
};

/** All names of versions, in the order in which reports list them. */
export const VERSION_NAMES = Object.keys(READERS) as readonly VersionName[];

/** What each version is the version of. */
export const VERSION_TITLES: Readonly<Record<VersionName, string>> = {
  kruiseVersion: 'Kruise Rollouts',
  argoVersion: 'Argo Rollouts',
  awsLoadBalancerControllerVersion: 'AWS Load Balancer Controller',
  ingressNginxVersion: 'ingress-nginx',
  traefikVersion: 'Traefik',
  istioVersion: 'Istio',
  kubernetesVersion: 'Kubernetes',
};

/**
 * The versions that the texts state; a text that is no known version is a `UserError`.
 * @param place what messages call the place of a text, such as `--kruise-version`
 */
export function readVersions(texts: VersionTexts, place: (name: VersionName) => string): Versions {
  const stated = VERSION_NAMES.flatMap((name) => {
    const text = texts[name];
    return text === undefined ? [] : [[name, READERS[name](text, place(name))]];
  });
  return Object.fromEntries(stated);
}

/** Props and options of earlier releases of this library, with the name that replaces each. */
const RENAMED: Readonly<Record<string, VersionName>> = {
  loadBalancerController: 'awsLoadBalancerControllerVersion',
  awsLoadBalancerController: 'awsLoadBalancerControllerVersion',
  version: 'kruiseVersion',
};

/** The name that replaces one of earlier releases of this library; undefined if the name was never valid. */
export function currentNameOf(name: string): VersionName | undefined {
  return Object.hasOwn(RENAMED, name) ? RENAMED[name] : undefined;
}

/** The releases of a controller. */
interface Releases<V extends { readonly version: string }> {
  readonly ALL: readonly V[];
  of(version: string): V;
}

/**
 * A whole number, or its first two parts, which mean the newest known patch. A patch release of a known minor that is not
 * known itself has the facts of the nearest one.
 */
function known<V extends { readonly version: string }>({ ALL: all, of }: Releases<V>, text: string, place: string): V {
  const number = text.replace(/^v/, '');
  const found =
    all.find(({ version }) => version === number) ??
    all.filter(({ version }) => version.startsWith(`${number}.`)).at(-1);
  if (found !== undefined) return found;
  const minor = /^(\d+\.\d+\.)\d+$/.exec(number)?.[1];
  if (minor !== undefined && all.some(({ version }) => version.startsWith(minor))) return of(number);
  const minors = [...new Set(all.map(({ version }) => version.split('.').slice(0, 2).join('.')))];
  const names = [...minors, ...all.map(({ version }) => version)];
  const meant = /\d/.test(text) ? undefined : didYouMean(text, names);
  throw new UserError(
    `${place} is "${text}"${meant === undefined ? '' : `; did you mean "${meant}"?`}`,
    `it must be one of: ${names.join(', ')}`,
  );
}

function valid<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UserError(`${place}: ${(error as Error).message}`);
  }
}
