import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, folderWith, start } from './fixture';

const service = (port = 80) => `apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec:
  type: NodePort
  selector: {app: web}
  ports: [{port: ${port}, targetPort: 8080}]
`;

const ingress = (order: string) => `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: web
  namespace: shop
  annotations:
    alb.ingress.kubernetes.io/group.name: shop
    alb.ingress.kubernetes.io/group.order: "${order}"
spec:
  ingressClassName: alb
  rules:
    - host: shop.example.com
      http:
        paths:
          - {path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}
`;

const GOOD = { 'deploy/service.yaml': service(), 'deploy/ingress.yaml': ingress('10') };
const BAD = { ...GOOD, 'deploy/ingress.yaml': ingress('2000') };
const BUDGET =
  'apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: web}\nspec: {maxUnavailable: 1}\n';

const check = (cwd: string, ...args: string[]) => cli(['check', '--no-color', ...args], { cwd });

describe('check', () => {
  it('ends with 0 and says what it checked for', async () => {
    const { code, stdout, stderr } = await check(folderWith(GOOD), 'deploy');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^no findings\n2 objects checked for Kruise Rollouts 0\.6\.2, Argo Rollouts \d.*, AWS Load Balancer Controller \d.*, Istio unknown, Kubernetes 1\.34\nassumed AWS Load Balancer Controller v\d.* \(no install in the stack; state awsLoadBalancerControllerVersion\)\n$/,
    );
  });

  it('ends with 1 and shows the line', async () => {
    const { code, stdout } = await check(folderWith(BAD), 'deploy');
    expect(code).toBe(1);
    expect(stdout).toContain('deploy/ingress.yaml:8:44');
    expect(stdout).toContain('8 |     alb.ingress.kubernetes.io/group.order: "2000"');
  });

  it('reads what another tool writes, as a process', async () => {
    const { child, ended } = start(['check', '-', '--format', 'json']);
    child.stdin.end(`${service()}---\n${ingress('2000')}`);
    const { code, stdout } = await ended;
    const report = JSON.parse(stdout);
    expect(code).toBe(1);
    expect(report.objects).toBe(2);
    expect(report.findings[0]).toMatchObject({ severity: 'error', source: { file: '<stdin>' } });
  });

  it.each(['json', 'sarif', 'junit', 'github', 'markdown'])(
    'writes %s into a file, and what people read to stdout',
    async (format) => {
      const cwd = folderWith(BAD);
      const direct = await check(cwd, 'deploy', '--format', format);
      const { code, stdout } = await check(cwd, 'deploy', '--format', format, '--output', 'report');
      expect(code).toBe(1);
      expect(readFileSync(join(cwd, 'report'), 'utf8')).toBe(direct.stdout);
      expect(stdout).toContain('error[');
    },
  );

  it('is the same however the files are named and ordered', async () => {
    const cwd = folderWith(BAD);
    const one = await check(cwd, 'deploy/service.yaml', 'deploy/ingress.yaml', '--format', 'json');
    const other = await check(cwd, 'deploy/ingress.yaml', 'deploy/service.yaml', '--format', 'json');
    expect(one.stdout).toBe(other.stdout);
  });

  it.each([
    ['nothing to read', [], 'check needs manifests'],
    ['an unknown option', ['deploy', '--formt', 'json'], 'did you mean --format?'],
    ['an unknown format', ['deploy', '--format', 'jsn'], '--format is "jsn"; did you mean "json"?'],
    [
      'an unknown rule',
      ['deploy', '--rule', 'alb-group-ordr'],
      '--rule: there is no rule "alb-group-ordr"; did you mean "alb-group-order"?',
    ],
    ['an unknown release', ['deploy', '--kruise-version', '0.9'], '--kruise-version is "0.9"'],
    [
      'a release that is none',
      ['deploy', '--aws-load-balancer-controller-version', 'two'],
      '--aws-load-balancer-controller-version: ',
    ],
    ['a release of Istio that is none', ['deploy', '--istio-version', 'x'], '--istio-version: '],
    ['a number that is none', ['deploy', '--max-warnings', '-1x'], '--max-warnings'],
    ['a probe that is none', ['deploy', '--probe', 'FETCH'], '--probe: '],
    ['no baseline to update', ['deploy', '--update-baseline'], '--update-baseline needs'],
    ['a baseline that is not there', ['deploy', '--baseline', 'b.json'], 'there is no baseline "b.json"'],
    [
      'a folder for the report that is not there',
      ['deploy', '--output', 'no/report'],
      '--output: cannot write "no/report"',
    ],
  ])('ends with 2 and one message: %s', async (_, args, message) => {
    const { code, stderr } = await check(folderWith(GOOD), ...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr.split('\n').length).toBeLessThan(4);
  });

  it('ends with 2 when something could not be read, and still tells the rest', async () => {
    const cwd = folderWith({ ...BAD, 'deploy/broken.yaml': 'apiVersion: v1\nkind: Service\nmetadata: [\n' });
    const { code, stdout } = await check(cwd, 'deploy', 'none.yaml');
    expect(code).toBe(2);
    for (const rule of ['yaml-invalid', 'file-unreadable', 'alb-group-order']) expect(stdout).toContain(`[${rule}]`);
  });

  it('ends with 2 when there is nothing to check', async () => {
    expect((await check(folderWith({ 'deploy/a.yaml': '# nothing\n' }), 'deploy')).code).toBe(2);
  });

  it('looks at the rules that it is told', async () => {
    const cwd = folderWith({ ...BAD, 'deploy/budget.yaml': BUDGET });
    const found = async (...args: string[]) => {
      const { stdout } = await check(cwd, 'deploy', '--format', 'json', ...args);
      return JSON.parse(stdout).findings.map(({ rule }: { rule: string }) => rule);
    };
    expect(await found()).toEqual(expect.arrayContaining(['alb-group-order', 'kubernetes-api-removed']));
    expect(await found('--rule', 'alb-group-order')).toEqual(['alb-group-order']);
    expect(await found('--ignore', 'alb-group-order')).not.toContain('alb-group-order');
    expect(await found('--kubernetes-version', '1.24')).not.toContain('kubernetes-api-removed');
    expect(await found('--kubernetes-version', '1.25')).toContain('kubernetes-api-removed');
  });

  it('lets as many warnings through as it is told', async () => {
    const cwd = folderWith({ 'a.yaml': `${service()}---\n${service()}` });
    expect((await check(cwd, 'a.yaml')).stdout).toContain('warning[manifest-duplicate]');
    expect((await check(cwd, 'a.yaml')).code).toBe(0);
    expect((await check(cwd, 'a.yaml', '--max-warnings', '1')).code).toBe(0);
    expect((await check(cwd, 'a.yaml', '--max-warnings', '0')).code).toBe(1);
  });
});

describe('a baseline', () => {
  it('leaves out what was there, wherever its lines have moved, and tells what is new and what is gone', async () => {
    const cwd = folderWith(BAD);
    const written = await check(cwd, 'deploy', '--baseline', 'known.json', '--update-baseline');
    expect(written.code).toBe(0);
    expect(written.stderr).toMatch(/^\d+ findings? (?:is|are) in "known\.json" now\n$/);

    writeFileSync(join(cwd, 'deploy/ingress.yaml'), `# moved\n\n${ingress('2000')}`);
    const same = await check(cwd, 'deploy', '--baseline', 'known.json');
    expect(same).toMatchObject({ code: 0, stderr: expect.stringContaining('and hidden') });
    expect(same.stdout).toContain('no findings');

    writeFileSync(join(cwd, 'deploy/budget.yaml'), BUDGET);
    const more = await check(cwd, 'deploy', '--baseline', 'known.json');
    expect(more.code).toBe(1);
    expect(more.stdout).toContain('1 error');

    writeFileSync(join(cwd, 'deploy/ingress.yaml'), ingress('10'));
    const less = await check(cwd, 'deploy', '--baseline', 'known.json', '--ignore', 'kubernetes-api-removed');
    expect(less).toMatchObject({ code: 0, stderr: expect.stringMatching(/0 findings .*; \d+ of it (?:is|are) gone/) });
  });

  it('is not taken for one when it is none', async () => {
    const cwd = folderWith({ ...GOOD, 'known.json': '{"findings": [1]}' });
    const { code, stderr } = await check(cwd, 'deploy', '--baseline', 'known.json');
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('"known.json" is not a baseline') });
  });
});

const CONFIG = 'rollout-constructs.config';

describe('a configuration', () => {
  const config = {
    files: ['deploy'],
    kubernetesVersion: '1.24',
    rules: { 'alb-group-order': 'warning' },
    maxWarnings: 9,
  };

  it.each([
    ['json', JSON.stringify(config)],
    ['yaml', `files: [deploy]\nkubernetesVersion: "1.24"\nrules: {alb-group-order: warning}\nmaxWarnings: 9\n`],
  ])('in %s is found from a folder below, and options go before it', async (end, text) => {
    const cwd = folderWith({ ...BAD, 'deploy/budget.yaml': BUDGET, [`${CONFIG}.${end}`]: text, 'sub/x': '' });
    const found = await check(join(cwd, 'sub'), '--format', 'json');
    const { findings, checkedFor } = JSON.parse(found.stdout);
    expect(checkedFor.Kubernetes).toBe('1.24');
    expect(findings).toContainEqual(expect.objectContaining({ rule: 'alb-group-order', severity: 'warning' }));
    expect((await check(cwd, '--kubernetes-version', '1.30')).stdout).toContain('kubernetes-api-removed');
    expect((await check(cwd, '--no-config')).code).toBe(2);
  });

  it('in TypeScript is run with the compiler of the project', async () => {
    const text = `const kubernetesVersion: string = '1.24';\nexport default { files: ['deploy'], kubernetesVersion } as const;\n`;
    const cwd = folderWith({ ...GOOD, [`${CONFIG}.ts`]: text });
    const without = await check(cwd);
    expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining('needs the package "typescript"') });
    const compiler = `module.exports = require(${JSON.stringify(require.resolve('typescript'))});`;
    const withCompiler = folderWith({ ...GOOD, [`${CONFIG}.ts`]: text, 'node_modules/typescript/index.js': compiler });
    expect((await check(withCompiler)).stdout).toContain('Kubernetes 1.24');
  });

  it('accepts findings with a reason, knows objects from elsewhere, and sends requests', async () => {
    const accepted = [
      { rule: 'alb-group-order', reason: 'mended by a webhook', object: { kind: 'Ingress', name: 'web' } },
    ];
    const cwd = folderWith({
      ...BAD,
      [`${CONFIG}.json`]: JSON.stringify({ files: ['deploy'], suppressions: accepted }),
    });
    expect((await check(cwd)).stdout).not.toContain('error[alb-group-order]');
    expect((await check(cwd)).stdout).toContain('suppressed');
  });

  it.each([
    ['{"file": ["a"]}', 'has an unknown field "file"; did you mean "files"?'],
    ['{"kind": "a"}', 'has an unknown field "kind"'],
    ['{"maxWarnings": "many"}', 'is wrong at "maxWarnings"'],
    ['{"rules": {"alb-group-order": "fatal"}}', 'is wrong at "rules.alb-group-order"'],
    ['{"rules": {"alb-group-ordr": "off"}}', 'there is no rule "alb-group-ordr"'],
    ['{"kruiseVersion": "0.9"}', 'kruiseVersion of "rollout-constructs.config.json" is "0.9"'],
    ['{"probes": ["FETCH"]}', 'probes[0] of "rollout-constructs.config.json"'],
    ['{"suppressions": [{"rule": "alb-group-order"}]}', 'is wrong at "suppressions[0].reason"'],
    ['[]', 'is not an object'],
    ['{', 'cannot be read'],
  ])('that is wrong is named with its place: %s', async (text, message) => {
    const cwd = folderWith({ ...GOOD, [`${CONFIG}.json`]: text });
    const { code, stderr } = await check(cwd, 'deploy');
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });

  it('must be one', async () => {
    const cwd = folderWith({ ...GOOD, [`${CONFIG}.json`]: '{}', [`${CONFIG}.yaml`]: '' });
    expect((await check(cwd, 'deploy')).stderr).toContain('there are two configurations');
    expect((await check(cwd, 'deploy', '--config', 'other.json')).stderr).toContain('cannot read the configuration');
  });
});

describe('explain and rules', () => {
  it('tell what a rule is', async () => {
    const { code, stdout } = await cli(['explain', 'alb-group-order']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^error\[alb-group-order\]: /);
    const page = await cli(['explain', 'alb-group-order', '--markdown']);
    expect(page.stdout).toBe(readFileSync(join(__dirname, '../../docs/rules/alb-group-order.md'), 'utf8'));
    expect(await cli(['explain', 'alb-group-ordr'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('did you mean "alb-group-order"?'),
    });
  });

  it('list every rule that has a page', async () => {
    const { stdout } = await cli(['rules', '--format', 'json']);
    const rules = JSON.parse(stdout).flatMap((group: { rules: { id: string; page?: string }[] }) => group.rules);
    expect(rules.length).toBeGreaterThan(300);
    const text = (await cli(['rules'])).stdout;
    for (const { id, page = id } of rules) {
      expect(existsSync(join(__dirname, `../../docs/rules/${page}.md`)), id).toBe(true);
      expect(text).toContain(id);
    }
    expect((await cli(['rules', '--format', 'markdown'])).stdout).toContain('| rule | severity |');
  });
});

describe('a declaration that a later one overwrites', () => {
  const service = (port: string) =>
    `apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\nspec: {selector: {app: web}, ports: [{port: ${port}}]}\n`;

  it('is checked for what the API server refuses', async () => {
    const cwd = folderWith({ 'a.yaml': `${service('99999')}---\n${service('"80"')}---\n${service('80')}` });
    const { stdout } = await check(cwd, 'a.yaml', '--format', 'json');
    const findings = JSON.parse(stdout).findings as { rule: string; source: { line: number } }[];
    const of = (rule: string) => findings.filter((each) => each.rule === rule).map(({ source }) => source.line);
    expect(of('field-invalid')).toEqual([4, 9]);
  });

  it('names a variable in a value', async () => {
    const { stdout } = await check(folderWith({ 'a.yaml': service(`"\${PORT}"`) }), 'a.yaml');
    expect(stdout).toContain(`fix: \${PORT} looks like a variable: replace it first, for example with envsubst`);
  });
});
