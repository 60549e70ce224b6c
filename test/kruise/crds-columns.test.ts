/** The columns that kubectl prints for each kind, in each version of the API and each release. */
import { describe, expect, it } from 'vitest';
import { API_KINDS } from '../../src/kruise/api/schema';
import { type KruiseCrdOptions, kruiseCrds, pluralOf } from '../../src/kruise/crds';
import { KruiseRolloutVersion } from '../../src/kruise/version';

const { V0_3_0, V0_4_4, V0_5_5, V0_6_2 } = KruiseRolloutVersion;

interface Column {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  readonly description?: string;
}
interface Version {
  readonly name: string;
  readonly subresources: object;
  readonly additionalPrinterColumns?: readonly Column[];
}
interface Crd {
  readonly spec: {
    readonly names: { readonly kind: string; readonly plural: string };
    readonly conversion?: object;
    readonly versions: readonly Version[];
  };
}
const crdsOf = (options: KruiseCrdOptions) => kruiseCrds(options) as unknown as readonly Crd[];
const versionsOf = (kind: string, version = V0_6_2) =>
  crdsOf({ version }).find(({ spec }) => spec.names.kind === kind)!.spec.versions;
/** `name version: STATUS string .status.phase, ...` */
const columns = (kind: string, version?: KruiseRolloutVersion) =>
  versionsOf(kind, version).map(
    ({ name, additionalPrinterColumns = [] }) =>
      `${name}: ${additionalPrinterColumns.map((each) => `${each.name} ${each.type} ${each.jsonPath}`).join(', ')}`,
  );

const AGE = 'AGE date .metadata.creationTimestamp';
const rollout = (at: string) =>
  `STATUS string .status.phase, CANARY_STEP integer ${at}.currentStepIndex, CANARY_STATE string ${at}.currentStepState, MESSAGE string .status.message, ${AGE}`;
const batch = (kind: string) =>
  `KIND string ${kind}, PHASE string .status.phase, BATCH integer .status.canaryStatus.currentBatch, BATCH-STATE string .status.canaryStatus.batchState, ${AGE}`;

describe('the columns', () => {
  it.each<[version: KruiseRolloutVersion, expected: readonly string[]]>([
    [V0_3_0, [`v1alpha1: ${rollout('.status.canaryStatus')}`]],
    [V0_5_5, [`v1alpha1: ${rollout('.status.canaryStatus')}`, `v1beta1: ${rollout('.status.canaryStatus')}`]],
    [V0_6_2, [`v1alpha1: ${rollout('.status.canaryStatus')}`, `v1beta1: ${rollout('.status')}`]],
  ])('of a Rollout in %s show its step', (version, expected) => {
    expect(columns('Rollout', version)).toEqual(expected);
  });

  it('of a BatchRelease show its workload and batch', () => {
    const old = `v1alpha1: ${batch('.spec.targetReference.workloadRef.kind')}`;
    expect(columns('BatchRelease')).toEqual([old, `v1beta1: ${batch('.spec.workloadRef.kind')}`]);
    expect(columns('BatchRelease', V0_4_4)).toEqual([old]);
  });

  it('of the other kinds show what they have', () => {
    expect(columns('RolloutHistory')).toEqual(['v1alpha1: ']);
    expect(columns('TrafficRouting')).toEqual([
      `v1alpha1: STATUS string .status.phase, MESSAGE string .status.message, ${AGE}`,
    ]);
  });

  it('have a description, except for the age', () => {
    for (const { additionalPrinterColumns = [] } of API_KINDS.flatMap((kind) => versionsOf(kind))) {
      for (const { name, description } of additionalPrinterColumns) {
        if (name === 'AGE') expect(description).toBeUndefined();
        else expect(description).toMatch(/^[A-Z]/);
      }
    }
  });
});

describe('a kind', () => {
  it('has a plural, and a status of its own', () => {
    expect(API_KINDS.map(pluralOf)).toEqual(['batchreleases', 'rollouts', 'rollouthistories', 'trafficroutings']);
    for (const kind of API_KINDS) {
      for (const { subresources } of versionsOf(kind)) expect(subresources).toStrictEqual({ status: {} });
    }
  });

  it('is converted by the webhook of the default namespace, if it has two versions', () => {
    const conversions = (version: KruiseRolloutVersion) =>
      Object.fromEntries(crdsOf({ version }).map(({ spec }) => [spec.names.kind, spec.conversion !== undefined]));
    expect(conversions(V0_6_2)).toEqual({
      BatchRelease: true,
      Rollout: true,
      RolloutHistory: false,
      TrafficRouting: false,
    });
    expect(conversions(V0_4_4)).toEqual({
      BatchRelease: false,
      Rollout: false,
      RolloutHistory: false,
      TrafficRouting: false,
    });
    expect(JSON.stringify(crdsOf({}))).toContain('"namespace":"kruise-rollout"');
    expect(kruiseCrds()).toEqual(kruiseCrds({ version: V0_6_2, namespace: 'kruise-rollout' }));
  });
});
