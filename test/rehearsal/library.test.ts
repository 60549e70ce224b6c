/** Every script of the library that rewrites an object, rehearsed with the objects of its own testdata. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { configMap, rehearseObjects, sharesOf } from './stack';

const LIBRARY = join(__dirname, '..', '..', 'lua_configuration');

/** The load balancer of each kind. */
const ROUTERS: Readonly<Record<string, string>> = {
  'apisix.apache.org/ApisixRoute': 'apisix',
  'projectcontour.io/HTTPProxy': 'contour',
  'kuma.io/MeshHTTPRoute': 'kuma',
  'kuma.io/TrafficRoute': 'kuma',
  'traefik.io/IngressRoute': 'traefik',
  'networking.k8s.io/Ingress': 'aws-alb',
};

/**
 * Cases whose objects are no whole stack on Kubernetes: hosts of another object, another kind of load balancer, more Services than the
 * one that is released. And one that depends on what is not known: whether Kuma takes a rule without a path for the
 * prefix "/", which comes before a regular expression, or for none. The router assumes the first, the script the second.
 */
const APART: ReadonlySet<string> = new Set([
  'apisix.apache.org/ApisixRoute/no-match.yaml',
  'projectcontour.io/HTTPProxy/included.yaml',
  'projectcontour.io/HTTPProxy/tcpproxy.yaml',
  'kuma.io/MeshHTTPRoute/target-ref.yaml',
  'kuma.io/TrafficRoute/plain-tag.yaml',
  'kuma.io/MeshHTTPRoute/path-regex.yaml',
  'networking.k8s.io/Ingress/own-class.yaml',
  'networking.k8s.io/Ingress/several-hosts.yaml',
]);

interface Case {
  readonly rollout: {
    readonly spec: { readonly strategy: { readonly canary: { readonly trafficRoutings: { service: string }[] } } };
  };
  readonly original: object;
  readonly expected: unknown;
}

function casesOf(kind: string): [name: string, read: Case][] {
  const folder = join(LIBRARY, kind, 'testdata');
  return readdirSync(folder)
    .map((name): [string, Case] => [name, parse(readFileSync(join(folder, name), 'utf8'))])
    .filter(
      ([name, { rollout, expected }]) => rollout !== undefined && !APART.has(`${kind}/${name}`) && !refuses(expected),
    );
}

function refuses(expected: unknown): boolean {
  return JSON.stringify(expected).includes('{"error":');
}

function stackOf(kind: string, { rollout, original }: Case): object[] {
  const [group, name] = kind.split('/');
  const { service } = rollout.spec.strategy.canary.trafficRoutings[0]!;
  const ports = [
    { name: 'http', port: 80, targetPort: 8080 },
    { name: 'alternative', port: 8080, targetPort: 8080 },
  ];
  const pod = { containers: [{ name: service, image: 'example.com/app', ports: [{ containerPort: 8080 }] }] };
  return [
    rollout,
    original,
    { apiVersion: 'v1', kind: 'Service', metadata: { name: service }, spec: { selector: { app: service }, ports } },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: service },
      spec: {
        replicas: 10,
        selector: { matchLabels: { app: service } },
        template: { metadata: { labels: { app: service } }, spec: pod },
      },
    },
    configMap({
      [`lua.traffic.routing.${name}.${group}`]: readFileSync(join(LIBRARY, kind, 'trafficRouting.lua'), 'utf8'),
    }),
  ];
}

describe.each(Object.entries(ROUTERS))('%s', (kind, router) => {
  const cases = casesOf(kind);

  it('has cases', () => {
    expect(cases.length).toBeGreaterThan(5);
  });

  it.each(cases)('%s goes as declared', (_, read) => {
    const [rehearsal] = rehearseObjects(stackOf(kind, read));
    expect(rehearsal!.loadBalancers.map((each) => each.router)).toContain(router);
    expect(rehearsal!.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    const shares = Object.values(sharesOf(rehearsal!)).flatMap((moment) => Object.values(moment));
    expect(Math.max(...shares)).toBeGreaterThan(0);
  });
});

it('knows the cases that it leaves out', () => {
  for (const name of APART) {
    const [group, kind, file] = name.split('/');
    expect(existsSync(join(LIBRARY, group!, kind!, 'testdata', file!)), name).toBe(true);
  }
});
