import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import {
  albAnnotations,
  albScript,
  objectsOf,
  ourScript,
  SCRIPT_OF_DOCUMENT_000,
  type StackOptions,
} from '../rehearsal/stack';
import { cli, folderWith } from './fixture';

const PC = [
  { replicas: '20%', matches: [{ headers: [{ type: 'Exact', name: 'user-agent', value: 'pc' }] }] },
  { traffic: '20%', replicas: '20%' },
];
const yaml = (options: StackOptions) =>
  objectsOf({ steps: PC, ...options })
    .map((object) => stringify(object))
    .join('---\n');
const good = yaml({ scripts: albScript(ourScript('trafficrouting_ingress/aws-alb.lua')) });
const bad = yaml({ scripts: albScript(SCRIPT_OF_DOCUMENT_000), annotations: albAnnotations('web') });

describe('rehearse', () => {
  it('says why requests go back to the old version at the end, where they do', async () => {
    const steps = [
      { traffic: '20%', replicas: '20%' },
      { traffic: '100%', replicas: '100%' },
    ];
    const nginx = { annotations: {}, ingressClassName: 'nginx', port: { number: 80 } };
    const stack = yaml({ ...nginx, steps, route: { ingress: { name: 'web', classType: 'nginx' } } });
    const why =
      'at the end the routes go before the old pods do: until the workload has replaced these, both versions answer';
    const { stdout } = await cli(['rehearse', '-'], { stdin: stack });
    expect(stdout).toMatch(/end: routes restored +██▌·· 50%/);
    expect(stdout).toContain(`  ${why}\n`);
    for (const format of ['markdown', 'html'])
      expect((await cli(['rehearse', '-', '--format', format], { stdin: stack })).stdout).toMatch(
        /the end the routes go/i,
      );
    // Nothing goes back where no step has all requests.
    expect((await cli(['rehearse', '-'], { stdin: good })).stdout).not.toContain(why);
  });

  it('shows a table of moments and requests, and ends with 0 when all goes as declared', async () => {
    const { code, stdout, stderr } = await cli(['rehearse', 'web.yaml'], { cwd: folderWith({ 'web.yaml': good }) });

    expect(stderr).toBe('');
    expect(stdout).toContain('✓ Rollout shop/web: 2 steps, 8 requests on aws-alb "shop"');
    expect(stdout).toMatch(/steps\[0\]: user-agent: pc +····· 0% +█████ 100%/);
    expect(stdout).toMatch(/steps\[1\]: 20% +█···· 20%/);
    expect(stdout).toContain('B  user-agent: pc: GET http://shop.example.com/ -H "user-agent: pc"');
    expect(stdout).toContain('2 notes');
    expect(code).toBe(0);
  });

  it('names the line of the Rollout and of the rule that took the request, and ends with 1', async () => {
    const { code, stdout } = await cli(['rehearse', '-'], { stdin: bad });

    expect(stdout).toContain('✗ Rollout shop/web');
    expect(stdout).toContain(
      'error[rehearsal-canary-gets-nothing]: at steps[0] none of the requests reaches the canary, not 100%',
    );
    expect(stdout).toMatch(/--> <stdin>:\d+:\d+/);
    expect(stdout).toContain('note: rule 1 of HTTP:80: host is "shop.example.com" and path is "/*"');
    expect(stdout).toContain('error[rehearsal-second-load-balancer]');
    expect(code).toBe(1);
  });

  it('is never good without a request, says why, and fails where a rehearsal is required', async () => {
    const other = good.replace('ingressClassName: alb', 'ingressClassName: of-another-vendor');
    const { code, stdout, stderr } = await cli(['rehearse', '-'], { stdin: other });
    const { stdout: json } = await cli(['rehearse', '-', '--format', 'json'], { stdin: other });

    expect(stdout).toContain('? Rollout shop/web: ');
    expect(stdout).not.toContain('✓');
    expect(stderr).toContain('no request was sent, so nothing was rehearsed');
    expect(stdout).toContain(
      'warning[rehearsal-incomplete]: no load balancer that can be rehearsed serves Ingress "web", so no request reaches Service "web"',
    );
    expect(JSON.parse(json).ok).toBe(false);
    expect(code).toBe(0);
    expect((await cli(['rehearse', '-', '--require-rehearsal'], { stdin: other })).code).toBe(1);
  });

  it('names the Service that answers nothing before the release', async () => {
    const { code, stdout } = await cli(['rehearse', '-', '--require-rehearsal'], {
      stdin: good.replace(/(kind: Service\n[\s\S]*?selector:\s+(?:\{ )?app: )web/, '$1shop'),
    });

    expect(stdout).toContain(
      'warning[rehearsal-incomplete]: no request reaches the application before the release, so only the controller was rehearsed: ' +
        'aws-alb "shop" answers requests for Ingress "web" with 100% to an error, as Service shop/web selects no pod',
    );
    expect(code).toBe(1);
  });

  it('ends well where there is nothing to rehearse, unless a rehearsal is required', async () => {
    const stdin = 'apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n';
    const { code, stderr } = await cli(['rehearse', '-'], { stdin });

    expect(stderr).toContain('so there is nothing to rehearse');
    expect(code).toBe(0);
    expect((await cli(['rehearse', '-', '--require-rehearsal'], { stdin })).code).toBe(1);
    expect((await cli(['rehearse', '-', '--rollout', 'web'], { stdin })).code).toBe(2);
  });

  it('sends the requests that it is given', async () => {
    const probe = `GET http://shop.example.com/cart?x=1 -H 'user-agent: pc'`;
    const { stdout } = await cli(['rehearse', '-', '--probe', probe, '--format', 'json'], { stdin: good });
    const { rehearsals } = JSON.parse(stdout);
    const column = rehearsals[0].requests.findIndex((request: { class: string }) => request.class === 'probe');

    expect(rehearsals[0].requests[column].text).toBe('GET http://shop.example.com/cart?x=1 -H "user-agent: pc"');
    expect(
      rehearsals[0].moments.find(({ title }: { title: string }) => title.startsWith('steps[0]: user')),
    ).toMatchObject({
      cells: expect.arrayContaining([expect.objectContaining({ expectedCanary: 1, verdict: 'good' })]),
    });
  });

  it('shows one step only', async () => {
    const { stdout } = await cli(['rehearse', '-', '--step', '1', '--format', 'json'], { stdin: bad });
    const [{ moments }] = JSON.parse(stdout).rehearsals;

    expect(moments.map(({ title }: { title: string }) => title)).toEqual(['before', 'steps[1]: 20%']);
  });

  it('behaves as the releases that it is given', async () => {
    const regex = [
      { replicas: '20%', matches: [{ headers: [{ type: 'RegularExpression', name: 'x-user', value: 'a+' }] }] },
    ];
    const stdin = yaml({ steps: regex, scripts: albScript(ourScript('trafficrouting_ingress/aws-alb.lua')) });

    expect((await cli(['rehearse', '-'], { stdin })).code).toBe(0);
    expect(
      (await cli(['rehearse', '-', '--aws-load-balancer-controller-version', '2.13.4'], { stdin })).stdout,
    ).toContain('rehearsal-group-freezes');
  });

  it('accepts what the stack accepts', async () => {
    const stdin = bad.replace(
      'kind: Rollout\nmetadata:\n',
      'kind: Rollout\nmetadata:\n  annotations:\n    rollout-constructs.io/ignore: |\n' +
        '      rehearsal-canary-gets-nothing: a drill\n      rehearsal-second-load-balancer: a drill\n',
    );
    const { code, stdout } = await cli(['rehearse', '-'], { stdin });

    expect(stdout).toContain('(2 suppressed)');
    expect(code).toBe(0);
  });

  it('writes Markdown and HTML, and a file', async () => {
    const cwd = folderWith({ 'web.yaml': bad });
    const markdown = await cli(['rehearse', 'web.yaml', '--format', 'markdown'], { cwd });
    const html = await cli(['rehearse', 'web.yaml', '--format', 'html'], { cwd });

    expect(markdown.stdout).toContain('| | A | B |');
    expect(html.stdout).toMatch(/^<!doctype html>/i);
  });

  it.each([
    [['rehearse'], 'rehearse needs manifests'],
    [['rehearse', '-', '--format', 'htm'], 'did you mean "html"?'],
    [['rehearse', '-', '--step', 'one'], '--step is "one"'],
    [['rehearse', '-', '--probe', 'GET'], 'has no URL'],
    [['rehearse', '-', '--probe', 'GET http://a -X 1'], '"-X" in the request'],
    [['rehearse', '-', '--aws-load-balancer-controller-version', 'new'], '--aws-load-balancer-controller-version'],
    [['rehearse', '-'], 'nothing to rehearse'],
    [['rehearse', 'none.yaml'], 'nothing to rehearse'],
  ])('%j ends with 2 and says what to do', async (args, message) => {
    const { code, stderr } = await cli(args, { cwd: folderWith({}), stdin: '' });

    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});
