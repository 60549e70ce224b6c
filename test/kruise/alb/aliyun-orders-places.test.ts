/** What is said of the orders of Ingresses on an ALB of Alibaba Cloud, in full, and the near misses. */
import { describe, expect, it } from 'vitest';
import { Manifest, World } from '../../../src/core';
import { allocateAliyunOrders } from '../../../src/kruise/alb/aliyun-order';
import { aliyunOrderFindings } from '../../../src/kruise/alb/aliyun-order-findings';
import { API_INGRESS } from '../../../src/kruise/alb/aliyun-orders';
import { ALIYUN_INGRESS, aliyun, edit, SERVICE } from '../../../src/kruise/alb/examples';
import { check } from './check';

const PREFIX = 'alb.ingress.kubernetes.io';
type Edit = readonly [from: string, to: string];

const findings = (texts: readonly string[]) =>
  check(texts.join('---\n')).filter(({ rule }) =>
    /^kruise-aliyun-(order|order-.*|canary-mixed|builtin-script)$/.test(rule),
  );
const found = (texts: readonly string[]) =>
  findings(texts).map(({ severity, rule, path, message, related }) =>
    [`${severity} ${rule} ${path}: ${message}`, ...(related === undefined ? [] : [related.message])].join(' | '),
  );
const edited = (...edits: readonly Edit[]) =>
  aliyun().map((text) => edits.reduce((all, [from, to]) => (all.includes(from) ? edit(all, [from, to]) : all), text));

const AT = `metadata.annotations["${PREFIX}/order"]`;
const AT_CANARY = 'metadata.annotations["rollout-constructs.io/canary-order"]';
const stable = (order: string): Edit => [`${PREFIX}/order: "501"`, `${PREFIX}/order: "${order}"`];
const canary = (order: string): Edit => ['canary-order: "1"', `canary-order: "${order}"`];
const NO_STABLE: Edit = [`    ${PREFIX}/order: "501"\n`, ''];
const NO_CANARY: Edit = ['rollout-constructs.io/canary-order: "1"', 'example.com/owner: shop'];
const ORDER = 'error kruise-aliyun-order';

describe('the order of a canary Ingress', () => {
  it.each<[what: string, edits: readonly Edit[], expected: readonly string[]]>([
    ['is smaller', [], []],
    ['is just smaller', [stable('2'), canary('1')], []],
    [
      'is the same',
      [canary('501')],
      [
        `${ORDER} ${AT_CANARY}: rollout-constructs.io/canary-order is 501, and ${PREFIX}/order is 501`,
        `${ORDER}-duplicate ${AT_CANARY}: rollout-constructs.io/canary-order is 501, which the Ingress "web" of the namespace "shop" already has | ${PREFIX}/order is 501 here`,
      ],
    ],
    [
      'is greater',
      [canary('502')],
      [`${ORDER} ${AT_CANARY}: rollout-constructs.io/canary-order is 502, and ${PREFIX}/order is 501`],
    ],
    [
      'is the default one',
      [NO_STABLE, canary('10')],
      [`${ORDER} ${AT_CANARY}: rollout-constructs.io/canary-order is 10, and ${PREFIX}/order is 10, the default`],
    ],
    ['is before the default one', [NO_STABLE, canary('9')], []],
    ['is before the greatest', [stable('1000'), canary('999')], []],
    [
      'is before one that is too great',
      [stable('1001')],
      [`${ORDER} ${AT}: ${PREFIX}/order is "1001", not an integer from 1 to 1000`],
    ],
    [
      'is before one that is too small',
      [stable('0')],
      [`${ORDER} ${AT}: ${PREFIX}/order is "0", not an integer from 1 to 1000`],
    ],
    [
      'is before one that is no number',
      [stable('5x')],
      [`${ORDER} ${AT}: ${PREFIX}/order is "5x", not an integer from 1 to 1000`],
    ],
    [
      'is before one with a sign',
      [stable('+5')],
      [`${ORDER} ${AT}: ${PREFIX}/order is "+5", not an integer from 1 to 1000`],
    ],
    [
      'is too small',
      [canary('0')],
      [`${ORDER} ${AT_CANARY}: rollout-constructs.io/canary-order is "0", not an integer from 1 to 1000`],
    ],
    [
      'is too great',
      [canary('1001')],
      [`${ORDER} ${AT_CANARY}: rollout-constructs.io/canary-order is "1001", not an integer from 1 to 1000`],
    ],
    [
      'is no number',
      [canary('x1')],
      [`${ORDER} ${AT_CANARY}: rollout-constructs.io/canary-order is "x1", not an integer from 1 to 1000`],
    ],
    [
      'is not set',
      [NO_CANARY],
      [
        `${ORDER} metadata.annotations: rollout-constructs.io/canary-order is not set, so the canary Ingress of the Rollout "web" has no order`,
      ],
    ],
  ])('%s', (_, edits, expected) => {
    expect(found(edited(...edits))).toEqual(expected);
  });

  const ownScript = (line: string) => `apiVersion: v1
kind: ConfigMap
metadata: { name: kruise-rollout-configuration, namespace: kruise-rollout }
data:
  lua.traffic.routing.ingress.aliyun-alb: |
    local annotations = obj.annotations or {}
    ${line}
    return annotations
`;
  const withScript = (line: string, ...edits: readonly Edit[]) =>
    edited(NO_CANARY, ...edits).map((text) => (text.includes('kind: ConfigMap') ? ownScript(line) : text));
  const WRITE = `annotations["${PREFIX}/order"] = `;
  const gives = (at: string, order: string, than: number) => [
    `${ORDER} ${at}: the script of the ConfigMap gives the canary Ingress of the Rollout "web" the order ${order}, and the stable one has ${than}`,
  ];
  it.each<[what: string, texts: readonly string[], expected: readonly string[]]>([
    ['a smaller one', withScript(`${WRITE}"500"`), []],
    ['the same one', withScript(`${WRITE}"501"`), gives(AT, '501', 501)],
    ['none', withScript(`${WRITE}nil`), []],
    ['none beside none', withScript('', NO_STABLE), gives('metadata.annotations', '10', 10)],
    ['what is no number', withScript(`${WRITE}"first"`), gives(AT, 'first', 501)],
    ['one that is too great', withScript(`${WRITE}"1001"`), gives(AT, '1001', 501)],
    ['nothing, because it fails', withScript('error("no")'), []],
  ])('is what another script writes: %s', (_, texts, expected) => {
    expect(found(texts)).toEqual(expected);
  });

  const builtin = (...edits: readonly Edit[]) =>
    edited(NO_CANARY, ...edits).filter((text) => !text.includes('kind: ConfigMap'));
  const USES =
    'warning kruise-aliyun-builtin-script spec.strategy.canary.trafficRoutings[0].ingress.classType: the Rollout "web" uses the built-in script of the class type "aliyun-alb"';

  it('is 1 with the built-in script, whose use is a warning', () => {
    expect(found(builtin())).toEqual([USES]);
    expect(found(builtin(stable('2')))).toEqual([USES]);
    expect(found(builtin(stable('1')))).toEqual([
      `${ORDER} ${AT}: the built-in script gives the canary Ingress of the Rollout "web" the order 1, and the stable one has 1`,
      USES,
    ]);
  });

  const second = (...edits: readonly Edit[]) => [
    edit(API_INGRESS, ['    rollout-constructs.io/canary-order: "2"\n', ''], ...edits),
    ...aliyun()
      .filter((text) => /kind: (Rollout|Service|Deployment)$/m.test(text))
      .map((text) => text.replaceAll(/\bweb\b/g, 'api')),
  ];

  it('is 1 twice with the built-in script, which is an error on one ALB', () => {
    const api = USES.replaceAll('"web"', '"api"');
    const error = (text: string, other: string) =>
      `${text.replace('warning', 'error')}, as does the Rollout "${other}" on the same ALB`;
    expect(found([...builtin(), ...second()])).toEqual([error(USES, 'api'), error(api, 'web')]);
    const elsewhere = second(['ingressClassName: alb', 'ingressClassName: alb-2']);
    expect(found([...builtin(), ...elsewhere])).toEqual([USES, api]);
  });

  it('is another with the built-in script of another class type, of which nothing is said', () => {
    const other = builtin().map((text) => text.replace('classType: aliyun-alb', 'classType: nginx'));
    expect(other.join('')).toContain('classType: nginx');
    expect(findings(other).map(({ rule }) => rule)).not.toContain('kruise-aliyun-builtin-script');
  });
});

describe('two Ingresses of one ALB', () => {
  const both = (...edits: readonly Edit[]) => [
    ALIYUN_INGRESS,
    edit(API_INGRESS, ...edits),
    SERVICE,
    edit(SERVICE, ['name: web,', 'name: api,']),
  ];
  const DUPLICATE = 'error kruise-aliyun-order-duplicate';

  it.each<[what: string, edits: readonly Edit[], expected: readonly string[]]>([
    ['have orders of their own', [], []],
    [
      'have the same order',
      [['order: "502"', 'order: "501"']],
      [
        `${DUPLICATE} ${AT}: ${PREFIX}/order is 501, which the Ingress "api" of the namespace "shop" already has | ${PREFIX}/order is 501 here`,
      ],
    ],
    [
      'have canaries with the same order',
      [['canary-order: "2"', 'canary-order: "1"']],
      [
        `${DUPLICATE} ${AT_CANARY}: rollout-constructs.io/canary-order is 1, which the canary of the Ingress "api" of the namespace "shop" already has | rollout-constructs.io/canary-order is 1 here`,
      ],
    ],
    [
      'have the order of a canary',
      [['canary-order: "2"', 'canary-order: "501"']],
      [
        `${DUPLICATE} ${AT}: ${PREFIX}/order is 501, which the canary of the Ingress "api" of the namespace "shop" already has | rollout-constructs.io/canary-order is 501 here`,
      ],
    ],
    [
      'are of two classes',
      [
        ['order: "502"', 'order: "501"'],
        ['ingressClassName: alb', 'ingressClassName: alb-2'],
      ],
      [],
    ],
    ['have an order that is none', [['order: "502"', 'order: "0"']], []],
    [
      'of which one is the canary of the other',
      [
        ['  name: api\n', '  name: web-canary\n'],
        ['order: "502"', 'order: "1"'],
        ['rollout-constructs.io/canary-order: "2"', `${PREFIX}/canary: "true"`],
      ],
      [],
    ],
    [
      'of which one is the canary of a third',
      [
        ['  name: api\n', '  name: api-canary\n'],
        ['order: "502"', 'order: "1"'],
        ['rollout-constructs.io/canary-order: "2"', `${PREFIX}/canary: "true"`],
      ],
      [
        `${DUPLICATE} ${AT_CANARY}: rollout-constructs.io/canary-order is 1, which the Ingress "api-canary" of the namespace "shop" already has | ${PREFIX}/order is 1 here`,
      ],
    ],
  ])('%s', (_, edits, expected) => {
    expect(found(both(...edits))).toEqual(expected);
  });

  it('of which several have the order of the first name it', () => {
    const third = edit(
      API_INGRESS,
      ['  name: api\n', '  name: c\n'],
      ['order: "502"', 'order: "501"'],
      ['canary-order: "2"', 'canary-order: "3"'],
    );
    const messages = findings([...both(['order: "502"', 'order: "501"']), third]).map(({ object, message }) => [
      object?.name,
      message,
    ]);
    const message = `${PREFIX}/order is 501, which the Ingress "api" of the namespace "shop" already has`;
    expect(messages).toEqual([
      ['web', message],
      ['c', message],
    ]);
  });

  it('share the AlbConfig of their classes', () => {
    const classOf = (name: string, config: string) => `apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: { name: ${name} }
spec: { controller: ingress.k8s.alibabacloud/alb, parameters: { apiGroup: alibabacloud.com, kind: AlbConfig, name: ${config} } }
`;
    const texts = both(['order: "502"', 'order: "501"'], ['ingressClassName: alb', 'ingressClassName: alb-2']);
    const rules = (...classes: readonly string[]) => findings([...texts, ...classes]).map(({ rule }) => rule);
    expect(rules(classOf('alb', 'one'), classOf('alb-2', 'one'))).toEqual(['kruise-aliyun-order-duplicate']);
    expect(rules(classOf('alb', 'one'), classOf('alb-2', 'two'))).toEqual([]);
    expect(rules(classOf('alb', 'alb-2'))).toEqual([]);
  });
});

describe('an Ingress without an order', () => {
  const fallback = (...edits: readonly Edit[]) => [
    edit(
      ALIYUN_INGRESS,
      ['  name: web\n', '  name: fallback\n'],
      [`    ${PREFIX}/order: "501"\n    rollout-constructs.io/canary-order: "1"\n`, '    example.com/owner: shop\n'],
      ['service: { name: web', 'service: { name: fallback'],
      ...edits,
    ),
    edit(SERVICE, ['name: web,', 'name: fallback,']),
  ];
  const FIRST = `error kruise-aliyun-order-default metadata: the Ingress has no order, and is evaluated before "web", which has some of the same hosts and paths | ${PREFIX}/order of "web" is `;
  it.each<[what: string, edits: readonly Edit[], order: string, expected: readonly string[]]>([
    ['is before one with a greater order', [], '501', [`${FIRST}501`]],
    ['is before the next order', [], '11', [`${FIRST}11`]],
    ['is with its own order', [], '10', []],
    ['has other hosts', [['shop.example.com', 'api.example.com']], '501', []],
    ['has a path below', [['path: /,', 'path: /api,']], '501', [`${FIRST}501`]],
    [
      'is of another class',
      [
        ['ingressClassName: alb', 'ingressClassName: alb-2'],
        ['example.com/owner: shop', `${PREFIX}/canary-weight: "1"`],
      ],
      '501',
      [],
    ],
    ['has a host that covers the other', [['host: shop.example.com', 'host: "*.example.com"']], '501', [`${FIRST}501`]],
  ])('%s', (_, edits, order, expected) => {
    expect(found([...edited(stable(order)), ...fallback(...edits)])).toEqual(expected);
  });

  it('is of no concern without a release', () => {
    expect(found([ALIYUN_INGRESS, SERVICE, ...fallback()])).toEqual([]);
  });
});

describe('a canary Ingress written by hand', () => {
  const AT_WEIGHT = `metadata.annotations["${PREFIX}/canary-weight"]`;
  const by = (...names: readonly string[]) =>
    found([
      edit(ALIYUN_INGRESS, [
        '    rollout-constructs.io/canary-order: "1"\n',
        ['canary', ...names].map((name) => `    ${PREFIX}/${name}: "1"\n`).join(''),
      ]),
    ]);
  it('has a weight, or a header or cookie', () => {
    expect(by('canary-weight')).toEqual([]);
    expect(by('canary-by-header', 'canary-by-cookie')).toEqual([]);
    const mixed = (name: string) => [
      `error kruise-aliyun-canary-mixed ${AT_WEIGHT}: the Ingress has canary-weight and ${name}`,
    ];
    expect(by('canary-weight', 'canary-by-header')).toEqual(mixed('canary-by-header'));
    expect(by('canary-weight', 'canary-by-cookie')).toEqual(mixed('canary-by-cookie'));
    expect(by('canary-weight', 'canary-by-cookie', 'canary-by-header')).toEqual(mixed('canary-by-header'));
    expect(by('canary-weight', 'canary-by-header-value')).toEqual([]);
  });
});

describe('an order that the library gives', () => {
  const ingress = Manifest.of({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'web', namespace: 'shop' },
  });
  const world = World.of([ingress]);
  const findingsOf = (orders: ReturnType<typeof allocateAliyunOrders>) =>
    aliyunOrderFindings(world, ingress, orders, 'alb').map(({ rule, severity, message, path, fix }) => ({
      rule,
      severity,
      message,
      path,
      fix,
    }));
  const own = allocateAliyunOrders([{ key: 'shop/web' }]);
  const { stable: first, canary: firstCanary } = own.orders.get('shop/web')!;

  it('is its own', () => {
    expect(findingsOf(own)).toEqual([]);
    expect(findingsOf(allocateAliyunOrders([{ key: 'shop/other' }]))).toEqual([]);
  });

  it.each([first, firstCanary])('moves where %i is taken', (taken) => {
    const orders = { stable: first + 1, canary: firstCanary + 1 };
    expect(findingsOf(allocateAliyunOrders([{ key: 'shop/web' }], [taken]))).toEqual([
      {
        rule: 'kruise-aliyun-order-moves',
        severity: 'warning',
        message: `another Ingress of the ALB "alb" has the order derived from shop/web, which gets ${orders.stable} and ${orders.canary} instead`,
        path: 'metadata.annotations',
        fix: `pin the orders: order: { stable: ${orders.stable}, canary: ${orders.canary} }`,
      },
    ]);
  });

  it('is none where none is left', () => {
    const reserved = Array.from({ length: 499 }, (_, index) => index + 1);
    expect(findingsOf(allocateAliyunOrders([{ key: 'shop/web' }], reserved))).toEqual([
      expect.objectContaining({
        rule: 'kruise-aliyun-order-exhausted',
        severity: 'error',
        message: 'the ALB "alb" has no pair of orders left for this Ingress; 0 Ingresses have one',
        path: 'metadata.annotations',
      }),
    ]);
  });
});
