/** Virtual environments of KtEnv: those of its documents, and some at random. */
import fc from 'fast-check';
import type { KubernetesObject } from '../../cluster/api';
import { READY_AFTER } from '../../cluster/nodes';
import { BACKEND_PORT } from '../backends';

/** Workloads with environments, and what requests name. */
export interface EnvironmentCase {
  readonly case: string;
  readonly objects: readonly KubernetesObject[];
  /** Environments without a workload that requests name all the same. */
  readonly environments: readonly string[];
}

interface Drawn {
  readonly spec: KubernetesObject;
  readonly label: string;
  readonly services: Readonly<
    Record<string, { readonly ports: readonly number[]; readonly environments: readonly string[] }>
  >;
  readonly environments: readonly string[];
}

/** Every port that a Service of the cases has. */
export const PORTS = [80, 8080] as const;

const EXAMPLE = {
  js: { ports: [8080], environments: ['dev', 'dev.proj1'] },
  go: { ports: [8080], environments: ['dev', 'dev.proj2'] },
  java: { ports: [8080], environments: ['dev', 'dev.proj1', 'dev.proj1.feature1'] },
};
const LABEL = 'virtual-env';
const OTHERS = ['dev.proj1.other', 'dev.proj2.mine', 'test', 'de', 'dev.', 'DEV'];

const NAMED: Readonly<Record<string, Drawn>> = {
  'of-the-documents': {
    spec: { envLabel: { name: LABEL, splitter: '.', defaultSubset: 'dev' } },
    label: LABEL,
    services: EXAMPLE,
    environments: OTHERS,
  },
  'without-default': { spec: { envLabel: { name: LABEL } }, label: LABEL, services: EXAMPLE, environments: OTHERS },
  'empty-spec': { spec: {}, label: LABEL, services: EXAMPLE, environments: OTHERS },
  'default-is-missing': {
    spec: { envLabel: { defaultSubset: 'dev' } },
    label: LABEL,
    services: { js: { ports: [8080], environments: ['dev.proj1', 'dev.proj2'] } },
    environments: OTHERS,
  },
  'one-workload': {
    spec: { envLabel: { defaultSubset: 'dev' } },
    label: LABEL,
    services: { js: { ports: [80, 8080], environments: ['dev'] }, go: { ports: [80], environments: ['dev.proj1'] } },
    environments: OTHERS,
  },
  'other-header': {
    spec: { envHeader: { name: 'X-Env' }, envLabel: { name: 'env', splitter: '-', defaultSubset: 'dev' } },
    label: 'env',
    services: { js: { ports: [80, 8080], environments: ['dev', 'dev-a', 'dev-a-b', 'dev.a'] } },
    environments: ['dev-a-c', 'dev-b', 'dev.a.b'],
  },
  aliases: {
    spec: {
      envHeader: { name: 'X-Env', aliases: [{ name: 'x-b3-baggage', pattern: '(.*;)?env=@(;.*)?', placeholder: '@' }] },
      envLabel: { defaultSubset: 'dev' },
    },
    label: LABEL,
    services: EXAMPLE,
    environments: OTHERS,
  },
};

const ENVIRONMENTS = ['dev', 'dev.a', 'dev.a.b', 'dev.b', 'dev-a', 'test', 'test.x', 'test_x', 'a.b.c.d'];
const service = fc.record({
  ports: fc.constantFrom<readonly number[]>([80], [8080], [80, 8080]),
  environments: fc.uniqueArray(fc.constantFrom(...ENVIRONMENTS), { minLength: 1, maxLength: 5 }),
});
const drawn: fc.Arbitrary<Drawn> = fc
  .record({
    label: fc.constantFrom(LABEL, 'env'),
    header: fc.constantFrom(undefined, 'X-Env', 'ali-env-mark'),
    splitter: fc.constantFrom(undefined, '.', '-', '_'),
    defaultSubset: fc.constantFrom(undefined, 'dev', 'dev', 'test', 'dev.a', 'none'),
    services: fc.record({ web: service, cart: service }),
    environments: fc.uniqueArray(fc.constantFrom('dev.a.b.c', 'dev.c', 'dev.a-b', 'prod', 'dev.a.', 'Dev', 'x_y'), {
      maxLength: 4,
    }),
  })
  .map(({ label, header, splitter, defaultSubset, services, environments }) => ({
    spec: JSON.parse(
      JSON.stringify({
        ...(header !== undefined && { envHeader: { name: header } }),
        envLabel: { name: label, splitter, defaultSubset },
      }),
    ),
    label,
    services,
    environments,
  }));

/** Those of the documents. */
export function namedEnvironments(): EnvironmentCase[] {
  return Object.entries(NAMED).map(([name, one]) => caseOf(name, one));
}

/** The same cases for the same seed. */
export function randomEnvironments(seed: number, count: number): EnvironmentCase[] {
  return Array.from({ length: count }, (_, index) =>
    caseOf(`random-${seed}-${index}`, fc.sample(drawn, { seed: seed * 1000 + index, numRuns: 1 })[0]!),
  );
}

/** In a namespace of its own, which has the name of the case. */
function caseOf(name: string, { spec, label, services, environments }: Drawn): EnvironmentCase {
  const inNamespace = (kind: string, apiVersion: string, objectName: string, more: object): KubernetesObject => ({
    apiVersion,
    kind,
    metadata: { name: objectName, namespace: name },
    ...more,
  });
  const objects = Object.entries(services).flatMap(([app, { ports, environments: deployed }]) => [
    inNamespace('Service', 'v1', app, {
      spec: {
        selector: { app },
        ports: ports.map((port) => ({ name: `http-${port}`, port, targetPort: BACKEND_PORT })),
      },
    }),
    ...deployed.map((environment, index) => {
      const labels = { app, [label]: environment };
      const annotations = { [READY_AFTER]: '0s' };
      return inNamespace('Deployment', 'apps/v1', `${app}-${index}`, {
        spec: {
          replicas: 1,
          selector: { matchLabels: labels },
          template: {
            metadata: { labels, annotations },
            spec: { containers: [{ name: 'c', image: 'x:1', ports: [{ containerPort: BACKEND_PORT }] }] },
          },
        },
      });
    }),
  ]);
  return {
    case: name,
    objects: [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
      inNamespace('VirtualEnvironment', 'env.alibaba.com/v1alpha2', 'environments', { spec }),
      ...objects,
    ],
    environments,
  };
}
