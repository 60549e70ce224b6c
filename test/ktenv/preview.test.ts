import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseManifests, World } from '../../src/core';
import { previewEnvironments } from '../../src/ktenv/preview';
import { environmentPreviewText } from '../../src/report/environment-preview';
import { environmentPreviewHtml } from '../../src/report/environment-preview-html';

const VIRTUAL_ENVIRONMENT = `apiVersion: env.alibaba.com/v1alpha2
kind: VirtualEnvironment
metadata: { name: shop, namespace: shop }
spec: { envLabel: { defaultSubset: dev } }
`;

const service = (name: string) => `apiVersion: v1
kind: Service
metadata: { name: ${name}, namespace: shop }
spec: { selector: { app: ${name} }, ports: [{ name: http, port: 8080 }] }
`;

const deployment = (app: string, environment: string) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${app}-${environment.replaceAll('.', '-')}, namespace: shop }
spec:
  selector: { matchLabels: { app: ${app}, virtual-env: ${environment} } }
  template:
    metadata: { labels: { app: ${app}, virtual-env: ${environment} } }
    spec: { containers: [{ name: app, image: example.com/${app}:1 }] }
`;

/** The app that upstream shows KtEnv with. */
const EXAMPLE_APP = [
  VIRTUAL_ENVIRONMENT,
  ...['js', 'go', 'java'].map(service),
  ...['dev', 'dev.proj1'].map((one) => deployment('js', one)),
  ...['dev', 'dev.proj2'].map((one) => deployment('go', one)),
  ...['dev', 'dev.proj1', 'dev.proj1.f1'].map((one) => deployment('java', one)),
];

function preview(manifests: readonly string[], environments?: readonly string[]) {
  const { manifests: read, findings } = parseManifests(manifests.join('---\n'), 'app.yaml');
  expect(findings).toEqual([]);
  return previewEnvironments(World.of(read), environments === undefined ? {} : { environments });
}

/** `js -> js-dev (default)` by environment, of one Service. */
function cells(manifests: readonly string[], name: string, environments?: readonly string[]) {
  const [found] = preview(manifests, environments);
  const row = found!.rows.find((one) => one.service === name)!;
  return Object.fromEntries(
    row.cells.map(({ workloads, reason, statusCode }, index) => [
      found!.environments[index] ?? '',
      `${statusCode ?? workloads.join('+')} (${reason})`,
    ]),
  );
}

describe('previewEnvironments', () => {
  it('falls back level by level', () => {
    expect(cells(EXAMPLE_APP, 'js')).toEqual({
      '': 'js-dev (default)',
      dev: 'js-dev (exact)',
      'dev.proj1': 'js-dev-proj1 (exact)',
      'dev.proj1.f1': 'js-dev-proj1 (parent)',
      'dev.proj2': 'js-dev (default)',
    });
    expect(cells(EXAMPLE_APP, 'java')['dev.proj1.f1']).toBe('java-dev-proj1-f1 (exact)');
    expect(cells(EXAMPLE_APP, 'go')['dev.proj1']).toBe('go-dev (default)');
  });

  it('sends an environment without workloads to the default, not to its parent', () => {
    expect(cells(EXAMPLE_APP, 'js', ['dev.proj1.new'])['dev.proj1.new']).toBe('js-dev (default)');
  });

  it('shows the 503 of a Service without the default environment', () => {
    const app = [VIRTUAL_ENVIRONMENT, service('js'), deployment('js', 'dev.a'), deployment('js', 'dev.b')];
    expect(cells(app, 'js')).toEqual({
      '': '503 (error)',
      dev: '503 (error)',
      'dev.a': 'js-dev-a (exact)',
      'dev.b': 'js-dev-b (exact)',
    });
    expect(environmentPreviewText(preview(app))).toContain('js:8080, no header: no DestinationRule for');
  });

  it('lists all pods of a Service without routes, because any of them answers', () => {
    const app = EXAMPLE_APP.map((one) => one.replace('name: http,', 'name: grpc,'));
    expect(cells(app, 'go')).toMatchObject({
      '': 'go-dev+go-dev-proj2 (any)',
      'dev.proj2': 'go-dev+go-dev-proj2 (any)',
    });
    expect(preview(app)[0]!.rows.map(({ service: name, port }) => `${name}:${port}`)).toEqual([
      'go:8080',
      'java:8080',
      'js:8080',
    ]);
  });

  it('has a column for each environment that the VirtualEnvironment declares for requests', () => {
    const annotated = VIRTUAL_ENVIRONMENT.replace(
      'metadata: {',
      'metadata: { annotations: { rollout-constructs.io/environments: "dev.proj1.new, dev.proj2.new" },',
    );
    const [found] = preview([annotated, ...EXAMPLE_APP.slice(1)], ['dev.proj2.new', 'dev.x']);
    expect(found!.environments.slice(-3)).toEqual(['dev.proj1.new', 'dev.proj2.new', 'dev.x']);
  });

  it('mixes environments if there is no default', () => {
    const app = [VIRTUAL_ENVIRONMENT.replace('defaultSubset: dev', ''), ...EXAMPLE_APP.slice(1)];
    expect(cells(app, 'js')['']).toBe('js-dev+js-dev-proj1 (any)');
  });

  it('ignores a hand-written VirtualService that the operator overwrites', () => {
    const own = `apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: { name: js, namespace: shop }
spec: { hosts: [js], http: [{ fault: { abort: { httpStatus: 500 } }, route: [{ destination: { host: js } }] }] }
`;
    expect(cells([...EXAMPLE_APP, own], 'js')).toEqual(cells(EXAMPLE_APP, 'js'));
  });

  it('shows nothing for a World without environments', () => {
    expect(preview([service('js')])).toEqual([]);
    expect(environmentPreviewText(preview([VIRTUAL_ENVIRONMENT]))).toContain('no Service has workloads');
  });
});

/** Who answers, in the words of upstream's documents: the environment, else its nearest parent, else the default. */
function expected(
  asked: string,
  here: readonly string[],
  everywhere: readonly string[],
  defaultSubset: string,
): string {
  const parents = asked.split('.').map((_, index, levels) => levels.slice(0, levels.length - index).join('.'));
  // Only what some workload carries has a route.
  const nearest = everywhere.includes(asked) ? parents.find((one) => here.includes(one)) : undefined;
  return nearest ?? (here.includes(defaultSubset) ? defaultSubset : '503');
}

it('routes as documented upstream, for any set of workloads', () => {
  const label = fc.constantFrom('dev', 'dev.a', 'dev.a.b', 'dev.a.b.c', 'dev.x', 'test', 'test.x');
  const workload = fc.tuple(fc.constantFrom('js', 'go'), label).map((pair) => pair.join('/'));
  let cellsSeen = 0;
  fc.assert(
    fc.property(fc.uniqueArray(workload, { minLength: 2, maxLength: 9 }), label, (workloads, defaultSubset) => {
      const pairs = workloads.map((one) => one.split('/') as [app: string, environment: string]);
      const app = [
        VIRTUAL_ENVIRONMENT.replace('defaultSubset: dev', `defaultSubset: ${defaultSubset}`),
        ...['js', 'go'].map(service),
        ...pairs.map(([name, environment]) => deployment(name, environment)),
      ];
      const everywhere = pairs.map(([, environment]) => environment);
      const [found] = preview(app, ['dev.a.mine', 'none']);
      for (const { service: name, cells: row } of found!.rows) {
        const here = pairs.filter(([one]) => one === name).map(([, environment]) => environment);
        // A single route is none, and then all pods answer.
        const routed = row.some(({ reason, statusCode }) => reason !== 'any' && statusCode === undefined);
        if (!routed || here.length === 1) continue;
        row.forEach(({ answeredBy, statusCode }, index) => {
          const asked = found!.environments[index] ?? '';
          expect([name, asked, statusCode ?? answeredBy.join()]).toEqual([
            name,
            asked,
            expected(asked, here, everywhere, defaultSubset),
          ]);
          cellsSeen++;
        });
      }
    }),
    { seed: 6, numRuns: 60 },
  );
  expect(cellsSeen).toBeGreaterThan(200);
});

describe('a preview as a report', () => {
  it('is a table', () => {
    const [, , head, row] = environmentPreviewText(preview(EXAMPLE_APP)).split('\n');
    expect(head).toMatch(/^ {2}SERVICE +no header +dev +dev\.proj1 +dev\.proj1\.f1 +dev\.proj2$/);
    expect(row).toMatch(/^ {2}go:8080 +go-dev \(default\) +go-dev \(exact\) +go-dev \(default\)/);
  });

  it('is a page without markup from manifests', () => {
    const html = environmentPreviewHtml(preview(EXAMPLE_APP, ['<script>']));
    expect(html).toContain('<td class="parent"><b>js-dev-proj1 (parent)</b><small>');
    expect(html).toContain('&lt;script&gt;');
    expect(html).not.toContain('<script>');
  });
});
