/** Canaries of Argo Rollouts that go as declared, and what each mistake in their manifests does to requests. */
import { describe, expect, it } from 'vitest';
import type { Rehearsal } from '../../../src/core/rehearsal-result';
import { rulesOf, sharesOf } from '../stack';
import { canary, HEADER, ingress, PING_PONG, path, rehearseAll, rehearseYaml, service } from './stack';

function findingOf(rehearsal: Rehearsal, rule: string) {
  const found = rehearsal.findings.filter((finding) => finding.rule === rule);
  expect(found.length, `${rule} in ${rulesOf(rehearsal)}`).toBe(1);
  return found[0]!;
}

describe('a canary by weights', () => {
  const rehearsal = rehearseYaml(canary());

  it('is clean', () => {
    expect(rulesOf(rehearsal)).toEqual([]);
    expect(rehearsal).toMatchObject({
      style: 'argo-canary',
      stableService: 'web-stable',
      canaryService: 'web-canary',
      loadBalancers: [{ router: 'aws-alb', name: 'shop/web', port: 80, protocol: 'HTTP' }],
    });
  });

  it('gives the canary its weight at every step, all at the end and nothing after an abort', () => {
    expect(Object.entries(sharesOf(rehearsal)).map(([title, { any }]) => [title, any])).toEqual([
      ['before', 0],
      ['steps[0]: no pod of the new version is ready', 0],
      ['steps[0]: setWeight: 20%', 20],
      ['steps[1]: pause: 20%', 20],
      ['steps[2]: setWeight: 60%', 60],
      ['end: all steps are done', 100],
      ['end: the new version is stable', 100],
      ['end: the old pods are gone', 100],
      ['rollback: aborted, and the steps begin again', 0],
      ['rollback: Service web-canary goes to the new pods and back at each reconcile', 0],
      ['rollback: the new pods are gone', 0],
    ]);
  });

  it('tells what the controller wrote, in its order', () => {
    const first = rehearsal.moments.find(({ title }) => title === 'steps[0]: setWeight: 20%')!;
    expect(first.changes.map(({ object, action }) => [object.kind, object.name, action])).toEqual([
      ['Service', 'web-canary', 'changed'],
      ['Ingress', 'web', 'changed'],
    ]);
    expect(first.changes[1]!.after).toMatchObject({
      metadata: {
        annotations: {
          'alb.ingress.kubernetes.io/actions.web-stable':
            '{"Type":"forward","ForwardConfig":{"TargetGroups":[{"ServiceName":"web-canary","ServicePort":"80","Weight":20},{"ServiceName":"web-stable","ServicePort":"80","Weight":80}]}}',
        },
      },
    });
  });

  it('notes that target groups change with the first weight and at the end', () => {
    const notes = rehearsal.findings.filter(({ rule }) => rule === 'rehearsal-target-group-empty');
    expect(notes.map(({ severity, step, message }) => [severity, step, message.match(/Service (\S+)/)![1]])).toEqual([
      ['note', undefined, 'web-stable'],
      ['note', 0, 'web-canary'],
    ]);
  });

  it('notes that the canary Service does not rest after an abort, unless the new pods go with it', () => {
    expect(findingOf(rehearsal, 'rehearsal-abort-flaps').message).toBe(
      'after an abort, Argo moves Service web-canary to the new pods and back at each reconcile, for 30 seconds',
    );
    for (const strategy of ['abortScaleDownDelaySeconds: 0', 'dynamicStableScale: true']) {
      const rests = rehearseYaml(canary({ strategy }));
      expect(rests.findings.map(({ rule }) => rule)).not.toContain('rehearsal-abort-flaps');
      expect(rests.moments.at(-1)!.title).toBe('rollback: the new pods are gone');
    }
  });
});

describe('a canary by a header', () => {
  const rehearsal = rehearseYaml(canary(HEADER));

  it('is clean', () => {
    expect(rulesOf(rehearsal)).toEqual([]);
  });

  it('sends the header to the canary from its step until it is removed, and near values with the rest', () => {
    const columns = ['any', 'x-beta: tester', 'x-beta: testerx'];
    const shares = sharesOf(rehearsal);
    expect(Object.entries(shares).map(([title, row]) => [title, ...columns.map((column) => row[column])])).toEqual([
      ['before', 0, 0, 0],
      ['steps[0]: no pod of the new version is ready', 0, 0, 0],
      ['steps[0]: setCanaryScale: 0%', 0, 0, 0],
      ['steps[1]: setHeaderRoute: 0%, all of x-beta: tester', 0, 100, 0],
      ['steps[2]: pause: 0%, all of x-beta: tester', 0, 100, 0],
      ['steps[3]: setWeight: 20%, all of x-beta: tester', 20, 100, 20],
      ['steps[4]: setCanaryScale: 20%, all of x-beta: tester', 20, 100, 20],
      ['steps[5]: setHeaderRoute: 20%', 20, 20, 20],
      ['steps[6]: setWeight: 50%', 50, 50, 50],
      ['end: all steps are done', 100, 100, 100],
      ['end: the new version is stable', 100, 100, 100],
      ['end: the old pods are gone', 100, 100, 100],
      ['rollback: aborted, and the steps begin again', 0, 0, 0],
      ['rollback: Service web-canary goes to the new pods and back at each reconcile', 0, 0, 0],
      ['rollback: the new pods are gone', 0, 0, 0],
    ]);
  });

  it('never matches behind a path that the load balancer puts first', () => {
    const wrong = rehearseYaml(
      canary({ ...HEADER, ingress: ingress({ 'shop.example.com': [path('web-stable', '/', 'Prefix')] }) }),
    );

    expect(findingOf(wrong, 'rehearsal-canary-gets-nothing')).toMatchObject({
      severity: 'error',
      step: 1,
      request: 'GET http://shop.example.com/ -H "x-beta: tester"',
      fix: expect.stringContaining('pathType: ImplementationSpecific'),
      because: expect.stringContaining('Exact and Prefix paths before it'),
      related: { object: { kind: 'Ingress', name: 'web' }, source: { file: 'stack.yaml' } },
    });
    expect(sharesOf(wrong)['steps[3]: setWeight: 20%, all of x-beta: tester']).toMatchObject({ 'x-beta: tester': 20 });
  });

  it('leaks into other hosts of the Ingress', () => {
    const hosts = {
      'blog.example.com': [path('blog', '/*', 'ImplementationSpecific', '{ number: 80 }')],
      'shop.example.com': [path('web-stable')],
    };
    const more = [service('web-stable'), service('web-canary'), service('blog')];
    const wrong = rehearseYaml(canary({ ...HEADER, ingress: ingress(hosts), more }));

    expect(rulesOf(wrong)).toEqual(['rehearsal-path-shadowed']);
    expect(findingOf(wrong, 'rehearsal-path-shadowed')).toMatchObject({
      request: 'GET http://blog.example.com/any -H "x-beta: tester"',
      message: expect.stringContaining('100% to shop/web-canary instead of 100% to shop/blog'),
      because: expect.stringContaining('Argo inserts the path /* of a header route at the start of every rule'),
    });
    const own = [ingress(), ingress({ 'blog.example.com': hosts['blog.example.com'] }, { name: 'blog' }), ...more];
    expect(rulesOf(rehearseYaml(canary({ ...HEADER, ingress: own[0]!, more: own.slice(1) })))).toEqual([]);
  });

  it('takes a star for a wildcard', () => {
    const wrong = rehearseYaml(canary({ ...HEADER, steps: HEADER.steps.replace('exact: tester', 'exact: "test*"') }));

    expect(rulesOf(wrong)).toEqual(['rehearsal-match-widened']);
    expect(findingOf(wrong, 'rehearsal-match-widened').message).toContain('x-beta: test*x');
  });

  it('finds a cookie only when it is alone', () => {
    const steps = HEADER.steps
      .replace('headerName: x-beta', 'headerName: cookie')
      .replace('exact: tester', 'exact: beta=yes');
    const wrong = rehearseYaml(canary({ ...HEADER, steps }));

    expect(rulesOf(wrong)).toEqual(['rehearsal-cookie-alone']);
    expect(findingOf(wrong, 'rehearsal-cookie-alone')).toMatchObject({
      severity: 'warning',
      because: expect.stringContaining('a header route of Argo'),
    });
  });

  it('needs all names of a route, and of each name any value', () => {
    const match =
      '[{ headerName: x-beta, headerValue: { exact: a } }, { headerName: x-beta, headerValue: { exact: b } }, { headerName: x-region, headerValue: { exact: eu } }]';
    const steps = HEADER.steps.replace('[{ headerName: x-beta, headerValue: { exact: tester } }]', match);
    const row = sharesOf(rehearseYaml(canary({ ...HEADER, steps })))[
      'steps[2]: pause: 0%, all of x-beta: a, x-region: eu or x-beta: b, x-region: eu'
    ];

    expect(row).toMatchObject({
      'x-beta: a, x-region: eu': 100,
      'x-beta: b, x-region: eu': 100,
      'x-beta: a, x-region: eu, no x-region': 0,
      'x-beta: a, x-region: eu, no x-beta': 0,
    });
  });

  it('is followed with more values than requests are made for', () => {
    const entries = ['x-a', 'x-b', 'x-c'].flatMap((name) =>
      ['1', '2', '3'].map((value) => `{ headerName: ${name}, headerValue: { exact: "${value}" } }`),
    );
    const steps = HEADER.steps.replace(
      '[{ headerName: x-beta, headerValue: { exact: tester } }]',
      `[${entries.join(', ')}]`,
    );
    const probe = { host: 'shop.example.com', path: '/', headers: { 'x-a': '3', 'x-b': '3', 'x-c': '3' } };
    const rehearsal = rehearseYaml(canary({ ...HEADER, steps }), { probes: [probe] });

    expect(rulesOf(rehearsal)).toEqual([]);
    expect(Object.entries(sharesOf(rehearsal)).find(([title]) => title.startsWith('steps[1]'))?.[1].probe).toBe(100);
  });

  it('is lost when it comes before the pods, and when a step takes them away', () => {
    const [scale, ...rest] = HEADER.steps.trim().split('\n');
    const early = rehearseYaml(
      canary({
        ...HEADER,
        steps: `\n${[...rest.slice(0, 1), scale, ...rest.slice(1)].map((line) => `        ${line!.trim()}`).join('\n')}`,
      }),
    );
    const gone = rehearseYaml(
      canary({ ...HEADER, steps: HEADER.steps.replace('pause: {}', 'setCanaryScale: { matchTrafficWeight: true }') }),
    );

    expect(findingOf(early, 'rehearsal-canary-gets-nothing')).toMatchObject({
      step: 0,
      fix: expect.stringContaining('scale the canary up in an earlier step'),
    });
    expect(findingOf(gone, 'rehearsal-canary-gets-nothing')).toMatchObject({ step: 2 });
    expect(findingOf(gone, 'rehearsal-match-ignored').because).toContain('removes it whenever the canary has no pods');
  });

  it('answers errors before the pods are there where ping and pong are moved first', () => {
    const steps = HEADER.steps.replace(/- setCanaryScale: \{ replicas: 1 \}\s+/, '');
    const wrong = rehearseYaml(canary({ ...PING_PONG, ...HEADER, steps }));

    expect(findingOf(wrong, 'rehearsal-requests-fail')).toMatchObject({
      step: 0,
      message: expect.stringContaining('Service shop/web-pong selects no pod'),
      fix: expect.stringContaining('scale the canary up in an earlier step'),
    });
    expect(rulesOf(rehearseYaml(canary({ ...PING_PONG, ...HEADER })))).toEqual([]);
  });
});

describe('ping and pong', () => {
  it('change places', () => {
    const rehearsal = rehearseYaml(canary(PING_PONG));

    expect(rulesOf(rehearsal)).toEqual([]);
    expect([rehearsal.stableService, rehearsal.canaryService]).toEqual(['web-ping', 'web-pong']);
    expect(rehearsal.moments.at(-4)).toMatchObject({
      title: 'end: the new version is stable',
      cells: [
        {
          shares: { canary: 1 },
          answer: {
            destinations: [
              { name: 'shop/web-ping', share: 0 },
              { name: 'shop/web-pong', share: 1 },
            ],
          },
        },
        {},
      ],
    });
  });

  it('leave their weights behind when the Rollout is deleted, which is worth a note', () => {
    const note = findingOf(rehearseYaml(canary(PING_PONG)), 'rehearsal-weights-stay');

    expect(note).toMatchObject({ severity: 'note', step: 0, message: expect.stringContaining('20% of the requests') });
    expect(rehearseYaml(canary()).findings.map(({ rule }) => rule)).not.toContain('rehearsal-weights-stay');
  });
});

describe('the Ingress of a canary', () => {
  it('gives the canary nothing without use-annotation', () => {
    const wrong = rehearseYaml(
      canary({
        ingress: ingress({
          'shop.example.com': [path('web-stable', '/*', 'ImplementationSpecific', '{ number: 80 }')],
        }),
      }),
    );

    expect(rulesOf(wrong)).toEqual(['rehearsal-canary-gets-nothing']);
    expect(findingOf(wrong, 'rehearsal-canary-gets-nothing')).toMatchObject({
      step: 0,
      fix: 'give the backend at spec.rules[0].http.paths[0] of Ingress "web" the port name use-annotation',
    });
  });

  it('answers 503 to everybody with another annotation prefix', () => {
    const wrong = rehearseYaml(canary({ alb: '{ ingress: web, servicePort: 80, annotationPrefix: alb.example.com }' }));

    expect(rulesOf(wrong)).toEqual(['rehearsal-requests-fail']);
    expect(findingOf(wrong, 'rehearsal-requests-fail')).toMatchObject({
      severity: 'error',
      request: 'GET http://shop.example.com/any',
      message: expect.stringContaining('503 "Backend action does not exist"'),
      fix: expect.stringContaining('remove annotationPrefix'),
    });
  });

  it('makes Argo fail forever without annotations', () => {
    const wrong = rehearseYaml(canary({ ...HEADER, ingress: ingress(undefined, { annotations: '{}' }) }));

    expect(rulesOf(wrong)).toEqual(['rehearsal-controller-stuck']);
    expect(wrong.stopped).toMatchObject({ class: 'panic' });
    expect(findingOf(wrong, 'rehearsal-controller-stuck')).toMatchObject({
      message: expect.stringContaining('Ingress "web" (metadata.annotations)'),
      because: expect.stringContaining('Argo retries forever'),
    });
  });

  it('is worth a note where the manifests do not hold it, and a warning where another controller serves it', () => {
    const without = rehearseYaml(canary({ alb: '{ ingress: elsewhere, servicePort: 80 }' }));
    const other = rehearseYaml(canary({ ingress: ingress(undefined, { className: 'nginx' }) }));

    expect(rulesOf(without)).toEqual([]);
    expect(findingOf(without, 'rehearsal-incomplete').message).toContain(
      'Ingress "elsewhere" is not in these manifests',
    );
    expect(rulesOf(other)).toEqual(['rehearsal-incomplete']);
    expect(findingOf(other, 'rehearsal-incomplete').message).toMatch(
      /serves Ingress "web", so no request reaches Service "web-stable"/,
    );
  });

  it('freezes with the first experiment whose Service has another port', () => {
    const steps =
      '[{ setWeight: 10 }, { experiment: { templates: [{ name: a, specRef: canary, weight: 10 }, { name: b, specRef: stable, weight: 10 }] } }]';
    const wrong = rehearseYaml(canary({ steps }));
    const alb = '{ ingress: web, servicePort: 8080 }';
    const good = rehearseYaml(canary({ steps, alb, more: [service('web-stable', 8080), service('web-canary', 8080)] }));

    expect(findingOf(wrong, 'rehearsal-group-freezes')).toMatchObject({
      step: 1,
      message: expect.stringContaining('unable to find port 80 on service shop/web-1-a'),
    });
    expect(rulesOf(good)).toEqual([]);
    expect(sharesOf(good)['steps[1]: experiment: 20%']).toMatchObject({ any: 20 });
  });

  it('may be one of several, and each is followed', () => {
    const second = ingress({ 'inner.example.com': [path('web-stable')] }, { name: 'inner' });
    const more = [service('web-stable'), service('web-canary'), second];
    const both = rehearseYaml(canary({ ...HEADER, alb: '{ ingresses: [web, inner], servicePort: 80 }', more }));
    const one = rehearseYaml(
      canary({ more: [...more.slice(0, 2), second.replace('{ name: use-annotation }', '{ number: 80 }')] }),
    );

    expect(both.loadBalancers.map(({ name }) => name)).toEqual(['shop/inner', 'shop/web']);
    expect(rulesOf(both)).toEqual([]);
    expect(rulesOf(one)).toEqual(['rehearsal-ingress-unmanaged']);
    expect(findingOf(one, 'rehearsal-ingress-unmanaged')).toMatchObject({
      severity: 'warning',
      message: expect.stringContaining('Ingress "inner"'),
    });
  });

  it('may have a host for the canary alone, of which nothing is expected', () => {
    const hosts = {
      'shop.example.com': [path('web-stable')],
      'canary.example.com': [path('web-canary', '/*', 'ImplementationSpecific', '{ number: 80 }')],
    };
    const rehearsal = rehearseYaml(canary({ ingress: ingress(hosts) }));

    expect(rulesOf(rehearsal)).toEqual([]);
    const shares = sharesOf(rehearsal);
    expect(shares['steps[0]: setWeight: 20%']).toMatchObject({ any: 20, 'canary.example.com': 100 });
    expect(shares['rollback: aborted, and the steps begin again']).toMatchObject({ 'canary.example.com': 0 });
    expect(shares['rollback: the new pods are gone']).toMatchObject({ 'canary.example.com': 0 });
    expect(rehearsal.moments.at(-1)!.cells.map((cell) => cell.shares.failed)).not.toContain(1);
  });
});

describe('several canaries', () => {
  const GROUP = '{ alb.ingress.kubernetes.io/target-type: ip, alb.ingress.kubernetes.io/group.name: shop }';
  const grouped = (name: string) => {
    const own = ingress({ [`${name}.example.com`]: [path('web-stable')] }, { annotations: GROUP });
    return canary({ ...HEADER, ingress: own }).replaceAll('web', name);
  };

  it('share a load balancer without getting in the way of each other', () => {
    const both = rehearseAll([grouped('web'), grouped('blog')].join('---\n'));

    expect(both.map(({ rollout }) => rollout.name)).toEqual(['blog', 'web']);
    for (const rehearsal of both) {
      expect(rehearsal.loadBalancers).toMatchObject([{ name: 'shop' }]);
      expect(rulesOf(rehearsal)).toEqual([]);
    }
    const column = both[1]!.requests.findIndex(({ label }) => label === 'blog.example.com');
    expect(both[1]!.moments[0]!.cells[column]!.answer).toMatchObject({
      destinations: [
        { name: 'shop/blog-canary', share: 0 },
        { name: 'shop/blog-stable', share: 1 },
      ],
    });
  });

  it('leak into each other when they share an Ingress', () => {
    const hosts = { 'web.example.com': [path('web-stable')], 'blog.example.com': [path('blog-stable')] };
    const [, , ...more] = canary().replaceAll('web', 'blog').split('---\n');
    const [rollout] = canary().replaceAll('web', 'blog').replace('ingress: blog', 'ingress: web').split('---\n');
    const text = canary({
      ...HEADER,
      ingress: ingress(hosts),
      more: [service('web-stable'), service('web-canary'), rollout!, ...more],
    });
    const [blog, web] = rehearseAll(text);

    expect(rulesOf(blog!)).toEqual([]);
    expect(rulesOf(web!)).toEqual(['rehearsal-path-shadowed']);
    expect(findingOf(web!, 'rehearsal-path-shadowed').message).toContain(
      '100% to shop/web-canary instead of 100% to shop/blog-stable',
    );
  });
});

describe('the steps of a canary', () => {
  it('may not go backwards', () => {
    expect(rulesOf(rehearseYaml(canary({ steps: '[{ setWeight: 50 }, { setWeight: 20 }]' })))).toEqual([
      'rehearsal-weight-backwards',
    ]);
  });

  it('give nothing to a canary without pods', () => {
    const wrong = rehearseYaml(canary({ steps: '[{ setCanaryScale: { replicas: 0 } }, { setWeight: 20 }]' }));

    expect(rulesOf(wrong)).toEqual(['rehearsal-canary-gets-nothing']);
    expect(findingOf(wrong, 'rehearsal-canary-gets-nothing')).toMatchObject({
      step: 1,
      because: expect.stringContaining('no pods'),
    });
  });

  it('may be none, and then all follows at once', () => {
    const rehearsal = rehearseYaml(canary({ steps: '[]' }));

    expect(rulesOf(rehearsal)).toEqual([]);
    expect(Object.values(sharesOf(rehearsal)).map(({ any }) => any)).toEqual([0, 0, 0, 100, 100]);
  });

  it('keep the stable pods small with dynamicStableScale, and all is well', () => {
    expect(rulesOf(rehearseYaml(canary({ strategy: 'dynamicStableScale: true' })))).toEqual([]);
  });

  it('keep clients with their version, with stickiness', () => {
    const alb = '{ ingress: web, servicePort: 80, stickinessConfig: { enabled: true, durationSeconds: 600 } }';
    const rehearsal = rehearseYaml(canary({ alb }));

    expect(rulesOf(rehearsal)).toEqual([]);
    expect(rehearsal.moments[2]!.cells[0]!.answer).toMatchObject({ sticky: true });
  });
});

describe('pods of another workload', () => {
  const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: 0
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: example.com/web, ports: [{ containerPort: 8080 }] }] }
`;
  const ofWorkload = (text: string) =>
    text.replace(
      /\n {2}selector:[\s\S]*?containerPort: 8080 \}\] \}\]/,
      '\n  workloadRef: { apiVersion: apps/v1, kind: Deployment, name: web }',
    );

  it('are found through workloadRef, and not needed', () => {
    for (const text of [`${ofWorkload(canary())}---\n${deployment}`, ofWorkload(canary())]) {
      const rehearsal = rehearseYaml(text);
      expect(rulesOf(rehearsal)).toEqual([]);
      expect(sharesOf(rehearsal)['steps[0]: setWeight: 20%']).toMatchObject({ any: 20 });
    }
  });
});

describe('other Rollouts of Argo', () => {
  const smi = canary({ alb: '{ ingress: web, servicePort: 80 }' }).replace(
    'alb: { ingress: web, servicePort: 80 }',
    'smi: {}',
  );

  it('get one note where their traffic router is another one', () => {
    const rehearsal = rehearseYaml(smi);

    expect(rehearsal.findings.map(({ rule, severity, message }) => [rule, severity, message])).toEqual([
      ['rehearsal-incomplete', 'note', expect.stringContaining('not rehearsed: trafficRouting.smi')],
    ]);
    expect(rehearsal.requests).toEqual([]);
  });

  it('are passed over where no Service selects their pods', () => {
    const text = canary({ services: '', more: [] }).replace(/ {6}trafficRouting:[\s\S]*? {6}steps:/, '      steps:');
    expect(rehearseAll(text)).toEqual([]);
  });

  it('can be chosen', () => {
    expect(rehearseAll(canary(), { only: ({ name }) => name === 'other' })).toEqual([]);
    expect(rehearseAll(canary(), { only: ({ name }) => name === 'web' }).length).toBe(1);
  });
});
