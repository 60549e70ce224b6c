/** The stack of document 000 in all the variants in which people write it, and what each of them really does. */
import { describe, expect, it } from 'vitest';
import type { Rehearsal } from '../../src/core/rehearsal-result';
import {
  albAnnotations,
  albScript,
  ORDERED,
  ourScript,
  path,
  rehearseStack,
  rulesOf,
  SCRIPT_OF_DOCUMENT_000,
  type StackOptions,
  service,
  sharesOf,
} from './stack';

const GROUP = { 'alb.ingress.kubernetes.io/group.name': 'shop' };

const header = (name: string, value: string, type = 'Exact') => ({ headers: [{ type, name, value }] });
const matching = (...matches: object[]) => ({ replicas: '20%', matches });
const WEIGHTS = [
  { traffic: '20%', replicas: '20%' },
  { traffic: '100%', replicas: '100%' },
];
const PC = [matching(header('user-agent', 'pc')), ...WEIGHTS];

/** The script of the document, made to give the canary the lower order that the document forgets. */
const ORDERED_SCRIPT = SCRIPT_OF_DOCUMENT_000.replace(
  /^return annotations\s*$/m,
  'annotations["alb.ingress.kubernetes.io/group.order"] = "9"\nreturn annotations',
).replace(
  /^(\s*)return annotations$/gm,
  '$1annotations["alb.ingress.kubernetes.io/group.order"] = "9"\n$1return annotations',
);

const document = (options: StackOptions): Rehearsal =>
  rehearseStack({ steps: PC, scripts: albScript(SCRIPT_OF_DOCUMENT_000), ...options });
const ordered = (options: StackOptions): Rehearsal =>
  rehearseStack({ steps: PC, scripts: albScript(ORDERED_SCRIPT), ...options });

function findingOf(rehearsal: Rehearsal, rule: string) {
  const found = rehearsal.findings.find((finding) => finding.rule === rule);
  expect(found, `${rule} in ${rulesOf(rehearsal)}`).toBeDefined();
  return found!;
}

describe('the stack of document 000', () => {
  it('gets a second load balancer without a group, and the first one never sends a request to the canary', () => {
    const rehearsal = document({ annotations: albAnnotations('web') });

    expect(rulesOf(rehearsal)).toEqual(['rehearsal-canary-gets-nothing', 'rehearsal-second-load-balancer']);
    expect(findingOf(rehearsal, 'rehearsal-canary-gets-nothing')).toMatchObject({
      severity: 'error',
      step: 0,
      request: 'GET http://shop.example.com/ -H "user-agent: pc"',
      message: expect.stringContaining('none of the requests reaches the canary, not 100%'),
      related: {
        message: expect.stringContaining('rule 1 of HTTP:80'),
        object: { kind: 'Ingress', name: 'web', namespace: 'shop' },
      },
      fix: expect.stringContaining('group.name'),
    });
    expect(findingOf(rehearsal, 'rehearsal-second-load-balancer').message).toContain(
      '"shop/web-canary", in addition to "shop/web"',
    );
  });

  it('has its canary behind the stable rule in a group without order', () => {
    const rehearsal = document({ annotations: albAnnotations('web', 80, GROUP) });

    expect(rulesOf(rehearsal)).toEqual(['rehearsal-canary-gets-nothing']);
    expect(sharesOf(rehearsal)['steps[1]: 20%']).toMatchObject({ any: 0, 'user-agent: pc': 0 });
    expect(findingOf(rehearsal, 'rehearsal-canary-gets-nothing').fix).toContain('lower group.order');
  });

  it('answers 503 to everybody at creation, once the order is right', () => {
    const rehearsal = ordered({ annotations: albAnnotations('web', 80, ORDERED), steps: WEIGHTS });
    const finding = findingOf(rehearsal, 'rehearsal-requests-fail');

    expect(finding.message).toContain(
      'before steps[0] takes effect (canary Ingress created) 100% of the requests get an error',
    );
    expect(finding.message).toContain('503 "Backend action does not exist"');
    expect(finding.related?.object).toMatchObject({ kind: 'Ingress', name: 'web-canary' });
  });

  it('sends everything to the canary at once with a numeric backend port', () => {
    const rehearsal = ordered({
      annotations: albAnnotations('web', 80, ORDERED),
      port: { number: 80 },
      steps: WEIGHTS,
    });

    expect(rulesOf(rehearsal)).toEqual(['rehearsal-canary-gets-everything', 'rehearsal-canary-too-early']);
    expect(sharesOf(rehearsal)['steps[0]: 20%']).toMatchObject({ any: 100 });
    expect(findingOf(rehearsal, 'rehearsal-canary-gets-everything').fix).toContain('use-annotation');
  });

  it('freezes the whole group, neighbours and all, when the Service has another port than 80', () => {
    const neighbour = {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: {
        name: 'blog',
        namespace: 'shop',
        annotations: { ...GROUP, 'alb.ingress.kubernetes.io/target-type': 'ip' },
      },
      spec: { ingressClassName: 'alb', rules: [{ host: 'blog.example.com', http: { paths: [path('/', 'blog')] } }] },
    };
    const rehearsal = ordered({
      annotations: albAnnotations('web', 8080, ORDERED),
      servicePort: 8080,
      more: [neighbour, service('blog')],
    });
    const finding = findingOf(rehearsal, 'rehearsal-group-freezes');

    expect(finding.message).toContain('unable to find port 80 on service shop/web');
    expect(finding.message).toContain('and with it Ingress shop/blog');
  });

  it('sends everything to the canary for a match on a query parameter alone', () => {
    const steps = [matching({ queryParams: [{ type: 'Exact', name: 'v', value: '2' }] })];
    const rehearsal = ordered({ annotations: albAnnotations('web', 80, ORDERED), steps });

    expect(findingOf(rehearsal, 'rehearsal-canary-gets-everything')).toMatchObject({
      request: 'GET http://shop.example.com/',
      message: expect.stringContaining('requests meet no match, but all of them reach the canary'),
    });
  });

  it('never finds a header by a regular expression', () => {
    const steps = [matching(header('x-user', 'user-[0-9]+', 'RegularExpression'))];
    const rehearsal = ordered({ annotations: albAnnotations('web', 80, ORDERED), steps });

    expect(findingOf(rehearsal, 'rehearsal-canary-gets-nothing').request).toMatch(/-H "x-user: user-\d+"$/);
  });

  it('finds a cookie only when it is alone', () => {
    const steps = [matching(header('cookie', 'grey=always'))];
    const rehearsal = ordered({ annotations: albAnnotations('web', 80, ORDERED), steps });

    expect(findingOf(rehearsal, 'rehearsal-cookie-alone').request).toContain('grey=always; theme=dark');
  });

  it('takes any header for a cookie whose name has "cookie" in it', () => {
    const steps = [matching(header('x-cookie-consent', 'yes'))];
    const rehearsal = ordered({ annotations: albAnnotations('web', 80, ORDERED), steps });

    expect(rulesOf(rehearsal)).toContain('rehearsal-canary-gets-nothing');
  });

  it('loses all matches but the first', () => {
    const steps = [matching(header('user-agent', 'pc'), header('user-agent', 'mobile'))];
    const rehearsal = ordered({ annotations: albAnnotations('web', 80, ORDERED), steps });

    expect(findingOf(rehearsal, 'rehearsal-match-ignored').request).toContain('user-agent: mobile');
  });

  it('cuts a value at its semicolons, so that a part of it is enough', () => {
    const steps = [matching(header('user-agent', 'a;b'))];
    const rehearsal = ordered({ annotations: albAnnotations('web', 80, ORDERED), steps });

    expect(rulesOf(rehearsal)).toContain('rehearsal-canary-gets-nothing');
  });

  it('takes a star for a wildcard', () => {
    const steps = [matching(header('x-user', 'a*'))];
    const rehearsal = ordered({ annotations: albAnnotations('web', 80, ORDERED), steps });

    expect(findingOf(rehearsal, 'rehearsal-match-widened').message).toContain('x-user: a*x');
  });

  it('splits the matched requests when a step has both matches and traffic', () => {
    const steps = [{ ...matching(header('user-agent', 'pc')), traffic: '20%' }];
    const rehearsal = ordered({ annotations: albAnnotations('web', 80, ORDERED), steps });

    expect(findingOf(rehearsal, 'rehearsal-match-ignored').message).toContain('20% of them reach the canary, not 100%');
  });

  it('drops the target group of the stable Service for the steps with matches', () => {
    const steps = [WEIGHTS[0]!, matching(header('user-agent', 'pc')), { traffic: '50%', replicas: '50%' }];
    const rehearsal = ordered({ annotations: albAnnotations('web', 80, ORDERED), steps });

    expect(findingOf(rehearsal, 'rehearsal-target-group-recreated').message).toContain(
      'Service shop/web of Ingress web-canary',
    );
  });

  it('loses a restriction of the stable Service', () => {
    const rehearsal = ordered({
      annotations: albAnnotations('web', 80, {
        ...ORDERED,
        'alb.ingress.kubernetes.io/conditions.web': JSON.stringify([
          { field: 'source-ip', sourceIpConfig: { values: ['10.0.0.0/8'] } },
        ]),
      }),
      steps: WEIGHTS,
    });

    expect(findingOf(rehearsal, 'rehearsal-path-shadowed').message).toContain('instead of 404');
  });

  it('loses the stickiness of the stable action', () => {
    const annotations = albAnnotations('web', 80, ORDERED);
    const action = JSON.parse(annotations['alb.ingress.kubernetes.io/actions.web']!);
    action.forwardConfig.targetGroupStickinessConfig = { enabled: true, durationSeconds: 600 };
    const rehearsal = ordered({
      annotations: { ...annotations, 'alb.ingress.kubernetes.io/actions.web': JSON.stringify(action) },
      steps: WEIGHTS,
    });

    expect(rulesOf(rehearsal)).toContain('rehearsal-stickiness-lost');
  });

  it('shadows a longer path of the same Ingress', () => {
    const rehearsal = ordered({
      annotations: albAnnotations('web', 80, ORDERED),
      paths: [path('/', 'web', { name: 'use-annotation' }), path('/admin', 'admin')],
      more: [service('admin')],
      steps: WEIGHTS,
    });

    expect(findingOf(rehearsal, 'rehearsal-path-shadowed')).toMatchObject({
      request: 'GET http://shop.example.com/admin',
      message: expect.stringContaining('instead of 100% to shop/admin'),
    });
  });
});

describe('the corrected stack', () => {
  const cases: [name: string, steps: object[]][] = [
    ['weights', WEIGHTS],
    ['a header, then weights', PC],
    ['a regular expression', [matching(header('x-user', 'user-[0-9]+', 'RegularExpression'))]],
    ['a cookie', [matching(header('cookie', 'grey=always'))]],
    ['a cookie by its name', [matching(header('canary-by-cookie', 'grey'))]],
    ['a query parameter', [matching({ queryParams: [{ type: 'Exact', name: 'v', value: '2' }] })]],
    ['two values', [matching(header('user-agent', 'pc'), header('user-agent', 'mobile'))]],
    ['two headers together', [matching({ headers: [...header('x-a', '1').headers, ...header('x-b', '2').headers] })]],
    ['a star', [matching(header('x-user', 'a*'))]],
    ['matches beside traffic', [{ ...matching(header('user-agent', 'pc')), traffic: '20%' }]],
  ];
  const ingress = albScript(ourScript('trafficrouting_ingress/aws-alb.lua'));
  const custom = {
    'lua.traffic.routing.Ingress.networking.k8s.io': ourScript('networking.k8s.io/Ingress/trafficRouting.lua'),
  };
  const byCustom: StackOptions = {
    route: { customNetworkRefs: [{ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', name: 'web' }] },
    scripts: custom,
  };

  it.each(cases)('goes as declared with a canary Ingress and %s', (_name, steps) => {
    const rehearsal = rehearseStack({ scripts: ingress, steps });

    expect(rehearsal.stopped).toBeUndefined();
    expect(rulesOf(rehearsal)).toEqual([]);
  });

  it.each(cases)('goes as declared in place and with %s', (_name, steps) => {
    const rehearsal = rehearseStack({ ...byCustom, steps });

    expect(rehearsal.stopped).toBeUndefined();
    expect(rulesOf(rehearsal)).toEqual([]);
  });

  it('takes any port of the Service', () => {
    const annotations = albAnnotations('web', 8080, ORDERED);

    expect(rulesOf(rehearseStack({ scripts: ingress, servicePort: 8080, annotations }))).toEqual([]);
    expect(rulesOf(rehearseStack({ ...byCustom, servicePort: 8080, annotations }))).toEqual([]);
  });

  it('leaves longer paths alone when it is rewritten in place', () => {
    const more = {
      paths: [path('/', 'web', { name: 'use-annotation' }), path('/admin', 'admin')],
      more: [service('admin')],
    };

    expect(rulesOf(rehearseStack({ ...byCustom, ...more }))).toEqual([]);
  });

  it('stops at what the load balancer cannot do, before any user meets it', () => {
    const steps = [matching({ path: { type: 'PathPrefix', value: '/v2' } })];
    const rehearsal = rehearseStack({ scripts: ingress, steps });

    expect(rehearsal.stopped).toMatchObject({ class: 'lua', step: 0 });
    expect(rulesOf(rehearsal)).toEqual(['rehearsal-controller-stuck']);
  });
});
