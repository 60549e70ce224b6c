/** The software whose releases change, by the names that people type. */
import { didYouMean } from '../core/did-you-mean';
import type { Software } from '../core/upgrade-result';
import type { World } from '../core/world';
import type { ClusterOptions } from '../settings/check-options';
import { clusterFactsIn } from '../settings/cluster';
import { UserError } from '../settings/user-error';
import { readVersions, VERSION_TITLES, type VersionName, type Versions } from '../settings/versions';

/** The version that each name stands for. */
export const VERSION_OF: Readonly<Record<Software, VersionName>> = {
  kruise: 'kruiseVersion',
  argo: 'argoVersion',
  'aws-load-balancer-controller': 'awsLoadBalancerControllerVersion',
  'ingress-nginx': 'ingressNginxVersion',
  traefik: 'traefikVersion',
  istio: 'istioVersion',
  kubernetes: 'kubernetesVersion',
};

/** All names, in the order of reports. */
export const SOFTWARE = Object.keys(VERSION_OF) as readonly Software[];

/** Software, and a release as text. */
export interface NamedRelease {
  readonly software: Software;
  readonly release: string;
}

/** The releases before and after. Only software whose release changes is in them. */
export interface UpgradeVersions {
  readonly software: readonly Software[];
  readonly from: Versions;
  readonly to: Versions;
}

/**
 * Reads `kruise=0.6.2`.
 * @param place what messages call the text: `--to`
 */
export function readRelease(text: string, place: string): NamedRelease {
  const [, name = '', release = ''] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  const software = SOFTWARE.find((one) => one === name);
  if (software !== undefined) return { software, release };
  const meant = name === '' ? undefined : didYouMean(name, SOFTWARE);
  throw new UserError(
    `${place} is "${text}"${meant === undefined ? '' : `; did you mean "${meant}=${release}"?`}`,
    `write it as kruise=0.6.2; software: ${SOFTWARE.join(', ')}`,
  );
}

/**
 * The versions before and after. What `from` does not name is what the settings state, or what the installs in the stack
 * say; a release that nobody knows is a `UserError`, because a comparison with a guess would mislead.
 */
export function versionsOf(
  world: World,
  stated: ClusterOptions,
  from: readonly NamedRelease[],
  to: readonly NamedRelease[],
): UpgradeVersions {
  const after = versionsIn(to, '--to');
  const before = versionsIn(from, '--from');
  const found = clusterFactsIn(world);
  const software = SOFTWARE.filter((one) => after[VERSION_OF[one]] !== undefined);
  const stray = from.find((one) => !software.includes(one.software));
  if (stray !== undefined) {
    throw new UserError(
      `--from names ${stray.software}, and --to does not`,
      `name the release after it: --to ${stray.software}=…`,
    );
  }
  const known = software.map((one) => {
    const name = VERSION_OF[one];
    const version = before[name] ?? stated[name] ?? found[name];
    if (version !== undefined) return [name, version];
    throw new UserError(
      `nobody says which release of ${VERSION_TITLES[name]} runs now: neither the configuration nor an install in the stack`,
      `name it: --from ${one}=…`,
    );
  });
  return { software, from: Object.fromEntries(known), to: after };
}

function versionsIn(releases: readonly NamedRelease[], place: string): Versions {
  const names = releases.map(({ software }) => software);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new UserError(`${place} names ${twice} twice`, 'name one release of each');
  const texts = Object.fromEntries(releases.map(({ software, release }) => [VERSION_OF[software], release]));
  return readVersions(texts, (name) => `${place} ${SOFTWARE.find((one) => VERSION_OF[one] === name)}`);
}

/** A version as text, without `v`. */
export function versionText(version: Versions[VersionName]): string {
  return typeof version === 'object' ? version.version : (version ?? '');
}
