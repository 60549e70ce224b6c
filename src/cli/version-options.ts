import { KruiseRolloutVersion } from '../kruise/version';
import { DEFAULT_KUBERNETES_VERSION, readVersions, type VersionName, type VersionTexts } from '../settings/versions';

/** The flags of commands that check a stack. */
export const VERSION_OPTIONS = {
  'kruise-version': { type: 'string' },
  'argo-version': { type: 'string' },
  'aws-load-balancer-controller-version': { type: 'string' },
  'ingress-nginx-version': { type: 'string' },
  'traefik-version': { type: 'string' },
  'istio-version': { type: 'string' },
  'kubernetes-version': { type: 'string' },
} as const;

/** Flags of earlier releases of this library, with the flag that replaces each. */
export const RENAMED_FLAGS: Readonly<Record<string, keyof typeof VERSION_OPTIONS>> = {
  'lbc-version': 'aws-load-balancer-controller-version',
};

/** The flag of commands that run only scripts. */
export const KRUISE_VERSION_OPTION = { 'kruise-version': VERSION_OPTIONS['kruise-version'] } as const;

/** The help text of these flags. */
export const VERSION_HELP = `  --kruise-version <v>     the version of Kruise Rollouts: 0.6 or 0.6.1 (default: the install in the stack, or the newest known)
  --argo-version <v>       the version of Argo Rollouts (default: the install in the stack, or 1.9.1)
  --aws-load-balancer-controller-version <v>
                           the version of the AWS Load Balancer Controller (default: the install in the stack, or the newest known)
  --ingress-nginx-version <v>
                           the version of ingress-nginx (default: the install in the stack, or the newest known)
  --traefik-version <v>    the version of Traefik (default: the install in the stack, or the newest known)
  --istio-version <v>      the version of Istio (default: the install in the stack; without one, findings that depend on it are warnings)
  --kubernetes-version <v> the version of Kubernetes (default ${DEFAULT_KUBERNETES_VERSION})`;

/** The help text of the flag of commands that run only scripts. */
export const KRUISE_VERSION_HELP =
  '  --kruise-version <v>     the version of Kruise Rollouts: 0.6 or 0.6.1 (default the newest known)';

/** The flag that states a version: `--kruise-version`. */
export function flagOfVersion(name: VersionName): `--${string}` {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The versions that the flags state, as text. */
export function versionTextsOf(values: { readonly [flag in keyof typeof VERSION_OPTIONS]?: string }): VersionTexts {
  const texts: { readonly [Name in VersionName]: string | undefined } = {
    kruiseVersion: values['kruise-version'],
    argoVersion: values['argo-version'],
    awsLoadBalancerControllerVersion: values['aws-load-balancer-controller-version'],
    ingressNginxVersion: values['ingress-nginx-version'],
    traefikVersion: values['traefik-version'],
    istioVersion: values['istio-version'],
    kubernetesVersion: values['kubernetes-version'],
  };
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined));
}

/** The version of Kruise Rollouts that `--kruise-version` states, or the newest known. */
export function kruiseVersionOf(text: string | undefined): KruiseRolloutVersion {
  const texts = text === undefined ? {} : { kruiseVersion: text };
  return readVersions(texts, flagOfVersion).kruiseVersion ?? KruiseRolloutVersion.LATEST;
}
