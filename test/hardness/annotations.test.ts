/** JSON and lists in annotations of Ingresses and of KtEnv, as nobody would write them: judged, and never a crash. */
import { describe, expect, it } from 'vitest';
import { checkEnvironments } from '../../src/check';
import { type JsonObject, parseManifests, World } from '../../src/core';
import {
  ENVIRONMENTS_ANNOTATION,
  GATEWAYS_ANNOTATION,
  HOSTS_ANNOTATION,
  RULE_ANNOTATION,
} from '../../src/ktenv/api/names';
import { previewEnvironments } from '../../src/ktenv/preview';
import { awsAlbRouter } from '../../src/routers/aws-alb';
import { checkAwsAlb } from '../../src/routers/aws-alb/checks';
import { HOSTILE_JSON } from './hostile-json';
import { HOSTILE } from './hostile-texts';
import { mutated } from './mutation';
import { expectUnpolluted, prototypes } from './prototypes';
import { Chance } from './random';

const SEED = 20_260_101;

const ALB = 'alb.ingress.kubernetes.io';

/** JSON as an annotation holds it, with every field that a controller reads. */
const ANNOTATIONS: Readonly<Record<string, readonly string[]>> = {
  [`${ALB}/actions.web`]: [
    '{"type":"forward","forwardConfig":{"targetGroups":[{"serviceName":"web","servicePort":80,"weight":20},{"targetGroupARN":"arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/a/0123456789abcdef","weight":80}],"targetGroupStickinessConfig":{"enabled":true,"durationSeconds":200}}}',
    '{"type":"redirect","redirectConfig":{"protocol":"HTTPS","port":"443","host":"#{host}","path":"/#{path}","query":"a=b","statusCode":"HTTP_301"}}',
    '{"type":"fixed-response","fixedResponseConfig":{"contentType":"text/plain","statusCode":"503","messageBody":"x"}}',
  ],
  [`${ALB}/conditions.web`]: [
    '[{"field":"http-header","httpHeaderConfig":{"httpHeaderName":"x","values":["a*","b?"]}},{"field":"query-string","queryStringConfig":{"values":[{"key":"a","value":"1"},{"value":"2"}]}}]',
    '[{"field":"host-header","hostHeaderConfig":{"values":["a.example.com"]}},{"field":"source-ip","sourceIpConfig":{"values":["10.0.0.0/8"]}},{"field":"http-request-method","httpRequestMethodConfig":{"Values":["GET"]}},{"field":"path-pattern","pathPatternConfig":{"values":["/a*"],"regexValues":["^/a"]}}]',
  ],
  [`${ALB}/transforms.web`]: [
    '[{"type":"url-rewrite","urlRewriteConfig":{"rewrites":[{"regex":"^/a/(.*)$","replace":"/$1"}]}}]',
    '[{"type":"host-header-rewrite","hostHeaderRewriteConfig":{"rewrites":[{"regex":"a","replace":"b"}]}}]',
  ],
  [`${ALB}/listen-ports`]: ['[{"HTTP": 80}, {"HTTPS": 443}]'],
  [`${ALB}/group.order`]: ['10', '-1', '1e3', ' 5', '99999999999999999999'],
  [`${ALB}/load-balancer-attributes`]: ['a=b,c=d', '=', 'a'],
  [`${ALB}/auth-idp-oidc`]: [
    '{"issuer":"https://a","authorizationEndpoint":"https://b","tokenEndpoint":"c","userInfoEndpoint":"d","secretName":"e"}',
  ],
  'rollout-constructs.io/ignore': ['alb-action-missing: because', 'x', ';;:', '__proto__: x'],
};

function ingress(annotations: Readonly<Record<string, string>>): JsonObject {
  const backend = { service: { name: 'web', port: { name: 'use-annotation' } } };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'web', namespace: 'shop', annotations },
    spec: {
      ingressClassName: 'alb',
      rules: [{ host: 'a.example.com', http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }],
    },
  };
}

const SERVICE: JsonObject = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace: 'shop' },
  spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
};

/** Read as from a file, then checked and asked where requests go. */
function judged(annotations: Readonly<Record<string, string>>): string {
  const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [ingress(annotations), SERVICE] });
  const { manifests, findings } = parseManifests(text, 'a.json');
  const world = World.of(manifests);
  const requests = ['/', '/a/b', `/${'a'.repeat(40)}!`].map((path) => ({
    host: 'a.example.com',
    path,
    headers: { x: 'ab' },
    query: { a: '1' },
  }));
  const answers = awsAlbRouter()
    .routes(world)
    .loadBalancers.flatMap(({ listeners }) => listeners)
    .map((listener) => requests.map((request) => listener.route(request)));
  return JSON.stringify([findings, checkAwsAlb(world), answers]);
}

describe('annotations of an Ingress', () => {
  it.each(Object.keys(ANNOTATIONS))('%s: whatever they hold is judged, and the same twice', (name) => {
    const before = prototypes();
    const chance = new Chance(SEED);
    const texts = [
      ...HOSTILE_JSON,
      ...Array.from({ length: 25 }, () => {
        const text = chance.of(ANNOTATIONS[name]!);
        if (!/^[[{]/.test(text)) return `${text}${chance.of(HOSTILE)}`;
        let value = JSON.parse(text);
        for (let times = 1 + chance.below(3); times > 0; times--) value = mutated(value, chance);
        return chance.oneIn(8) ? text.slice(0, chance.below(text.length)) : JSON.stringify(value);
      }),
    ];
    for (const text of texts) {
      const others = Object.fromEntries(Object.entries(ANNOTATIONS).map(([key, [first]]) => [key, first!]));
      const annotations = { ...others, [name]: text };
      let result = '';
      expect(
        () => {
          result = judged(annotations);
        },
        text.slice(0, 200),
      ).not.toThrow();
      if (chance.oneIn(4)) expect(judged(annotations), text.slice(0, 200)).toBe(result);
    }
    expectUnpolluted(before);
  });
});

describe('annotations of KtEnv', () => {
  const NAMES = [RULE_ANNOTATION, GATEWAYS_ANNOTATION, HOSTS_ANNOTATION, ENVIRONMENTS_ANNOTATION];
  const app = (key: string, text: string) =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'List',
      items: [
        {
          apiVersion: 'env.alibaba.com/v1alpha2',
          kind: 'VirtualEnvironment',
          metadata: { name: 'env', namespace: 'shop', annotations: { [key]: text } },
          spec: { envLabel: { defaultSubset: 'dev' } },
        },
        { ...SERVICE, metadata: { name: 'web', namespace: 'shop', annotations: { [key]: text } } },
        {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name: 'web', namespace: 'shop' },
          spec: { template: { metadata: { labels: { app: 'web', 'virtual-env': 'dev' } } } },
        },
      ],
    });

  it.each(NAMES)('%s: whatever it holds is judged and previewed', (name) => {
    const before = prototypes();
    for (const text of [
      ...HOSTILE_JSON,
      '{"timeout":"5s","match":[{"uri":{"regex":"("}}],"retries":{"attempts":1e9}}',
    ]) {
      const { manifests, findings } = parseManifests(app(name, text), 'a.json');
      const world = World.of(manifests);
      const judge = () =>
        JSON.stringify([findings, checkEnvironments(world), previewEnvironments(world, { environments: [text] })]);
      expect(judge(), text.slice(0, 200)).toBe(judge());
    }
    expectUnpolluted(before);
  });
});
