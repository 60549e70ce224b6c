/** What is said of Rollouts on AWS and of their steps, in full; and whose load balancer an Ingress is for. */
import { describe, expect, it } from 'vitest';
import { Manifest, World } from '../../../src/core';
import { albRules } from '../../../src/kruise/alb';
import { cloned, edit, inPlace } from '../../../src/kruise/alb/examples';
import { providerOf, providerOfClassType, statedProvider } from '../../../src/kruise/alb/provider';
import { readRollout } from '../../../src/kruise/subject';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import { ingress, object, rollout } from '../rules/stack';
import { check } from './check';

type Edit = readonly [from: string, to: string];

/** `severity rule Kind path: message | fix | related | step` */
const found = (texts: readonly string[]) =>
  check(texts.join('---\n')).map(({ severity, rule, object: of, path, message, fix, related, step }) =>
    [
      `${severity} ${rule} ${of?.kind} ${path}: ${message}`,
      ...(fix === albRules[rule as keyof typeof albRules].fix ? [] : [fix]),
      ...(related === undefined ? [] : [`${related.message} (${related.object?.kind} ${related.object?.name})`]),
      ...(step === undefined ? [] : [`step ${step}`]),
    ].join(' | '),
  );
const MATCH_STEP = '{ matches: [{ headers: [{ name: user-agent, value: pc }] }], replicas: 20%, pause: {} }';
const edited = (objects: readonly string[], ...edits: readonly Edit[]) =>
  objects.map((text) => edits.reduce((all, [from, to]) => (all.includes(from) ? edit(all, [from, to]) : all), text));
const STEP = 'spec.strategy.canary.steps[0]';

describe('a step on AWS', () => {
  const inPlaceWith = (step: string) => found(edited(inPlace(), [MATCH_STEP, `{ ${step}, replicas: 20%, pause: {} }`]));
  const clonedWith = (step: string) => found(edited(cloned(), [MATCH_STEP, `{ ${step}, replicas: 20%, pause: {} }`]));
  const header = (name: string, value: string, type = 'Exact') =>
    `matches: [{ headers: [{ type: ${type}, name: ${name}, value: '${value}' }] }]`;
  const IMPOSSIBLE = 'error kruise-alb-match-impossible Rollout';
  const AT = `${STEP}.matches[0]`;

  it.each<[step: string, expected: readonly string[]]>([
    ['traffic: 20%', []],
    [
      `${header('a', 'b')}, traffic: 20%`,
      [
        `warning kruise-alb-traffic-beside-matches Rollout ${STEP}.traffic: steps[0] has matches, so its traffic 20% is not applied | step 0`,
      ],
    ],
    ['matches: [], traffic: 20%', []],
    [
      'traffic: 20%, requestHeaderModifier: { set: [{ name: a, value: b }] }',
      [
        `${IMPOSSIBLE} ${STEP}.requestHeaderModifier: steps[0] changes headers of requests, which an AWS load balancer does not do | remove requestHeaderModifier | step 0`,
      ],
    ],
    [
      'matches: [{}]',
      [`error kruise-alb-match-empty Rollout ${AT}: steps[0] has a match 1 without a condition | step 0`],
    ],
    [
      header('host', 'a'),
      [
        `${IMPOSSIBLE} ${AT}.headers[0]: steps[0] matches the header Host, which AWS cannot match as a header | add a rule for the host to the Ingress | step 0`,
      ],
    ],
    [
      header('canary-by-cookie', 'a', 'RegularExpression'),
      [
        `${IMPOSSIBLE} ${AT}.headers[0]: steps[0] matches canary-by-cookie by a regular expression | match the header cookie instead: canary-by-cookie holds the name of a cookie | step 0`,
      ],
    ],
    [
      header('cookie', 'a'),
      [
        `${IMPOSSIBLE} ${AT}.headers[0]: steps[0] matches the cookie "a" without a value | write it as name=value | step 0`,
      ],
    ],
    [
      header('a b', 'a'),
      [
        `${IMPOSSIBLE} ${AT}.headers[0]: steps[0] matches the header "a b", which is not a valid header name for AWS | a name has at most 40 letters, digits or -_. | step 0`,
      ],
    ],
    [
      header('a', 'b'.repeat(129)),
      [
        `${IMPOSSIBLE} ${AT}.headers[0]: steps[0] matches the header "a" with a value of 129 characters; AWS allows 128 | shorten the value | step 0`,
      ],
    ],
    [
      'matches: [{ queryParams: [{ type: RegularExpression, name: v, value: a }] }]',
      [
        `${IMPOSSIBLE} ${AT}.queryParams[0]: steps[0] matches the query parameter "v" by a regular expression, which AWS does not support | match an exact value, or a header | step 0`,
      ],
    ],
    [
      "matches: [{ path: { type: RegularExpression, value: '/a' } }]",
      [
        `${IMPOSSIBLE} ${AT}.path: steps[0] matches the path "/a" by a regular expression | use PathPrefix or Exact | step 0`,
      ],
    ],
    [
      "matches: [{ path: { type: Exact, value: '/*' } }]",
      [
        `${IMPOSSIBLE} ${AT}.path: steps[0] matches the path "/*", but * and ? in it would be wildcards | use a path without * and ? | step 0`,
      ],
    ],
    [
      `matches: [{ headers: [${['a', 'b', 'c', 'd', 'e'].map((name) => `{ name: ${name}, value: x }`).join(', ')}] }]`,
      [
        `${IMPOSSIBLE} ${AT}: steps[0] has a match with 6 values, including the path of the Ingress; AWS allows 5 in a rule | match on fewer headers and query parameters | step 0`,
      ],
    ],
  ])('of an Ingress that is edited in place: %s', (step, expected) => {
    expect(inPlaceWith(step)).toEqual(expected);
  });

  const SHAPE = 'error kruise-alb-match-shape Rollout';
  it.each<[step: string, expected: readonly string[]]>([
    [
      `${header('a', 'b')}, traffic: 20%`,
      [
        `error kruise-alb-traffic-beside-matches Rollout ${STEP}.traffic: steps[0] has matches, so its traffic 20% is not applied | step 0`,
      ],
    ],
    [
      "matches: [{ path: { type: Exact, value: '/a' } }]",
      [`${SHAPE} ${AT}.path: steps[0] matches the path "/a", which a canary Ingress cannot narrow | step 0`],
    ],
    [
      'matches: [{ headers: [{ name: a, value: b }] }, { headers: [{ name: c, value: d }] }]',
      [`${SHAPE} ${STEP}.matches: steps[0] has alternatives that differ in more than the value of one header | step 0`],
    ],
    [
      `matches: [${['1', '2', '3', '4'].map((value) => `{ headers: [{ name: a, value: '${value}' }] }`).join(', ')}]`,
      [`${SHAPE} ${STEP}.matches: steps[0] has 4 alternatives; AWS allows 3 values in a condition | step 0`],
    ],
  ])('of a canary Ingress: %s', (step, expected) => {
    expect(clonedWith(step)).toEqual(expected);
  });
});

describe('a Rollout on AWS', () => {
  const named = (objects: readonly string[], length: number) => {
    const name = 'w'.repeat(length);
    return objects.map((text) =>
      text
        .replace(/service: web\n/, `service: ${name}\n`)
        .replaceAll(/(service: \{ |"serviceName":"|actions\.)(name: )?web/g, `$1$2${name}`)
        .replace(/(kind: Service\nmetadata: \{ name: )web/, `$1${name}`),
    );
  };
  const ROUTE = 'spec.strategy.canary.trafficRoutings[0]';
  const tooLong = (length: number, mode: string, max: number) => [
    `error kruise-alb-service-name Rollout ${ROUTE}.service: the Service name "${'w'.repeat(length)}" has ${length} characters; with ${mode} an AWS load balancer allows ${max}`,
  ];

  it('has a Service with a name that is short enough', () => {
    expect(found(named(inPlace(), 43))).toEqual([]);
    expect(found(named(inPlace(), 44))).toEqual(tooLong(44, 'customNetworkRefs', 43));
    expect(found(named(cloned(), 45))).toEqual([]);
    expect(found(named(cloned(), 46))).toEqual(tooLong(46, 'ingress', 45));
  });

  const DISABLED: Edit = ['      trafficRoutings:', '      disableGenerateCanaryService: true\n      trafficRoutings:'];

  it('needs a canary Service, which another check says of a canary Ingress', () => {
    expect(found(edited(inPlace(), DISABLED))).toEqual([
      'error kruise-alb-no-canary-service Rollout spec.strategy.canary.disableGenerateCanaryService: with disableGenerateCanaryService an AWS load balancer cannot split the traffic of "web"',
    ]);
    expect(found(edited(cloned(), DISABLED))).toEqual([]);
  });

  const trafficRouting = (route: string) => `apiVersion: rollouts.kruise.io/v1alpha1
kind: TrafficRouting
metadata: { name: web, namespace: shop }
spec:
  objectRef: [{ service: web, ${route} }]
  strategy: { weight: 20 }
`;

  it('is no TrafficRouting', () => {
    const expected = [
      'error kruise-alb-no-canary-service TrafficRouting spec.objectRef[0]: a TrafficRouting creates no canary Service, so an AWS load balancer cannot split the traffic of "web"',
    ];
    const inPlaceRoute = 'customNetworkRefs: [{ apiVersion: networking.k8s.io/v1, kind: Ingress, name: web }]';
    expect(found([trafficRouting(inPlaceRoute), ...inPlace().slice(1)])).toEqual(expected);
    expect(found([trafficRouting('ingress: { name: web, classType: aws-alb }'), ...cloned().slice(1)])).toEqual(
      expected,
    );
  });

  const aliyunClass = `apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: { name: alb }
spec: { controller: ingress.k8s.alibabacloud/alb }
`;

  it('is for AWS, as its Ingress', () => {
    const wrong = (objects: readonly string[]) =>
      found(objects).filter((line) => line.includes('kruise-alb-other-cloud'));
    expect(wrong(edited(cloned(), ['classType: aws-alb', 'classType: aliyun-alb']))).toEqual([
      `error kruise-alb-other-cloud Rollout ${ROUTE}.ingress.classType: the classType is "aliyun-alb", and the Ingress "web" is for a load balancer of AWS | use ingress with classType: aws-alb`,
    ]);
    expect(wrong([...cloned(), aliyunClass])).toEqual([
      `error kruise-alb-other-cloud Rollout ${ROUTE}.ingress.classType: the classType is "aws-alb", and the Ingress "web" is for a load balancer of Alibaba Cloud | use ingress with classType: aliyun-alb`,
    ]);
    expect(wrong([...inPlace(), aliyunClass])).toEqual([
      `error kruise-alb-other-cloud Rollout ${ROUTE}.customNetworkRefs: customNetworkRefs names the Ingress "web", which is for a load balancer of Alibaba Cloud; the script edits those of AWS | use ingress with classType: aliyun-alb`,
    ]);
    expect(wrong(cloned())).toEqual([]);
    expect(wrong(inPlace())).toEqual([]);
    expect(wrong(edited(cloned(), ['classType: aws-alb', 'classType: other']))).toEqual([]);
  });

  it('reads the ConfigMap of the controller’s namespace', () => {
    const moved = edited(cloned(), ['namespace: kruise-rollout }', 'namespace: shop }']);
    const elsewhere = (texts: readonly string[]) => found(texts).filter((line) => line.includes('script-elsewhere'));
    expect(elsewhere(cloned())).toEqual([]);
    expect(elsewhere(moved)).toEqual([
      'error kruise-script-elsewhere ConfigMap metadata.namespace: the ConfigMap is in the namespace "shop", and the controller in "kruise-rollout"',
    ]);
    const [configMap] = cloned().filter((text) => text.includes('kind: ConfigMap'));
    expect(elsewhere([...moved, configMap!])).toEqual([]);
    expect(elsewhere([edit(configMap!, ['name: kruise-rollout-configuration', 'name: other'])])).toEqual([]);
  });
});

describe('the load balancer of an Ingress', () => {
  const PREFIX = 'alb.ingress.kubernetes.io';
  const worldOf = (...objects: readonly object[]) => World.of(objects.map((each) => Manifest.of(each)));
  const withAnnotations = (annotations: object, name = 'web', className: string | undefined = 'any') =>
    ingress('web', { ingressClassName: className }, { name, annotations });
  const stated = (made: object, ...others: readonly object[]) => {
    const world = worldOf(made, ...others);
    return statedProvider(world, world.list('Ingress.networking.k8s.io')[0]!);
  };

  it.each<readonly [name: string, provider: string | undefined]>([
    ...['order', 'canary', 'canary-by-header', 'canary-by-header-value', 'canary-by-cookie', 'canary-weight'].map(
      (name) => [`${PREFIX}/${name}`, 'aliyun'] as const,
    ),
    ['rollout-constructs.io/canary-order', 'aliyun'],
    ...['group.name', 'group.order', 'target-type', 'scheme', 'certificate-arn', 'subnets'].map(
      (name) => [`${PREFIX}/${name}`, 'aws'] as const,
    ),
    ['rollout-constructs.io/canary-group-order', 'aws'],
    ['rollout-constructs.io/alb-ingress-class', 'aws'],
    [`${PREFIX}/other`, undefined],
    ['order', undefined],
  ])('is stated by the annotation %s: %s', (name, provider) => {
    expect(stated(withAnnotations({ [name]: 'x' }))).toBe(provider);
  });

  it('is that of Alibaba Cloud where annotations of both are there', () => {
    expect(stated(withAnnotations({ [`${PREFIX}/scheme`]: 'x', [`${PREFIX}/order`]: '1' }))).toBe('aliyun');
  });

  const classOf = (controller: unknown, name = 'any') =>
    object('networking.k8s.io/v1', 'IngressClass', { controller }, { name, namespace: undefined });

  it('is that of its class, where the class is known', () => {
    const aws = withAnnotations({ [`${PREFIX}/scheme`]: 'x' });
    expect(stated(aws, classOf('ingress.k8s.aws/alb'))).toBe('aws');
    expect(stated(aws, classOf('ingress.k8s.alibabacloud/alb'))).toBe('aliyun');
    expect(stated(aws, classOf('k8s.io/ingress-nginx'))).toBeUndefined();
    expect(stated(aws, classOf(undefined))).toBeUndefined();
    expect(stated(aws, classOf('ingress.k8s.alibabacloud/alb', 'other'))).toBe('aws');
  });

  it('is that of a class type', () => {
    expect(['aws-alb', 'aliyun-alb', 'alb', 'nginx', 'toString', ''].map(providerOfClassType)).toEqual([
      ...['aws', 'aliyun'],
      ...[undefined, undefined, undefined, undefined],
    ]);
  });

  const routeTo = (name: string, classType: string) => {
    const manifest = Manifest.of(rollout({ route: { service: 'web', ingress: { name, classType } } }));
    return readRollout(manifest, 'shop', KruiseRolloutVersion.LATEST).route!;
  };
  const found = (objects: readonly object[], ...routes: readonly ReturnType<typeof routeTo>[]) => {
    const world = worldOf(...objects);
    return providerOf(world, world.find('Ingress.networking.k8s.io', 'web', 'shop')!, routes);
  };

  it('is what the Ingress states, then what its routes state, then what its class states', () => {
    const plain = withAnnotations({});
    const other = withAnnotations({ [`${PREFIX}/order`]: '1' }, 'b');
    expect(found([withAnnotations({ [`${PREFIX}/scheme`]: 'x' })], routeTo('web', 'aliyun-alb'))).toBe('aws');
    expect(found([plain, other], routeTo('web', 'aws-alb'))).toBe('aws');
    expect(found([plain, other])).toBe('aliyun');
    expect(found([plain, withAnnotations({}, 'b')], routeTo('b', 'aliyun-alb'))).toBe('aliyun');
    expect(found([plain, withAnnotations({ [`${PREFIX}/order`]: '1' }, 'b', 'second')])).toBeUndefined();
    expect(found([plain])).toBeUndefined();
    expect(found([plain], routeTo('web', 'nginx'))).toBeUndefined();
    expect(found([plain], routeTo('web', 'nginx'), routeTo('web', 'aws-alb'), routeTo('web', 'aliyun-alb'))).toBe(
      'aws',
    );
  });

  it('is that of AWS for a class named alb of which nothing is known', () => {
    const alb = withAnnotations({}, 'web', 'alb');
    expect(found([alb])).toBe('aws');
    expect(found([alb, withAnnotations({ [`${PREFIX}/order`]: '1' }, 'b', 'alb')])).toBe('aliyun');
    expect(found([alb, classOf('k8s.io/ingress-nginx', 'alb')])).toBeUndefined();
    expect(found([ingress('web', { ingressClassName: undefined })], routeTo('web', 'aws-alb'))).toBeUndefined();
  });
});
