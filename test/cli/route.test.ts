import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RoutedRequest } from '../../src/core/routed-request';
import { app } from '../routers/stack';
import { cli, folderWith } from './fixture';

const PROXY = `
apiVersion: projectcontour.io/v1
kind: HTTPProxy
metadata: {name: shop, namespace: shop}
spec:
  virtualhost: {fqdn: shop.example.com}
  routes:
    - conditions: [{prefix: /cart}, {header: {name: x-user, exact: "1"}}]
      services: [{name: canary, port: 80}]
    - conditions: [{prefix: /}]
      services: [{name: web, port: 80, weight: 80}, {name: canary, port: 80, weight: 20}]
`;
const ROUTE = `
apiVersion: traefik.io/v1alpha1
kind: IngressRoute
metadata: {name: shop, namespace: shop}
spec:
  routes: [{kind: Rule, match: 'Host(\`shop.example.com\`) && ClientIP(\`10.0.0.0/8\`)', services: [{name: web, port: 80}]}]
`;
const STACK = [app('web', 'shop'), app('canary', 'shop'), PROXY].join('\n---\n');
const folder = folderWith({ 'stack.yaml': STACK, 'traefik.yaml': ROUTE, 'services.yaml': app('web', 'shop') });
const file = (name: string) => join(folder, name);

async function routesOf(request: string, ...files: readonly string[]): Promise<readonly RoutedRequest[]> {
  const { code, stdout, stderr } = await cli(['route', ...files, '--request', request, '--format', 'json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout).routes;
}

describe('rollout-constructs route', () => {
  it('tells what the load balancer leaves out of objects for the host', async () => {
    const route = (name: string, host: string, service: string) =>
      ROUTE.replace('name: shop,', `name: ${name},`).replace(
        /routes: .*/,
        `routes: [{kind: Rule, match: 'Host(\`${host}\`)', services: [{name: ${service}, port: 80}]}]`,
      );
    const stack = [app('web', 'shop'), route('a', 'shop.example.com', 'absent'), route('b', 'other.test', 'absent')];
    const cwd = folderWith({ 'stack.yaml': stack.join('\n---\n') });
    const run = (...args: readonly string[]) => cli(['route', 'stack.yaml', ...args], { cwd });
    const request = ['--request', 'GET http://shop.example.com/'];
    expect((await run(...request)).stdout).toBe(`GET http://shop.example.com/
  traefik, HTTP:80
    left out: IngressRoute shop/a, spec.routes[0]: Service shop/absent does not exist
      ${join(cwd, 'stack.yaml')}:24
    no rule takes it
    answer: 404
`);
    const { routes } = JSON.parse((await run(...request, '--format', 'json')).stdout);
    expect(routes[0].leftOut).toEqual([
      {
        object: { apiVersion: 'traefik.io/v1alpha1', kind: 'IngressRoute', namespace: 'shop', name: 'a' },
        path: 'spec.routes[0]',
        why: 'Service shop/absent does not exist',
        source: { file: join(cwd, 'stack.yaml'), line: 24, column: 12 },
      },
    ]);
  });

  it('asks the release of a gateway that is stated, or installed among the manifests', async () => {
    const wildcard = ROUTE.replace(/match: '.*?'/, "match: 'Host(`*.example.com`)'");
    const install = (image: string) =>
      `apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: traefik, namespace: kube-system}\nspec: {template: {spec: {containers: [{name: traefik, image: '${image}'}]}}}\n`;
    const cwd = folderWith({
      'stack.yaml': [app('web', 'shop'), wildcard].join('\n---\n'),
      'old.yaml': install('traefik:v3.6.12'),
    });
    const statusOf = async (...args: readonly string[]) => {
      const request = ['--request', 'GET http://shop.example.com/', '--format', 'json'];
      const { stdout } = await cli(['route', 'stack.yaml', ...args, ...request], { cwd });
      return JSON.parse(stdout).routes[0].status;
    };
    expect(await statusOf()).toBeNull();
    expect(await statusOf('old.yaml')).toBe(404);
    expect(await statusOf('--traefik-version', '3.6.12')).toBe(404);
    expect(await statusOf('old.yaml', '--traefik-version', '3.7.0')).toBeNull();
    const { code, stderr } = await cli(
      ['route', 'stack.yaml', '--traefik-version', '3', '--request', 'GET http://a/'],
      {
        cwd,
      },
    );
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'rollout-constructs: --traefik-version: Traefik version "3" is not a version: write it as in "3.6.12"\n',
    });
  });

  it('tells the rule, the Services, their shares and the workloads behind them', async () => {
    const [route] = await routesOf('GET http://shop.example.com/cart', file('stack.yaml'));
    expect(route).toMatchObject({ gateway: 'contour', listener: 'HTTP:80', status: null, answer: null });
    expect(route!.rule).toMatchObject({ path: 'spec.routes[1]', source: { file: file('stack.yaml') } });
    const shown = route!.destinations.map(({ name, share, workloads }) => [name, share, workloads]);
    expect(shown).toEqual([
      ['web', 0.8, ['Deployment shop/web']],
      ['canary', 0.2, ['Deployment shop/canary']],
    ]);
  });

  it('tells why the rules before did not take the request', async () => {
    const [route] = await routesOf('http://shop.example.com/cart -H "x-user: 2"', file('stack.yaml'));
    expect(route!.passedOver.map(({ path, failed }) => [path, failed])).toEqual([
      ['spec.routes[0]', 'header x-user is "1"'],
    ]);
  });

  it('lets a header occur several times', async () => {
    const [route] = await routesOf('http://shop.example.com/cart -H "x-user: 2" -H "x-user: 1"', file('stack.yaml'));
    expect(route!.destinations.map(({ name, share }) => [name, share])).toEqual([['canary', 1]]);
  });

  it('has an answer of each gateway that serves the host', async () => {
    const routes = await routesOf('http://shop.example.com/ from 10.1.2.3', folder);
    expect(routes.map(({ gateway }) => gateway)).toEqual(['contour', 'traefik']);
    expect(routes.map(({ request }) => request)).toEqual(Array(2).fill('GET http://shop.example.com/ from 10.1.2.3'));
    expect(routes[1]!.destinations.map(({ name }) => name)).toEqual(['web']);
  });

  it('takes a 404 as an answer', async () => {
    const { code, stdout } = await cli(['route', file('stack.yaml'), '--request', 'http://other.example.com/']);
    expect(code).toBe(0);
    expect(stdout).toContain('no rule takes it\n    answer: 404');
  });

  it('answers several requests as text, with the place of the rule', async () => {
    const requests = ['http://shop.example.com/', 'http://shop.example.com/cart'].flatMap((each) => [
      '--request',
      each,
    ]);
    const { code, stdout } = await cli(['route', '-', ...requests], { stdin: STACK });
    expect(code).toBe(0);
    expect(stdout).toContain('GET http://shop.example.com/\n');
    expect(stdout).toContain('GET http://shop.example.com/cart\n');
    expect(stdout).toContain('    80% to Service shop/web:80\n      pods with app=web: Deployment shop/web\n');
  });

  it.each<[string, readonly string[], string]>([
    ['no request', [file('stack.yaml')], 'route needs a request'],
    ['no files', ['--request', 'http://shop.example.com/'], 'route needs manifests'],
    ['a bad request', [file('stack.yaml'), '--request', 'GET'], 'has no URL'],
    ['no address', [file('stack.yaml'), '--request', 'http://a.com/ from me'], 'names no IP address'],
    ['no load balancer', [file('services.yaml'), '--request', 'http://a.com/'], 'there is no load balancer'],
  ])('says what is wrong: %s', async (_, args, message) => {
    const { code, stdout, stderr } = await cli(['route', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});
