/** Who may silence a check: with real repositories of git, as a pull request has them. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { cli, folderWith } from './fixture';

const ingress = (ignore = '') => `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: web
  namespace: shop
  annotations:
    alb.ingress.kubernetes.io/target-type: ip
    alb.ingress.kubernetes.io/group.order: "2000"
${ignore === '' ? '' : `    rollout-constructs.io/ignore: "${ignore}"\n`}spec:
  ingressClassName: alb
  rules:
    - host: shop.example.com
      http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: web, port: { number: 80 } } } }] }
---
apiVersion: v1
kind: Service
metadata: { name: web, namespace: shop }
spec: { selector: { app: web }, ports: [{ port: 80, targetPort: 8080 }] }
`;

const LOOP = `apiVersion: v1
kind: ConfigMap
metadata: { name: kruise-rollout-configuration, namespace: kruise-rollout }
data:
  lua.traffic.routing.ingress.mine: |
    -- rollout-constructs.io/ignore lua-global: ours
    shared = 1
    return obj.annotations
`;

const RULE = 'alb-group-order';
const REASON = 'agreed with the platform team';

let cwd = '';
const git = (...args: string[]) =>
  execFileSync('git', ['-C', cwd, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { stdio: 'pipe' });
const write = (files: Readonly<Record<string, string>>) => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  }
};
const commit = (files: Readonly<Record<string, string>>) => {
  write(files);
  git('add', '-A');
  git('commit', '-q', '--allow-empty', '-m', 'x');
};
const run = (...args: string[]) => cli(args, { cwd });
const rulesOf = async (...args: string[]) => {
  const { stdout, stderr, code } = await run('check', 'deploy', '--format', 'json', ...args);
  if (stdout === '') throw new Error(stderr);
  const { findings, suppressed } = JSON.parse(stdout);
  const ids = (list: { rule: string }[]) => list.map(({ rule }) => rule);
  return { code, found: ids(findings), suppressed: ids(suppressed.map(({ finding }: { finding: object }) => finding)) };
};
const OWNER = ['--trust', 'owner', '--base', 'base'];

beforeEach(() => {
  cwd = folderWith({});
  git('init', '-q', '-b', 'base');
});

/** The base has these files; the pull request changes them to those. */
function pullRequest(base: Readonly<Record<string, string>>, changed: Readonly<Record<string, string>>): void {
  commit({ 'deploy/web.yaml': ingress(), ...base });
  git('checkout', '-q', '-b', 'change');
  commit(changed);
}

describe('--trust owner', () => {
  it('takes no suppression that the change itself brings, and says which', async () => {
    pullRequest({}, { 'deploy/web.yaml': ingress(`${RULE}: ${REASON}`) });
    expect(await rulesOf()).toMatchObject({ code: 0, suppressed: [RULE] });
    const { code, found, suppressed } = await rulesOf(...OWNER);
    expect({ code, suppressed }).toEqual({ code: 1, suppressed: [] });
    expect(found).toEqual(expect.arrayContaining([RULE, 'suppression-untrusted']));
  });

  it('takes those that the base has, also where the file changed elsewhere', async () => {
    const own = ingress(`${RULE}: ${REASON}`);
    pullRequest({ 'deploy/web.yaml': own }, { 'deploy/web.yaml': own.replace('port: 80,', 'port: 80, name: http,') });
    expect(await rulesOf(...OWNER)).toMatchObject({ code: 0, suppressed: [RULE] });
    // The same words in another file of the base are for that file.
    commit({
      'deploy/more.yaml': own.replaceAll('name: web', 'name: more').replace('shop.example.com', 'b.example.com'),
    });
    expect((await rulesOf(...OWNER)).found).toContain(RULE);
  });

  it('takes those of files that are made of code in the base', async () => {
    const code = `new Ingress(this, 'web', { suppressions: [{ rule: '${RULE}', reason: '${REASON}' }] });`;
    pullRequest({ 'main.ts': code, '.gitignore': 'deploy/dist\n' }, { 'main.ts': `${code}\n` });
    write({ 'deploy/web.yaml': '# none\n', 'deploy/dist/web.yaml': ingress(`${RULE}: ${REASON}`) });
    expect(await rulesOf(...OWNER)).toMatchObject({ code: 0, suppressed: [RULE] });
    write({ 'deploy/dist/web.yaml': ingress(`${RULE}: another reason`) });
    expect((await rulesOf(...OWNER)).found).toContain(RULE);
  });

  it('takes comments of scripts only as the base has them', async () => {
    pullRequest({}, { 'deploy/lua.yaml': LOOP, 'deploy/web.yaml': '# gone\n' });
    expect((await rulesOf()).suppressed).toEqual(['lua-global']);
    const { found, suppressed } = await rulesOf(...OWNER);
    expect({ suppressed, isFound: found.includes('lua-global') }).toEqual({ suppressed: [], isFound: true });
  });

  it('reads configuration and baseline from the base', async () => {
    const config = 'rollout-constructs.config.yaml';
    pullRequest({}, { [config]: `rules: { ${RULE}: off }\n` });
    expect(await rulesOf()).toMatchObject({ code: 0, suppressed: [RULE] });
    expect((await rulesOf(...OWNER)).found).toContain(RULE);
    expect((await run('check', 'deploy', '--config', config, ...OWNER)).stderr).toContain(
      `"${config}" is not in "base"`,
    );

    git('checkout', '-q', 'base');
    commit({ [config]: `rules: { ${RULE}: warning }\n` });
    git('checkout', '-q', 'change');
    const lowered = await run('check', 'deploy', ...OWNER);
    expect(lowered.code).toBe(0);
    expect(lowered.stdout).toContain(`= lowered: from error by rules of "${config}"`);

    await run('check', 'deploy', '--no-config', '--baseline', 'known.json', '--update-baseline');
    expect((await rulesOf('--no-config', '--baseline', 'known.json')).suppressed).toContain(RULE);
    const { code, stderr } = await run('check', 'deploy', '--no-config', '--baseline', 'known.json', ...OWNER);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('is not in "base"') });
  });

  it('takes a file outside of the checkout as it is, and runs no program', async () => {
    pullRequest({ 'rollout-constructs.config.ts': 'export default { rules: {} };' }, { 'x.txt': 'x' });
    const outside = join(folderWith({ 'own.yaml': `rules: { ${RULE}: off }\n` }), 'own.yaml');
    expect(await rulesOf('--config', outside, ...OWNER)).toMatchObject({ code: 0, suppressed: [RULE] });
    const { code, stderr } = await run('check', 'deploy', ...OWNER);
    expect(code).toBe(2);
    expect(stderr).toContain('is a program, which --trust owner does not run');
  });

  it('knows the base that CI systems name, and says so where nobody names one', async () => {
    pullRequest({}, { 'deploy/web.yaml': ingress(`${RULE}: ${REASON}`) });
    const check = (env: Readonly<Record<string, string>>, ...args: string[]) =>
      cli(['check', 'deploy', '--trust', 'owner', ...args], { cwd, env });
    git('update-ref', 'refs/remotes/origin/base', 'base');
    expect((await check({ GITHUB_BASE_REF: 'base' })).code).toBe(1);
    expect((await check({ GITHUB_EVENT_NAME: 'push' })).code).toBe(0);
    expect((await check({ CI_COMMIT_BRANCH: 'main', CI_DEFAULT_BRANCH: 'main' })).code).toBe(0);
    expect((await check({})).stderr).toContain('name it: --base origin/main');
    expect((await check({}, '--base', 'origin/gone')).stderr).toContain('git fetch --depth=1 origin gone');
    expect((await check({}, '--base=--output=/tmp/x')).stderr).toContain('is no name of a commit');
  });

  it('holds for rehearse, too', async () => {
    pullRequest({}, { 'deploy/web.yaml': ingress() });
    expect((await run('rehearse', 'deploy', ...OWNER)).code).toBe(0);
    expect((await run('rehearse', 'deploy', '--trust', 'nobody')).stderr).toContain('--trust is "nobody"');
  });
});

describe('--no-suppressions and --max-suppressions', () => {
  it('report what is accepted, or how much of it there may be', async () => {
    write({
      'deploy/web.yaml': ingress(`${RULE}: ${REASON}`),
      'rollout-constructs.config.yaml': 'rules: { alb-service-port: off }\nbaseline: known.json\n',
      'known.json': '{"version": 1, "findings": []}',
    });
    const all = await rulesOf('--no-suppressions');
    expect(all).toMatchObject({ code: 1, suppressed: [] });
    expect(all.found).toContain(RULE);
    expect((await rulesOf('--max-suppressions', '1')).code).toBe(0);
    const { code, stderr } = await run('check', 'deploy', '--max-suppressions', '0');
    expect(code).toBe(1);
    expect(stderr).toContain('1 finding is suppressed, and --max-suppressions allows 0');
    expect((await run('check', 'deploy', '--max-suppressions', 'x')).code).toBe(2);
    expect((await run('check', 'deploy', '--no-suppressions', '--baseline', 'known.json')).code).toBe(2);
  });
});
