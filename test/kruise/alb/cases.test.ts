import { describe, expect, it } from 'vitest';
import { covers, type HostPath } from '../../../src/kruise/alb/coverage';
import { cloned, edit, inPlace } from '../../../src/kruise/alb/examples';
import { check, rulesIn } from './check';

const stack = (...texts: string[]) => texts.join('---\n');
const messages = (text: string) => check(text).map(({ message }) => message);

describe('the order of a canary Ingress', () => {
  const [rollout, ingress, service] = cloned() as [string, string, string];
  const withOrders = (stable: string, canary: string) =>
    stack(
      rollout,
      edit(ingress, ['group.order: "10"', stable], ['rollout-constructs.io/canary-group-order: "9"', canary]),
      service,
    );

  it.each([
    ['group.order: "0"', 'rollout-constructs.io/canary-group-order: "-1"'],
    ['group.order: "+5"', 'rollout-constructs.io/canary-group-order: "4"'],
    ['group.order: "-999"', 'rollout-constructs.io/canary-group-order: "-1000"'],
    // No order is 0.
    ['tags: a=b', 'rollout-constructs.io/canary-group-order: "-5"'],
  ])('%s with %s is right', (stable, canary) => {
    expect(rulesIn(withOrders(stable, canary))).toEqual([]);
  });

  it.each([
    ['group.order: "10"', 'example.com/none: "9"', /canary-group-order is not set/],
    ['group.order: "10"', 'rollout-constructs.io/canary-group-order: "10"', /is 10, and group.order is 10/],
    ['group.order: "10"', 'rollout-constructs.io/canary-group-order: "9.5"', /"9.5", not an integer/],
    ['group.order: "10"', 'rollout-constructs.io/canary-group-order: "-1001"', /not an integer from -1000 to 1000/],
    ['tags: a=b', 'rollout-constructs.io/canary-group-order: "9"', /group.order is 0, the default/],
    ['group.order: "-1000"', 'rollout-constructs.io/canary-group-order: "9"', /no order is left for the canary/],
  ])('%s with %s is wrong', (stable, canary, message) => {
    expect(rulesIn(withOrders(stable, canary))).toEqual(['kruise-alb-order']);
    expect(messages(withOrders(stable, canary))).toEqual([expect.stringMatching(message)]);
  });
});

describe('the matches of a step', () => {
  const both = (match: string) => [rulesIn(stack(...inPlace(match))), rulesIn(stack(...cloned(match)))];
  const header = (name: string, value: string) => `{ headers: [{ name: ${name}, value: "${value}" }] }`;

  it.each([
    ['one header', `[${header('x', 'a')}]`],
    ['a cookie', `[${header('cookie', 'beta=always')}]`],
    [
      'three values of one header, whatever its case',
      `[${header('x', 'a')}, ${header('X', 'b')}, ${header('x', 'c')}]`,
    ],
    ['any path', '[{ path: { value: / }, headers: [{ name: x, value: a }] }]'],
  ])('%s can be expressed both ways', (_, match) => {
    expect(both(match)).toEqual([[], []]);
  });

  it.each([
    ['two headers', `[${header('x', 'a')}, ${header('z', 'b')}]`],
    ['four values', `[${['a', 'b', 'c', 'd'].map((value) => header('x', value)).join(', ')}]`],
    ['a path', '[{ path: { value: /v2 } }]'],
    ['a header or a query parameter', `[${header('x', 'a')}, { queryParams: [{ name: v, value: "2" }] }]`],
  ])('%s need rules of their own', (_, match) => {
    expect(both(match)).toEqual([[], ['kruise-alb-match-shape']]);
  });

  it.each([
    ['the header Host', `[${header('Host', 'a.example.com')}]`],
    ['a cookie without a value', `[${header('cookie', 'beta')}]`],
    ['a name that is too long', `[${header(`x-${'a'.repeat(40)}`, 'a')}]`],
    ['a value that is too long', `[${header('x', 'a'.repeat(129))}]`],
    [
      'five headers',
      `[{ headers: [${['a', 'b', 'c', 'd', 'e'].map((name) => `{ name: ${name}, value: x }`).join(', ')}] }]`,
    ],
    ['an expression on a query parameter', '[{ queryParams: [{ type: RegularExpression, name: v, value: a }] }]'],
  ])('%s cannot be expressed at all', (_, match) => {
    expect(both(match)).toEqual([['kruise-alb-match-impossible'], ['kruise-alb-match-impossible']]);
  });
});

describe('what a host and a path cover', () => {
  const at = (text: string, pathType = 'Prefix', host = ''): HostPath => ({ host, path: { path: text, pathType } });

  it.each<[HostPath, HostPath, boolean]>([
    [at('/'), at('/api'), true],
    [at('/api'), at('/'), false],
    [at('/api'), at('/api/v1'), true],
    [at('/api/'), at('/api'), true],
    [at('/api'), at('/apis'), false],
    [at('/api'), at('/api', 'Exact'), true],
    [at('/api', 'Exact'), at('/api'), false],
    [at('/*', 'ImplementationSpecific'), at('/api'), true],
    [at('/api/*', 'ImplementationSpecific'), at('/api'), false],
    [at('/api/*', 'ImplementationSpecific'), at('/api/v1'), true],
    [at('/'), at('/api/*/x', 'ImplementationSpecific'), true],
    [at('/api'), at('/a*', 'ImplementationSpecific'), false],
    [at('/', 'Prefix', ''), at('/', 'Prefix', 'a.com'), true],
    [at('/', 'Prefix', 'a.com'), at('/', 'Prefix', ''), false],
    [at('/', 'Prefix', '*.a.com'), at('/', 'Prefix', 'x.A.com'), true],
    [at('/', 'Prefix', '*.a.com'), at('/', 'Prefix', 'a.com'), false],
    [at('/', 'Prefix', 'a.com'), at('/', 'Prefix', 'b.com'), false],
  ])('%o covers %o: %s', (wide, narrow, expected) => {
    expect(covers(wide, narrow)).toBe(expected);
  });
});

describe('whose load balancer an Ingress is for', () => {
  const [rollout, ingress, service] = inPlace() as [string, string, string];
  const wrong = edit(ingress, ['port: { name: use-annotation }', 'port: { number: 80 }']);
  const ingressClass = (controller: string) => `apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: { name: alb }
spec: { controller: ${controller} }
`;

  it('the controller of its class decides, where the class is known', () => {
    const found = (controller: string) => rulesIn(stack(rollout, wrong, service, ingressClass(controller)));
    expect(found('ingress.k8s.aws/alb')).toContain('kruise-alb-backend-port');
    expect(found('ingress.k8s.alibabacloud/alb')).toEqual(['kruise-alb-other-cloud']);
    expect(found('example.com/other')).toEqual([]);
  });

  it('Ingresses of other controllers are left alone', () => {
    const nginx = edit(
      wrong,
      ['ingressClassName: alb', 'ingressClassName: nginx'],
      ['alb.ingress.kubernetes.io/target-type: ip', 'a: b'],
    );
    expect(rulesIn(stack(rollout, nginx, service))).toEqual([]);
  });
});
