/** What the checks of a stable Ingress on AWS say, word for word, and the near misses where they say nothing. */
import { describe, expect, it } from 'vitest';
import { ACTION, cloned, edit, IN_PLACE, INGRESS, inPlace, ROLLOUT, SERVICE } from '../../../src/kruise/alb/examples';
import { check } from './check';

const stack = (...texts: string[]) => texts.join('---\n');
type Edit = readonly [from: string, to: string];
const PREFIX = 'alb.ingress.kubernetes.io';
const OF_THIS_FILE =
  /^kruise-alb-(backend-port|action|canary-in-action|class-unnamed|service-auth|group|order|shadowed-path)$/;

/** The findings of the rules on Ingresses and orders as `rule path: message`. */
const found = (text: string) =>
  check(text)
    .filter(({ rule }) => OF_THIS_FILE.test(rule))
    .map(({ rule, path, message }) => `${rule} ${path}: ${message}`);
/** The objects of a release with these edits, each in the object that has the text. */
const edited = (objects: readonly string[], edits: readonly Edit[]) =>
  stack(
    ...objects.map((text) =>
      edits.reduce((all, [from, to]) => (all.includes(from) ? edit(all, [from, to]) : all), text),
    ),
  );
const inPlaceWith = (...edits: Edit[]) => found(edited(inPlace(), edits));
const clonedWith = (...edits: Edit[]) => found(edited(cloned(), edits));

const PORT: Edit = ['port: { name: use-annotation }', 'port: { number: 80 }'];
const forward = (...groups: string[]): Edit => [
  ACTION,
  `{"type":"forward","forwardConfig":{"targetGroups":[${groups.join(',')}]}}`,
];
const to = (name: string, weight = 50) => `{"serviceName":"${name}","servicePort":80,"weight":${weight}}`;
const classed = (name: string, ...annotations: string[]): Edit[] => [
  ['ingressClassName: alb', `ingressClassName: ${name}`],
  [`    ${PREFIX}/actions.web`, `${annotations.map((one) => `    ${one}\n`).join('')}    ${PREFIX}/actions.web`],
];
const byAnnotation = (name: string): Edit[] => [
  ['  ingressClassName: alb\n', ''],
  [`    ${PREFIX}/actions.web`, `    kubernetes.io/ingress.class: ${name}\n    ${PREFIX}/actions.web`],
];
const serviceWith = (type: string): Edit => [
  'kind: Service\nmetadata: { name: web, namespace: shop }',
  `kind: Service\nmetadata: { name: web, namespace: shop, annotations: { ${PREFIX}/auth-type: ${type} } }`,
];
const ingressWith = (type: string): Edit => [
  `    ${PREFIX}/actions.web`,
  `    ${PREFIX}/auth-type: ${type}\n    ${PREFIX}/actions.web`,
];
const DEFAULT = (port: string): Edit => [
  '  ingressClassName: alb\n',
  `  ingressClassName: alb\n  defaultBackend: { service: { name: web, port: ${port} } }\n`,
];

describe('the Ingress of a release in place', () => {
  it.each<[what: string, edits: readonly Edit[], findings: readonly string[]]>([
    ['is as it should be', [], []],
    [
      'has a port with a number',
      [PORT],
      [
        'kruise-alb-backend-port spec.rules[0].http.paths[0].backend: the backend "web" names the port 80, so a canary of the Rollout "web" gets no traffic',
      ],
    ],
    [
      'has a port with a name',
      [['name: use-annotation', 'name: http']],
      [
        'kruise-alb-backend-port spec.rules[0].http.paths[0].backend: the backend "web" names the port http, so a canary of the Rollout "web" gets no traffic',
      ],
    ],
    ['has another Service with a number', [PORT, ['service: { name: web', 'service: { name: api']], []],
    [
      'has a default backend with a number',
      [DEFAULT('{ number: 80 }')],
      [
        'kruise-alb-backend-port spec.defaultBackend: the backend "web" names the port 80, so a canary of the Rollout "web" gets no traffic',
      ],
    ],
    ['has a default backend with the action', [DEFAULT('{ name: use-annotation }')], []],
    [
      'forwards to two Services',
      [forward(to('web'), to('api'))],
      [
        'kruise-alb-action metadata.annotations["alb.ingress.kubernetes.io/actions.web"]: alb.ingress.kubernetes.io/actions.web forwards to "web" and "api", not to the Service "web" only',
      ],
    ],
    [
      'forwards to two Services, one without a weight',
      [forward(to('web'), '{"serviceName":"api","servicePort":80}')],
      [],
    ],
    [
      'forwards to another Service',
      [forward(to('api'))],
      [
        'kruise-alb-action metadata.annotations["alb.ingress.kubernetes.io/actions.web"]: alb.ingress.kubernetes.io/actions.web forwards to "api", not to the Service "web" only',
      ],
    ],
    [
      'forwards to itself twice',
      [forward(to('web'), to('web'))],
      [
        'kruise-alb-action metadata.annotations["alb.ingress.kubernetes.io/actions.web"]: alb.ingress.kubernetes.io/actions.web forwards to "web" and "web", not to the Service "web" only',
      ],
    ],
    [
      'forwards to a target group of AWS',
      [forward('{"targetGroupARN":"arn:aws:a"}')],
      [
        'kruise-alb-action metadata.annotations["alb.ingress.kubernetes.io/actions.web"]: alb.ingress.kubernetes.io/actions.web forwards to a target group of AWS, not to the Service "web" only',
      ],
    ],
    [
      'forwards to a target group of AWS beside its Service',
      [forward(to('web'), '{"targetGroupARN":"arn:aws:a","weight":1}')],
      [
        'kruise-alb-action metadata.annotations["alb.ingress.kubernetes.io/actions.web"]: alb.ingress.kubernetes.io/actions.web forwards to "web" and a target group of AWS, not to the Service "web" only',
      ],
    ],
    [
      'forwards to nothing',
      [forward()],
      [
        'kruise-alb-action metadata.annotations["alb.ingress.kubernetes.io/actions.web"]: alb.ingress.kubernetes.io/actions.web forwards to nothing, not to the Service "web" only',
      ],
    ],
    [
      'redirects',
      [[ACTION, '{"type":"redirect","redirectConfig":{"statusCode":"HTTP_301"}}']],
      [
        'kruise-alb-action metadata.annotations["alb.ingress.kubernetes.io/actions.web"]: alb.ingress.kubernetes.io/actions.web is a redirect, not to the Service "web" only',
      ],
    ],
    [
      'responds',
      [[ACTION, '{"type":"fixed-response","fixedResponseConfig":{"statusCode":"503"}}']],
      [
        'kruise-alb-action metadata.annotations["alb.ingress.kubernetes.io/actions.web"]: alb.ingress.kubernetes.io/actions.web is a fixed-response, not to the Service "web" only',
      ],
    ],
    ['has an action that is no JSON', [[ACTION, '{']], []],
    ['has an action for another name', [['actions.web', 'actions.api']], []],
    [
      'forwards to the canary Service too',
      [forward(to('web'), to('web-canary'))],
      [
        'kruise-alb-canary-in-action metadata.annotations["alb.ingress.kubernetes.io/actions.web"]: alb.ingress.kubernetes.io/actions.web names the Service "web-canary", which exists only during a release',
      ],
    ],
    [
      'forwards to the canary Service only',
      [forward(to('web-canary'))],
      [
        'kruise-alb-canary-in-action metadata.annotations["alb.ingress.kubernetes.io/actions.web"]: alb.ingress.kubernetes.io/actions.web names the Service "web-canary", which exists only during a release',
      ],
    ],
    [
      'forwards to a Service with a similar name',
      [forward(to('web'), to('web-canary-2'))],
      [
        'kruise-alb-action metadata.annotations["alb.ingress.kubernetes.io/actions.web"]: alb.ingress.kubernetes.io/actions.web forwards to "web" and "web-canary-2", not to the Service "web" only',
      ],
    ],
    [
      'forwards to the canary Service, which the controller does not create',
      [
        forward(to('web'), to('web-canary')),
        [
          'enableExtraWorkloadForCanary: true',
          'enableExtraWorkloadForCanary: true\n      disableGenerateCanaryService: true',
        ],
      ],
      [
        'kruise-alb-action metadata.annotations["alb.ingress.kubernetes.io/actions.web"]: alb.ingress.kubernetes.io/actions.web forwards to "web" and "web-canary", not to the Service "web" only',
      ],
    ],
    [
      'has another class',
      classed('alb-internal'),
      [
        'kruise-alb-class-unnamed spec.ingressClassName: the Ingress has the class "alb-internal", which the script refuses',
      ],
    ],
    [
      'has another class and its name',
      classed('alb-internal', 'rollout-constructs.io/alb-ingress-class: alb-internal'),
      [],
    ],
    [
      'has another class and the name of a third',
      classed('alb-internal', 'rollout-constructs.io/alb-ingress-class: alb'),
      [
        'kruise-alb-class-unnamed spec.ingressClassName: the Ingress has the class "alb-internal", which the script refuses',
      ],
    ],
    ['has its class in an annotation', byAnnotation('alb'), []],
    [
      'has another class in an annotation',
      byAnnotation('internal'),
      ['kruise-alb-class-unnamed metadata.annotations: the Ingress has the class "internal", which the script refuses'],
    ],
    ['has no class', [['  ingressClassName: alb\n', '']], []],
    [
      'has a Service with authentication',
      [serviceWith('cognito')],
      [
        'kruise-alb-service-auth metadata.annotations["alb.ingress.kubernetes.io/auth-type"]: alb.ingress.kubernetes.io/auth-type is on the Service; the Ingress "web" has none',
      ],
    ],
    [
      'has a Service with oidc',
      [serviceWith('oidc')],
      [
        'kruise-alb-service-auth metadata.annotations["alb.ingress.kubernetes.io/auth-type"]: alb.ingress.kubernetes.io/auth-type is on the Service; the Ingress "web" has none',
      ],
    ],
    ['has a Service without authentication', [serviceWith('none')], []],
    ['has authentication as its Service', [serviceWith('cognito'), ingressWith('cognito')], []],
    [
      'has no authentication, other than its Service',
      [serviceWith('cognito'), ingressWith('none')],
      [
        'kruise-alb-service-auth metadata.annotations["alb.ingress.kubernetes.io/auth-type"]: alb.ingress.kubernetes.io/auth-type is on the Service; the Ingress "web" has none',
      ],
    ],
    ['has authentication of its own', [ingressWith('cognito')], []],
  ])('%s', (_, edits, findings) => {
    expect(inPlaceWith(...edits)).toEqual(findings);
  });

  it('has no finding without the Ingress, and none for its Service', () => {
    expect(found(stack(ROLLOUT, edit(SERVICE, serviceWith('cognito') as [string, string]), ...IN_PLACE))).toEqual([]);
    expect(found(stack(ROLLOUT, INGRESS, ...IN_PLACE))).toEqual([]);
  });
});

const GROUP = `    ${PREFIX}/group.name: shop\n`;
const ORDER = 'group.order: "10"';
const CANARY = 'rollout-constructs.io/canary-group-order: "9"';
const stable = (order: string): Edit => [ORDER, `group.order: "${order}"`];
const canary = (order: string): Edit => [CANARY, `rollout-constructs.io/canary-group-order: "${order}"`];
const NO_STABLE: Edit = [`    ${PREFIX}/${ORDER}\n`, ''];
const NO_CANARY: Edit = [`    ${CANARY}\n`, ''];

describe('the Ingress of a release with a canary Ingress', () => {
  it.each<[what: string, edits: readonly Edit[], findings: readonly string[]]>([
    ['is as it should be', [], []],
    [
      'is in no group',
      [[GROUP, '']],
      [
        'kruise-alb-group metadata.annotations: the Ingress is in no group, and the Rollout "web" creates a canary Ingress in addition to it',
      ],
    ],
    [
      'has a port with a number',
      [PORT],
      [
        'kruise-alb-backend-port spec.rules[0].http.paths[0].backend: the backend "web" names the port 80, so a canary of the Rollout "web" gets no traffic',
      ],
    ],
    ['has another class', classed('alb-internal'), []],
    [
      'has a Service with authentication',
      [serviceWith('cognito')],
      [
        'kruise-alb-service-auth metadata.annotations["alb.ingress.kubernetes.io/auth-type"]: alb.ingress.kubernetes.io/auth-type is on the Service; the Ingress "web" has none',
      ],
    ],
    [
      'has the order of its canary',
      [canary('10')],
      [
        'kruise-alb-order metadata.annotations["rollout-constructs.io/canary-group-order"]: rollout-constructs.io/canary-group-order is 10, and group.order is 10',
      ],
    ],
    [
      'has an order before its canary',
      [canary('11')],
      [
        'kruise-alb-order metadata.annotations["rollout-constructs.io/canary-group-order"]: rollout-constructs.io/canary-group-order is 11, and group.order is 10',
      ],
    ],
    ['has an order just after its canary', [stable('-5'), canary('-6')], []],
    [
      'has the least order',
      [stable('-1000'), canary('-1000')],
      [
        'kruise-alb-order metadata.annotations["alb.ingress.kubernetes.io/group.order"]: group.order is -1000, so no order is left for the canary',
      ],
    ],
    ['has the least order but one', [stable('-999'), canary('-1000')], []],
    ['has the greatest order', [stable('1000'), canary('999')], []],
    [
      'has the greatest order, as its canary',
      [stable('1000'), canary('1000')],
      [
        'kruise-alb-order metadata.annotations["rollout-constructs.io/canary-group-order"]: rollout-constructs.io/canary-group-order is 1000, and group.order is 1000',
      ],
    ],
    ['has an order that is too great', [stable('1001'), canary('1000')], []],
    ['has an order that is too small', [stable('-1001'), canary('-1000')], []],
    ['has an order that is no number', [stable('ten')], []],
    [
      'has a canary with an order that is too great',
      [canary('1001')],
      [
        'kruise-alb-order metadata.annotations["rollout-constructs.io/canary-group-order"]: rollout-constructs.io/canary-group-order is "1001", not an integer from -1000 to 1000',
      ],
    ],
    [
      'has a canary with an order that is too small',
      [canary('-1001')],
      [
        'kruise-alb-order metadata.annotations["rollout-constructs.io/canary-group-order"]: rollout-constructs.io/canary-group-order is "-1001", not an integer from -1000 to 1000',
      ],
    ],
    ['has a canary with the least order', [canary('-1000')], []],
    [
      'has a canary with an order that is no number',
      [canary('nine')],
      [
        'kruise-alb-order metadata.annotations["rollout-constructs.io/canary-group-order"]: rollout-constructs.io/canary-group-order is "nine", not an integer from -1000 to 1000',
      ],
    ],
    [
      'has a canary with a plus',
      [canary('+9')],
      [
        'kruise-alb-order metadata.annotations["rollout-constructs.io/canary-group-order"]: rollout-constructs.io/canary-group-order is "+9", not an integer from -1000 to 1000',
      ],
    ],
    [
      'has a canary with a fraction',
      [canary('9.0')],
      [
        'kruise-alb-order metadata.annotations["rollout-constructs.io/canary-group-order"]: rollout-constructs.io/canary-group-order is "9.0", not an integer from -1000 to 1000',
      ],
    ],
    [
      'has a canary with a space',
      [canary(' 9')],
      [
        'kruise-alb-order metadata.annotations["rollout-constructs.io/canary-group-order"]: rollout-constructs.io/canary-group-order is " 9", not an integer from -1000 to 1000',
      ],
    ],
    [
      'has a canary with an empty order',
      [canary('')],
      [
        'kruise-alb-order metadata.annotations["rollout-constructs.io/canary-group-order"]: rollout-constructs.io/canary-group-order is "", not an integer from -1000 to 1000',
      ],
    ],
    [
      'has no order for its canary',
      [NO_CANARY],
      [
        'kruise-alb-order metadata.annotations: rollout-constructs.io/canary-group-order is not set, so the canary Ingress of the Rollout "web" gets the order 10 of the stable one',
      ],
    ],
    [
      'has no order',
      [NO_STABLE],
      [
        'kruise-alb-order metadata.annotations["rollout-constructs.io/canary-group-order"]: rollout-constructs.io/canary-group-order is 9, and group.order is 0, the default',
      ],
    ],
    [
      'has no order, and its canary has 0',
      [NO_STABLE, canary('0')],
      [
        'kruise-alb-order metadata.annotations["rollout-constructs.io/canary-group-order"]: rollout-constructs.io/canary-group-order is 0, and group.order is 0, the default',
      ],
    ],
    ['has no order, and its canary has -1', [NO_STABLE, canary('-1')], []],
    [
      'has no order at all',
      [NO_STABLE, NO_CANARY],
      [
        'kruise-alb-order metadata.annotations: rollout-constructs.io/canary-group-order is not set, so the canary Ingress of the Rollout "web" gets no order, like the stable one',
      ],
    ],
  ])('%s', (_, edits, findings) => {
    expect(clonedWith(...edits)).toEqual(findings);
  });

  it.each<[what: string, order: string, host: string, path: string, findings: readonly string[]]>([
    [
      'a more specific path after the canary',
      '10',
      'shop.example.com',
      '/api',
      [
        'kruise-alb-shadowed-path spec.rules[0].http.paths[0]: the path shop.example.com/api of "api" is below shop.example.com/, which the canary Ingress "web-canary" takes first during a release of the Rollout "web"',
      ],
    ],
    ['the same path after the canary', '10', 'shop.example.com', '/', []],
    [
      'a more specific path long after the canary',
      '1000',
      'shop.example.com',
      '/api',
      [
        'kruise-alb-shadowed-path spec.rules[0].http.paths[0]: the path shop.example.com/api of "api" is below shop.example.com/, which the canary Ingress "web-canary" takes first during a release of the Rollout "web"',
      ],
    ],
    ['a more specific path before the canary', '8', 'shop.example.com', '/api', []],
    ['the order of the canary, and a name before it', '9', 'shop.example.com', '/api', []],
    ['another host', '10', 'api.example.com', '/api', []],
  ])('and another Ingress with %s', (_, order, host, path, findings) => {
    const other = `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: api
  namespace: shop
  annotations: { ${PREFIX}/target-type: ip, ${PREFIX}/group.name: shop, ${PREFIX}/group.order: "${order}" }
spec:
  ingressClassName: alb
  rules:
    - host: ${host}
      http: { paths: [{ path: ${path}, pathType: Prefix, backend: { service: { name: api, port: { number: 80 } } } }] }
`;
    expect(found(stack(...cloned(), other))).toEqual(findings);
  });

  it.each<[what: string, path: string, findings: readonly string[]]>([
    [
      'a more specific path',
      'path: /api, pathType: Prefix, backend: { service: { name: api, port: { number: 80 } } }',
      [
        'kruise-alb-shadowed-path spec.rules[0].http.paths[1]: the path shop.example.com/api of "api" is below shop.example.com/, which the canary Ingress "web-canary" takes first during a release of the Rollout "web"',
      ],
    ],
    [
      'a path of the same Service',
      'path: /api, pathType: Prefix, backend: { service: { name: web, port: { name: use-annotation } } }',
      [],
    ],
    ['the same path', 'path: /, pathType: Prefix, backend: { service: { name: api, port: { number: 80 } } }', []],
    [
      'an exact path',
      'path: /api, pathType: Exact, backend: { service: { name: api, port: { number: 80 } } }',
      [
        'kruise-alb-shadowed-path spec.rules[0].http.paths[1]: the path shop.example.com/api of "api" is below shop.example.com/, which the canary Ingress "web-canary" takes first during a release of the Rollout "web"',
      ],
    ],
    [
      'a path that leads to a resource',
      'path: /api, pathType: Prefix, backend: { resource: { apiGroup: example.com, kind: Bucket, name: a } }',
      [
        'kruise-alb-shadowed-path spec.rules[0].http.paths[1]: the path shop.example.com/api of a resource is below shop.example.com/, which the canary Ingress "web-canary" takes first during a release of the Rollout "web"',
      ],
    ],
  ])('with %s of another backend', (_, path, findings) => {
    const [rollout, ingress, ...rest] = cloned() as [string, string, ...string[]];
    expect(found(stack(rollout, `${ingress}          - { ${path} }\n`, ...rest))).toEqual(findings);
  });
});
