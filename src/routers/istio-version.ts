import { factsOf, type Histories } from '../core/release-history';

/** The differences between releases of Istio. */
export interface IstioFacts {
  /** Whether Envoy takes the filter that the operator writes for `autoInject`. */
  readonly takesAutoInject: boolean;
  /** Whether its webhook refuses two subsets of one name in a DestinationRule. */
  readonly refusesEqualSubsets: boolean;
  /** Whether the sidecar of a pod is an init container by default. */
  readonly nativeSidecars: boolean;
  /** Whether Envoy compares each value of a repeated header by itself. Older releases compare one text of all values, with commas. */
  readonly comparesEachHeader: boolean;
}

/** What each fact is, by release. */
export const ISTIO_HISTORY: Histories<IstioFacts> = {
  takesAutoInject: [
    { from: '1.0.0', is: true, source: 'KtEnv, issue #17' },
    { from: '1.19.0', is: false, source: 'KtEnv, issue #17' },
  ],
  refusesEqualSubsets: [
    { from: '1.0.0', is: false, source: 'the release notes of Istio' },
    { from: '1.22.0', is: true, source: 'the release notes of Istio 1.22' },
  ],
  nativeSidecars: [
    { from: '1.0.0', is: false, source: 'the release notes of Istio' },
    { from: '1.27.0', is: true, source: 'the release notes of Istio 1.27' },
  ],
  comparesEachHeader: [
    { from: '1.0.0', is: false, source: 'Envoy 1.36 to 1.38, on the stage' },
    { from: '1.31.0', is: true, source: 'Envoy 1.39 and 1.40, on the stage' },
  ],
};

/** A minor version of Istio, and its behaviour. */
export interface IstioVersion {
  readonly major: number;
  readonly minor: number;
  readonly facts: IstioFacts;
}

/** Reads `1.24`, `1.24.3` or `v1.24.3-distroless`. */
export function parseIstioVersion(text: string): IstioVersion {
  const found = /^v?(\d+)\.(\d+)(?:[.\-+].*)?$/.exec(text);
  if (found === null) throw new Error(`the Istio version "${text}" is not a version; write it as 1.24 or 1.24.3`);
  const [major, minor] = [Number(found[1]), Number(found[2])];
  return { major, minor, facts: factsOf(ISTIO_HISTORY, [major, minor, 0]) };
}

/** The facts of the newest release. */
export const LATEST_ISTIO_FACTS: IstioFacts = parseIstioVersion('1.31').facts;
