/** The order of a canary Ingress on AWS: what another script writes, which Ingresses come after it, which paths it takes. */
import { describe, expect, it } from 'vitest';
import { cloned, edit } from '../../../src/kruise/alb/examples';
import { check } from './check';

const PREFIX = 'alb.ingress.kubernetes.io';
type Edit = readonly [from: string, to: string];

const findings = (texts: readonly string[]) =>
  check(texts.join('---\n')).filter(({ rule }) => /^kruise-alb-(order|shadowed-path)$/.test(rule));
const found = (texts: readonly string[]) =>
  findings(texts).map(({ rule, path, message }) => `${rule} ${path}: ${message}`);
/** The objects of a release with a canary Ingress, with these edits in whichever object has the text. */
const edited = (...edits: readonly Edit[]) =>
  cloned().map((text) => edits.reduce((all, [from, to]) => (all.includes(from) ? edit(all, [from, to]) : all), text));

/** A script that writes an order of its own, or none, without reading one. */
const ownScript = (line: string) => `apiVersion: v1
kind: ConfigMap
metadata: { name: kruise-rollout-configuration, namespace: kruise-rollout }
data:
  lua.traffic.routing.ingress.aws-alb: |
    local annotations = obj.annotations or {}
    ${line}
    return annotations
`;
const withScript = (line: string, ...edits: readonly Edit[]) =>
  edited(...edits, ['    rollout-constructs.io/canary-group-order: "9"\n', '']).map((text) =>
    text.includes('kind: ConfigMap') ? ownScript(line) : text,
  );
const ORDER = `annotations["${PREFIX}/group.order"] = `;
const STABLE = `${PREFIX}/group.order: "10"`;
const NO_ORDER: Edit = [`    ${STABLE}\n`, ''];
const AT_ORDER = `metadata.annotations["${PREFIX}/group.order"]`;
const gives = (at: string, order: number, stable: number) => [
  `kruise-alb-order ${at}: the script of the ConfigMap gives the canary Ingress of the Rollout "web" the order ${order}, and the stable one has ${stable}`,
];

describe('a script of the ConfigMap that reads no order', () => {
  it.each<[what: string, texts: readonly string[], expected: readonly string[]]>([
    ['writes a lower one', withScript(`${ORDER}"9"`), []],
    ['writes the same one', withScript(`${ORDER}"10"`), gives(AT_ORDER, 10, 10)],
    ['writes a higher one', withScript(`${ORDER}"11"`), gives(AT_ORDER, 11, 10)],
    ['keeps that of the stable Ingress', withScript(''), gives(AT_ORDER, 10, 10)],
    ['takes it away, which is 0', withScript(`${ORDER}nil`), []],
    [
      'takes it away, which is more than -1',
      withScript(`${ORDER}nil`, [STABLE, `${PREFIX}/group.order: "-1"`]),
      gives(AT_ORDER, 0, -1),
    ],
    ['writes none beside none', withScript('', NO_ORDER), gives('metadata.annotations', 0, 0)],
    ['writes -1 beside none', withScript(`${ORDER}"-1"`, NO_ORDER), []],
    ['writes 1 beside none', withScript(`${ORDER}"1"`, NO_ORDER), gives('metadata.annotations', 1, 0)],
    ['writes what is no number', withScript(`${ORDER}"ten"`), []],
    ['fails', withScript('error("no")'), []],
    [
      'writes a lower one beside the least',
      withScript(`${ORDER}"-1001"`, [STABLE, `${PREFIX}/group.order: "-1000"`]),
      [`kruise-alb-order ${AT_ORDER}: group.order is -1000, so no order is left for the canary`],
    ],
    [
      'writes a lower one beside one that is too great',
      withScript(`${ORDER}"9"`, [STABLE, `${PREFIX}/group.order: "1001"`]),
      [],
    ],
  ])('%s', (_, texts, expected) => {
    expect(found(texts)).toEqual(expected);
  });
});

const member = (name: string, order: string | undefined, path = '/api', group = 'shop', host = 'shop.example.com') =>
  `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: ${name}
  namespace: shop
  annotations: { ${PREFIX}/target-type: ip, ${PREFIX}/group.name: ${group}${order === undefined ? '' : `, ${PREFIX}/group.order: "${order}"`} }
spec:
  ingressClassName: alb
  rules:
    - host: ${host}
      http: { paths: [{ path: ${path}, pathType: Prefix, backend: { service: { name: api, port: { number: 80 } } } }] }
`;
const takes = (path: string, backend = '"api"', at = 'spec.rules[0].http.paths[0]', by = 'shop.example.com/') =>
  `kruise-alb-shadowed-path ${at}: the path ${path} of ${backend} is below ${by}, which the canary Ingress "web-canary" takes first during a release of the Rollout "web"`;

describe('a member of the group', () => {
  const API = takes('shop.example.com/api');
  it.each<[what: string, name: string, order: string | undefined, expected: readonly string[]]>([
    ['before the canary', 'zzz', '8', []],
    ['after the canary', 'aaa', '10', [API]],
    ['with the order of the canary, and a name after it', 'web-canary-2', '9', [API]],
    ['with the order of the canary, and a name just before it', 'web-b', '9', []],
    ['with the order of the canary, and a name long before it', 'aaa', '9', []],
    ['without an order, which is 0', 'zzz', undefined, []],
  ])('%s', (_, name, order, expected) => {
    expect(found([...cloned(), member(name, order)])).toEqual(expected);
  });

  it('of another group is never shadowed', () => {
    expect(found([...cloned(), member('zzz', '10', '/api', 'other')])).toEqual([]);
  });

  it('comes after the order that a script of the ConfigMap writes', () => {
    const shadowedBy = (line: string, order: string) => found([...withScript(line), member('zzz', order)]);
    expect(shadowedBy(`${ORDER}"5"`, '6')).toEqual([API]);
    expect(shadowedBy(`${ORDER}"5"`, '5')).toEqual([API]);
    expect(shadowedBy(`${ORDER}"5"`, '4')).toEqual([]);
    expect(shadowedBy('error("no")', '1')).toEqual([API]);
    expect(shadowedBy('error("no")', '0')).toEqual([API]);
    expect(shadowedBy('error("no")', '-1')).toEqual([]);
  });

  it('is shown with the Ingress that the canary copies', () => {
    const [finding, ...others] = findings([...cloned(), member('zzz', '10')]);
    expect(others).toEqual([]);
    expect(finding!.object).toMatchObject({ kind: 'Ingress', name: 'zzz' });
    expect(finding!.related).toMatchObject({
      message: 'the canary Ingress is a copy of "web"',
      object: { kind: 'Ingress', namespace: 'shop', name: 'web' },
    });
  });

  it.each<[what: string, path: string, host: string, expected: readonly string[]]>([
    ['the same path', '/', 'shop.example.com', []],
    ['another host', '/api', 'api.example.com', []],
    ['a path of its own', '/api/v1', 'shop.example.com', [takes('shop.example.com/api/v1')]],
    ['any host', '/api', '""', []],
  ])('has %s', (_, path, host, expected) => {
    expect(found([...cloned(), member('zzz', '10', path, 'shop', host)])).toEqual(expected);
  });
});

describe('a path of the stable Ingress', () => {
  const PATH =
    '          - { path: /api, pathType: Prefix, backend: { service: { name: api, port: { number: 80 } } } }\n';
  const withPath = (path: string, ...edits: readonly Edit[]) => {
    const [rollout, ingress, ...rest] = edited(...edits) as [string, string, ...string[]];
    return [rollout, `${ingress}${path}`, ...rest];
  };

  it('is shown alone', () => {
    const [finding] = findings(withPath(PATH));
    expect(finding!.object).toMatchObject({ name: 'web' });
    expect(finding).not.toHaveProperty('related');
  });

  it('that is the same as that of the canary is more specific with conditions', () => {
    const same = PATH.replace('/api', '/');
    const conditions = (service: string): Edit => [
      `    ${PREFIX}/group.name`,
      `    ${PREFIX}/conditions.${service}: '[{"field":"http-header","httpHeaderConfig":{"httpHeaderName":"a","values":["b"]}}]'\n    ${PREFIX}/group.name`,
    ];
    const AT = 'spec.rules[0].http.paths[1]';
    expect(found(withPath(same))).toEqual([]);
    expect(found(withPath(same, conditions('api')))).toEqual([takes('shop.example.com/', '"api"', AT)]);
    expect(found(withPath(same, conditions('other')))).toEqual([]);
    expect(found(withPath(same, conditions('web')))).toEqual([]);
    const resource = same.replace(
      'service: { name: api, port: { number: 80 } }',
      'resource: { kind: Bucket, name: a }',
    );
    expect(found(withPath(resource, conditions('api')))).toEqual([]);
    expect(found(withPath(resource, conditions('')))).toEqual([takes('shop.example.com/', 'a resource', AT)]);
  });

  it('is named with any host, and with any path', () => {
    const AT = 'spec.rules[0].http.paths[1]';
    const anyHost: Edit = ['    - host: shop.example.com\n      http:', '    - http:'];
    expect(found(withPath(PATH, anyHost))).toEqual([takes('*/api', '"api"', AT, '*/')]);
    const anyPath: Edit = ['{ path: /, pathType: Prefix,', '{ pathType: ImplementationSpecific,'];
    expect(found(withPath(PATH, anyPath))).toEqual([takes('shop.example.com/api', '"api"', AT, 'shop.example.com/*')]);
  });
});
