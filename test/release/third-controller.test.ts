/** A third controller is one folder and one line in a list: here it is played, judged, cut into shards and examined. */
import { describe, expect, it } from 'vitest';
import { WorldCut } from '../../src/check/shards';
import { parseManifests, World } from '../../src/core';
import { examine, LiveCluster } from '../../src/doctor';
import { readKinds } from '../../src/doctor/kinds';
import { rehearse } from '../../src/rehearsal';
import { controllers } from '../../src/rehearsal/controllers';
import { sail } from './sail';

const withSail = { controllers: [...controllers, sail] };

const GATEWAY = `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: public, namespace: infra }
spec:
  gatewayClassName: example
  listeners: [{ name: http, port: 80, protocol: HTTP, allowedRoutes: { namespaces: { from: All } } }]
`;

/** An application with a Voyage, in the namespace of its name. */
function application(name: string, { weights = [20, 100], rules = 1, route = name } = {}): string {
  const rule = (path: string) =>
    `{ matches: [{ path: { type: PathPrefix, value: ${path} } }], backendRefs: [{ name: ${name}, port: 80 }] }`;
  const service = (each: string) => `apiVersion: v1
kind: Service
metadata: { name: ${each}, namespace: ${name} }
spec: { selector: { app: ${name} }, ports: [{ port: 80 }] }
`;
  return [
    `apiVersion: sail.example.com/v1
kind: Voyage
metadata: { name: ${name}, namespace: ${name} }
spec: { service: ${name}, canary: ${name}-next, route: ${route}, steps: [${weights.map((weight) => `{ weight: ${weight} }`)}] }
`,
    `apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: ${name}, namespace: ${name} }
spec:
  parentRefs: [{ name: public, namespace: infra }]
  hostnames: [${name}.example.com]
  rules: [${['/', '/api'].slice(0, rules).map(rule)}]
`,
    service(name),
    service(`${name}-next`),
  ].join('---\n');
}

const manifestsOf = (...parts: readonly string[]) => parseManifests(parts.join('---\n'), 'stack.yaml').manifests;

const worldOf = (...parts: readonly string[]) => World.of(manifestsOf(...parts));

describe('a third controller', () => {
  it('is rehearsed through the load balancers', () => {
    const [rehearsal] = rehearse(worldOf(GATEWAY, application('shop')), withSail);

    expect(rehearsal).toMatchObject({
      style: 'voyage',
      stableService: 'shop',
      canaryService: 'shop-next',
      findings: [],
    });
    expect(rehearsal!.loadBalancers.map(({ router }) => router)).toEqual(['gateway-api']);
    expect(rehearsal!.moments.map(({ title, cells }) => [title, cells[0]!.shares.canary])).toEqual([
      ['before', 0],
      ['steps[0]: 20%', 0.2],
      ['steps[1]: 100%', 1],
      ['rollback: turned back', 0],
    ]);
  });

  it('shows the objects of a moment in the order in which its controller writes them', () => {
    const [rehearsal] = rehearse(worldOf(GATEWAY, application('shop')), withSail);

    expect(
      rehearsal!.moments.map(({ changes }) => changes.map(({ object }) => `${object.kind} ${object.name}`)),
    ).toEqual([
      [],
      ['Service shop-next', 'HTTPRoute shop'],
      ['Service shop-next', 'HTTPRoute shop'],
      ['HTTPRoute shop', 'Service shop-next'],
    ]);
  });

  it('does not show an object that is written without a change', () => {
    const [rehearsal] = rehearse(worldOf(GATEWAY, application('shop', { weights: [20, 20] })), withSail);

    expect(rehearsal!.moments[2]!.changes).toEqual([]);
  });

  it('is judged by what it declares, with its own advice and rules', () => {
    const [rehearsal] = rehearse(worldOf(GATEWAY, application('shop', { weights: [20], rules: 2 })), withSail);

    expect(rehearsal!.findings.map(({ rule, path, fix }) => ({ rule, path, fix }))).toEqual([
      {
        rule: 'rehearsal-canary-gets-nothing',
        path: 'spec.steps[0].weight',
        fix: 'trim the sails',
      },
      { rule: 'sail-no-return', path: 'spec.steps', fix: 'add a step with weight 100' },
    ]);
  });

  it('reports where its controller gets stuck', () => {
    const [rehearsal] = rehearse(worldOf(GATEWAY, application('shop', { route: 'missing' })), withSail);

    expect(rehearsal!.stopped).toEqual({ class: 'lost', message: 'lost', step: 0 });
    expect(rehearsal!.findings).toMatchObject([
      { rule: 'rehearsal-controller-stuck', message: 'HTTPRoute "missing" does not exist' },
    ]);
  });

  it('is cut into shards with everything that its release needs', () => {
    const gateways = ['a', 'b'].map((name) => GATEWAY.replace('public', name));
    const apps = ['a', 'b'].map((name) => application(name).replace('name: public', `name: ${name}`));
    const { parts } = WorldCut.of(worldOf(...gateways, ...apps), 2, withSail);

    expect(parts.map(({ rollouts }) => rollouts)).toEqual([1, 1]);
    expect(
      parts.flatMap(({ world }) => rehearse(world, withSail)).map(({ rollout, findings }) => [rollout.name, findings]),
    ).toEqual([
      ['a', []],
      ['b', []],
    ]);
  });

  it('is read and examined by the doctor', () => {
    const cluster = new LiveCluster({ from: 'test', manifests: manifestsOf(GATEWAY, application('shop')) });
    const { checkup } = examine(cluster, withSail);

    const section = checkup.sections.find(({ title }) => title === 'Voyage shop/shop');
    expect(section?.items.map(({ id, status }) => [id, status])).toEqual([
      ['release-objects', 'ok'],
      ['release-play', 'ok'],
    ]);
    expect(readKinds(undefined, withSail.controllers).map(({ plural }) => plural)).toContain('voyages');
  });

  it('says in the doctor what is missing', () => {
    const cluster = new LiveCluster({
      from: 'test',
      manifests: manifestsOf(GATEWAY, application('shop', { route: 'missing' })),
    });
    const { checkup } = examine(cluster, withSail);

    const section = checkup.sections.find(({ title }) => title === 'Voyage shop/shop');
    expect(section?.items.map(({ answer }) => answer)).toEqual([
      'missing: HTTPRoute shop/missing',
      'HTTPRoute "missing" does not exist',
    ]);
  });
});
