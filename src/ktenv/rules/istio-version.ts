import { factsOf, type Histories } from '../../core/release-history';

/** The differences between releases of Istio. */
export interface IstioFacts {
  /** Whether Envoy takes the filter that the operator writes for `autoInject`. */
  readonly takesAutoInject: boolean;
  /** Whether its webhook refuses two subsets of one name in a DestinationRule. */
  readonly refusesEqualSubsets: boolean;
  /** Whether the sidecar of a pod is an init container by default. */
  readonly nativeSidecars: boolean;
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
