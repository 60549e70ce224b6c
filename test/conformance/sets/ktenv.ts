import { isDeepStrictEqual } from 'node:util';
import { type OperatorInput, playOperator } from '../../../src/ktenv/controller';
import type { Outcome, VectorSet } from '../set';

interface KtEnvVector {
  readonly input: OperatorInput;
  readonly expect: {
    readonly virtualServices: readonly unknown[];
    readonly destinationRules: readonly unknown[];
    readonly envoyFilters?: readonly unknown[];
  };
}

/** What the operator of KtEnv writes for the Services and workloads of a namespace. */
const ktenvVectors: VectorSet = {
  check({ input, expect }: KtEnvVector): Outcome {
    const { environment, virtualServices, destinationRules, envoyFilters } = playOperator(input);
    const { header } = environment;
    const pairs: readonly (readonly [string, unknown, unknown])[] = [
      ['virtualServices', sorted(expect.virtualServices, header), sorted(virtualServices, header)],
      ['destinationRules', sorted(expect.destinationRules, header), sorted(destinationRules, header)],
      ['envoyFilters', sorted(expect.envoyFilters ?? [], header), sorted(envoyFilters, header)],
    ];
    const differing = pairs.filter(([, expected, got]) => !isDeepStrictEqual(expected, got));
    const difference = differing.map(
      ([name, expected, got]) => `${name}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`,
    );
    return { same: differing.length === 0, difference: difference.join('; ') || undefined };
  },
};

// biome-ignore lint/suspicious/noExplicitAny: the objects are read as they come
type Any = any;

/** The objects in the order that the vectors are in, without what they leave out: the text of the filter's script. */
function sorted(objects: readonly unknown[], header: string): unknown {
  const plain: Any[] = JSON.parse(
    JSON.stringify(objects, (key, value) => (/^inline_?code$/i.test(key) ? undefined : value)),
  );
  for (const { spec } of plain) {
    if (spec.http !== undefined) spec.http = sortedRoutes(spec.http, header);
    spec.subsets?.sort((a: Any, b: Any) => order([a.name, JSON.stringify(a)], [b.name, JSON.stringify(b)]));
  }
  return plain.sort((a, b) => order([a.metadata.name], [b.metadata.name]));
}

/** By port, then by label with the default route last; the routes by aliases stay behind the one by the header. */
function sortedRoutes(routes: readonly Any[], header: string): Any[] {
  let label = '';
  const keyed = routes.map((route) => {
    const [{ port = 0, headers = {} } = {}] = route.match ?? [];
    label = headers[header]?.exact ?? label;
    const isDefault = Object.keys(headers).length === 0 ? 1 : 0;
    return { route, key: [port, isDefault, label] };
  });
  return keyed.sort((a, b) => order(a.key, b.key)).map(({ route }) => route);
}

function order(a: readonly (number | string)[], b: readonly (number | string)[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  if (at < 0) return 0;
  const [left, right] = [a[at]!, b[at]!];
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return Buffer.compare(Buffer.from(String(left)), Buffer.from(String(right)));
}

export default ktenvVectors;
