import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Json, type JsonObject, ownValue } from '../../src/core/json';
import { checkObject, type StructuralSchema, withDefaults } from '../../src/core/schema';
import { kruiseCrds, pluralOf } from '../../src/kruise/crds';
import { KruiseRolloutVersion } from '../../src/kruise/version';
import { objectsOf } from './api/objects';

const UPSTREAM = join(__dirname, '..', '..', '..', 'shared', 'upstream', 'kruise-rollouts');
const VECTORS = join(__dirname, '..', 'vectors', 'kruise-admission.jsonl');

interface Crd {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly kind: string };
    readonly conversion?: JsonObject;
    readonly versions: readonly {
      readonly name: string;
      readonly served: boolean;
      readonly storage: boolean;
      readonly subresources: JsonObject;
      readonly schema: { readonly openAPIV3Schema: StructuralSchema };
      readonly additionalPrinterColumns?: readonly { readonly name: string; readonly jsonPath: string }[];
    }[];
  };
}

function crds(options?: Parameters<typeof kruiseCrds>[0]): Crd[] {
  return kruiseCrds(options) as unknown as Crd[];
}

/** Every value of a key, at any depth. */
function keysIn(value: Json | undefined): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => [key, ...keysIn(child as Json)]);
}

describe('kruiseCrds', () => {
  it('makes one of each kind, in the order of their names', () => {
    expect(crds().map(({ metadata }) => metadata.name)).toEqual([
      'batchreleases.rollouts.kruise.io',
      'rollouts.rollouts.kruise.io',
      'rollouthistories.rollouts.kruise.io',
      'trafficroutings.rollouts.kruise.io',
    ]);
  });

  it('stores Rollouts and BatchReleases in v1beta1 and serves the older version by conversion', () => {
    const stored = crds().map(({ spec }) => [
      spec.names.kind,
      spec.versions.map(({ name, storage }) => `${name}${storage ? '*' : ''}`).join(' '),
      spec.conversion !== undefined,
    ]);
    expect(stored).toEqual([
      ['BatchRelease', 'v1alpha1 v1beta1*', true],
      ['Rollout', 'v1alpha1 v1beta1*', true],
      ['RolloutHistory', 'v1alpha1*', false],
      ['TrafficRouting', 'v1alpha1*', false],
    ]);
  });

  it('sends conversions to the webhook in the namespace of the install', () => {
    const [{ spec }] = crds({ namespace: 'delivery' }).slice(1) as [Crd];
    expect(spec.conversion).toEqual({
      strategy: 'Webhook',
      webhook: {
        conversionReviewVersions: ['v1', 'v1beta1'],
        clientConfig: {
          service: { namespace: 'delivery', name: 'kruise-rollout-webhook-service', path: '/convert', port: 443 },
        },
      },
    });
  });

  it('has labels and annotations only if they are set', () => {
    const [bare] = kruiseCrds();
    expect(bare!.metadata).toEqual({ name: 'batchreleases.rollouts.kruise.io' });
    const [labelled] = kruiseCrds({ labels: { a: 'b' }, annotations: { keep: 'true' } });
    expect(labelled!.metadata).toMatchObject({ labels: { a: 'b' }, annotations: { keep: 'true' } });
  });

  it('has the fields of the release', () => {
    const kinds = (version: KruiseRolloutVersion) =>
      crds({ version }).map(({ spec }) => `${spec.names.kind} ${spec.versions.map(({ name }) => name)}`);
    expect(kinds(KruiseRolloutVersion.V0_3_0)).toEqual([
      'BatchRelease v1alpha1',
      'Rollout v1alpha1',
      'RolloutHistory v1alpha1',
    ]);
    expect(kinds(KruiseRolloutVersion.V0_4_0)).toContain('TrafficRouting v1alpha1');
    expect(crds({ version: KruiseRolloutVersion.V0_4_0 }).every(({ spec }) => spec.versions[0]!.storage)).toBe(true);
  });

  it.each(KruiseRolloutVersion.ALL)('prints columns that the schema has (%s)', (version) => {
    const missing = crds({ version }).flatMap(({ spec }) =>
      spec.versions.flatMap(({ additionalPrinterColumns = [], schema }) =>
        additionalPrinterColumns
          .filter(({ jsonPath }) => !jsonPath.startsWith('.metadata'))
          .filter(({ jsonPath }) => {
            const found = jsonPath
              .slice(1)
              .split('.')
              .reduce<unknown>((at, key) => ownValue(ownValue(at, 'properties'), key), schema.openAPIV3Schema);
            return found === undefined;
          }),
      ),
    );
    expect(missing).toEqual([]);
  });

  it('contains only fields of a CRD', () => {
    expect(
      keysIn(kruiseCrds() as unknown as Json).filter((key) => ['$ref', 'title', 'since', 'from'].includes(key)),
    ).toEqual([]);
  });

  it('is the same each time', () => {
    expect(JSON.stringify(kruiseCrds())).toBe(JSON.stringify(kruiseCrds()));
  });

  it('has the plurals', () => {
    expect(pluralOf('RolloutHistory')).toBe('rollouthistories');
  });
});

/** Our CRD and that of upstream, for the same kind. */
const pairs = existsSync(UPSTREAM)
  ? crds({ version: KruiseRolloutVersion.V0_6_2 }).map((ours) => {
      const file = join(UPSTREAM, `crd-${ours.metadata.name.split('.')[0]}.yaml`);
      return { kind: ours.spec.names.kind, ours, theirs: parse(readFileSync(file, 'utf8')) as Crd };
    })
  : [];

/** An object as the API server would store it, for comparison. */
function outcome(object: JsonObject, schema: StructuralSchema) {
  const { errors, unknown, object: stored } = checkObject(object, schema);
  const text = (values: readonly object[]) => values.map((value) => JSON.stringify(value)).sort();
  return {
    errors: text(errors.map(({ path, type, detail }) => ({ path, type, detail }))),
    unknown: text(unknown.map(({ path }) => path)),
    stored: sorted(stored),
  };
}

/** Defaults are added in the order of the schema, which does not matter. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, child]) => [key, sorted(child)]),
  );
}

describe.skipIf(pairs.length === 0)('compared with upstream 0.6.2 (skipped if its CRDs are not available)', () => {
  it.each(pairs)('$kind: has the same names, scope, versions and subresources', ({ ours, theirs }) => {
    const facts = ({ metadata, spec: { group, scope, names, versions } }: Crd) => ({
      name: metadata.name,
      group,
      scope,
      names,
      versions: versions.map(({ name, served, storage, subresources }) => ({ name, served, storage, subresources })),
      columns: versions.map(({ additionalPrinterColumns = [] }) => additionalPrinterColumns.map(({ name }) => name)),
    });
    expect(facts(ours)).toEqual(facts(theirs));
  });

  for (const { kind, ours, theirs } of pairs) {
    ours.spec.versions.forEach(({ name, schema: { openAPIV3Schema: mine } }, index) => {
      const { openAPIV3Schema: yours } = theirs.spec.versions[index]!.schema;

      it(`${kind} ${name}: accepts, rejects, defaults and drops the same in generated objects`, () => {
        const verdicts = { accepted: 0, refused: 0, dropped: 0 };
        fc.assert(
          fc.property(objectsOf(yours, 4), (generated) => {
            const object = { ...generated, metadata: { name: 'web' } };
            const expected = outcome(object, yours);
            expect(outcome(object, mine)).toEqual(expected);
            verdicts[expected.errors.length === 0 ? 'accepted' : 'refused']++;
            if (expected.unknown.length > 0) verdicts.dropped++;
          }),
          { seed: 3, numRuns: 400 },
        );
        // The comparison is meaningful only if each case occurred often.
        expect(Math.min(...Object.values(verdicts))).toBeGreaterThan(20);
      });

      it(`${kind} ${name}: has the same fields as upstream`, () => {
        const fields = (one: StructuralSchema, at: string): string[] => [
          ...Object.entries(one.properties ?? {}).flatMap(([key, child]) => [
            `${at}.${key}`,
            ...fields(child, `${at}.${key}`),
          ]),
          ...(one.items === undefined ? [] : fields(one.items, `${at}[]`)),
        ];
        expect(fields(mine, '').sort()).toEqual(fields(yours, '').sort());
      });
    });
  }

  it('treats every recorded Rollout alike', () => {
    const { ours, theirs } = pairs.find(({ kind }) => kind === 'Rollout')!;
    const vectors = readFileSync(VECTORS, 'utf8').trim().split('\n');
    for (const line of vectors) {
      const { input } = JSON.parse(line) as { readonly input: JsonObject & { readonly apiVersion: string } };
      const index = ours.spec.versions.findIndex(({ name }) => input.apiVersion.endsWith(`/${name}`));
      const [mine, yours] = [ours, theirs].map(({ spec }) => spec.versions[index]!.schema.openAPIV3Schema);
      expect(outcome(input, mine!)).toEqual(outcome(input, yours!));
    }
    expect(vectors.length).toBeGreaterThan(100);
  });
});

describe('the schemas of a release', () => {
  it('accept their own defaults', () => {
    for (const { spec } of crds()) {
      for (const { schema } of spec.versions) {
        const defaulted = withDefaults({ spec: {} }, schema.openAPIV3Schema);
        expect(withDefaults(defaulted, schema.openAPIV3Schema)).toEqual(defaulted);
      }
    }
  });
});
