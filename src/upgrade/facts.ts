/** The differences between two releases, each with a way to try it alone. */
import { ARGO_HISTORY, type ArgoRolloutsFacts } from '../argo/facts';
import { ArgoRolloutsVersion } from '../argo/version';
import { isJsonObject, type Json, sameJson } from '../core/json';
import type { Histories, Since } from '../core/release-history';
import type { Software, UpgradedFact, UpgradeSide } from '../core/upgrade-result';
import { compareVersionNumbers, parseVersionNumber } from '../core/version-number';
import { KRUISE_HISTORY, type KruiseRolloutFacts } from '../kruise/facts';
import { KruiseRolloutVersion } from '../kruise/version';
import {
  AWS_LOAD_BALANCER_CONTROLLER_HISTORY,
  type AwsLoadBalancerControllerFacts,
  AwsLoadBalancerControllerVersion,
} from '../routers/aws-alb/version';
import {
  INGRESS_NGINX_HISTORY,
  type IngressNginxFacts,
  IngressNginxVersion,
} from '../routers/canary-ingress/nginx-version';
import { ISTIO_HISTORY, type IstioFacts, parseIstioVersion } from '../routers/istio-version';
import { TRAEFIK_HISTORY, type TraefikFacts, TraefikVersion } from '../routers/traefik/version';
import type { VersionName, Versions } from '../settings/versions';
import factTexts from './fact-texts.json';
import { type UpgradeVersions, VERSION_OF } from './software';

/** A fact that differs, and pairs of releases between which nothing else differs. */
export interface DifferentFact extends Omit<UpgradedFact, 'rules' | 'rollouts'> {
  readonly trials: readonly FactTrial[];
}

/** Two sets of releases between which only one fact differs. */
export interface FactTrial {
  readonly from: Versions;
  readonly to: Versions;
}

/** The facts that differ between the releases, in the order of docs/releases.md. */
export function differentFacts({ software, from, to }: UpgradeVersions): DifferentFact[] {
  return software.flatMap((one) => {
    const version = VERSION_OF[one];
    const differences = DIFFERENCES[one];
    if (differences === undefined) return [];
    const newer = compareReleases(from[version]!, to[version]!) <= 0 ? to : from;
    return differences(from, to).map(({ fact, part, history, trials, from: old, to: now }): DifferentFact => {
      const entry = entryAt(history, newer[version]!);
      const { from: since, source } = entry;
      const text = (factTexts as Texts)[one]?.[fact] ?? '';
      const name = part === undefined ? fact : `${fact}.${part}`;
      return { software: one, name, text, from: old, to: now, since, ...(source && { source }), trials };
    });
  });
}

type Texts = Readonly<Partial<Record<Software, Readonly<Record<string, string>>>>>;

/** A difference before it is described. */
interface Difference extends Readonly<Record<UpgradeSide, Json>> {
  readonly fact: string;
  /** One key of the fact. */
  readonly part?: string;
  readonly history: readonly Since<unknown>[];
  readonly trials: readonly FactTrial[];
}

const DIFFERENCES: Readonly<Partial<Record<Software, (from: Versions, to: Versions) => Difference[]>>> = {
  kruise: replacing<KruiseRolloutFacts>('kruiseVersion', KRUISE_HISTORY, KruiseRolloutVersion.of),
  argo: replacing<ArgoRolloutsFacts>('argoVersion', ARGO_HISTORY, ArgoRolloutsVersion.of),
  'aws-load-balancer-controller': replacing<AwsLoadBalancerControllerFacts>(
    'awsLoadBalancerControllerVersion',
    AWS_LOAD_BALANCER_CONTROLLER_HISTORY,
    AwsLoadBalancerControllerVersion.of,
  ),
  'ingress-nginx': replacing<IngressNginxFacts>('ingressNginxVersion', INGRESS_NGINX_HISTORY, IngressNginxVersion.of),
  traefik: replacing<TraefikFacts>('traefikVersion', TRAEFIK_HISTORY, TraefikVersion.of),
  istio: istioDifferences,
};

/** A release with facts that can be replaced. */
interface Release<Facts> {
  readonly version: string;
  readonly facts: Facts;
}

/**
 * Tries a fact of the new release among the old facts, and one of the old release among the new facts: some facts matter only
 * together with others.
 */
function replacing<Facts extends object>(
  name: Exclude<VersionName, 'istioVersion' | 'kubernetesVersion'>,
  histories: Histories<Facts>,
  of: (version: string, facts: Facts) => Release<Facts>,
): (from: Versions, to: Versions) => Difference[] {
  return (from, to) => {
    const [old, now] = [from[name], to[name]] as unknown as [Release<Facts>, Release<Facts>];
    return different(histories, old.facts, now.facts).flatMap(({ fact, ...whole }) =>
      partsOf(whole).map(({ part, early, late, ...values }): Difference => {
        const trial = (release: Release<Facts>, value: Json) =>
          ({ [name]: of(release.version, { ...release.facts, [fact]: value }) }) as Versions;
        return {
          fact: String(fact),
          ...(part === undefined ? {} : { part }),
          history: histories[fact],
          ...values,
          trials: [
            { from, to: { ...from, ...trial(old, early) } },
            { from: { ...to, ...trial(now, late) }, to },
          ],
        };
      }),
    );
  };
}

/** A fact, or one part of it, with the whole value among old facts and among new ones. */
interface Part extends Readonly<Record<UpgradeSide, Json>> {
  readonly part?: string;
  readonly early: Json;
  readonly late: Json;
}

/** The parts of a fact that has several, such as the order of tasks for each reason. Each is tried alone. */
function partsOf({ from, to }: Readonly<Record<UpgradeSide, Json>>): Part[] {
  if (!isJsonObject(from) || !isJsonObject(to)) return [{ from, to, early: to, late: from }];
  const parts = Object.keys(to).filter((part) => !sameJson(from[part], to[part]));
  return parts.map((part) => {
    const [old, now] = [from[part] ?? null, to[part] ?? null];
    return { part, from: old, to: now, early: { ...from, [part]: now }, late: { ...to, [part]: old } };
  });
}

function different<Facts>(histories: Histories<Facts>, from: Facts, to: Facts) {
  return (Object.keys(histories) as (keyof Facts)[])
    .map((fact) => ({ fact, from: from[fact] as Json, to: to[fact] as Json }))
    .filter((each) => !sameJson(each.from, each.to));
}

/** Istio is known by its number alone: a fact is tried between the last minor release without it and the first one with it. */
function istioDifferences(from: Versions, to: Versions): Difference[] {
  const [old, now] = [parseIstioVersion(from.istioVersion!), parseIstioVersion(to.istioVersion!)];
  const isUp = old.major * 1000 + old.minor < now.major * 1000 + now.minor;
  return different<IstioFacts>(ISTIO_HISTORY, old.facts, now.facts).map(({ fact, ...values }) => {
    const history = ISTIO_HISTORY[fact];
    const [major, minor] = parseVersionNumber(entryAt(history, isUp ? to.istioVersion! : from.istioVersion!).from)!;
    const [below, at] = [`${major}.${minor - 1}`, `${major}.${minor}`];
    const [first, second] = isUp ? [below, at] : [at, below];
    const trials = [{ from: { ...from, istioVersion: first }, to: { ...from, istioVersion: second } }];
    return { fact, history, ...values, trials };
  });
}

/** The entry of a history that counts for a release. */
function entryAt<Value>(history: readonly Since<Value>[], version: NonNullable<Versions[VersionName]>): Since<Value> {
  const reached = history.filter(({ from }) => compareReleases(from, version) <= 0);
  return reached.at(-1) ?? history[0]!;
}

/** Less than 0 if the first release is older than the second. */
function compareReleases(a: NonNullable<Versions[VersionName]>, b: NonNullable<Versions[VersionName]>): number {
  const [one, other] = [a, b].map((version) => parseVersionNumber(String(version))!);
  return compareVersionNumbers(one!, other!);
}
