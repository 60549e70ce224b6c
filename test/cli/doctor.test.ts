import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadClient } from '../../src/cli/cluster/client';
import type { Checkup, CheckupItem } from '../../src/core/checkup';
import { argoCluster } from '../doctor/argo-cluster';
import { configMap, kruiseCluster } from '../doctor/kruise-cluster';
import { ktenvCluster } from '../doctor/ktenv-cluster';
import { forbidden, status } from './api-answers';
import { type ApiServerOptions, apiServer, kubeconfigFor } from './api-server';
import { cli, folderWith, start } from './fixture';

type Report = Checkup & {
  readonly ok: boolean;
  readonly checkedFor: Readonly<Record<string, string>>;
  readonly findings: readonly { readonly rule: string; readonly severity: string; readonly message: string }[];
};

/** Starts a server and asks it. */
async function doctor(options: ApiServerOptions, ...args: string[]) {
  const server = await apiServer(options);
  const cwd = folderWith({ kubeconfig: server.kubeconfig });
  const ended = await cli(['doctor', '--no-color', '--kubeconfig', 'kubeconfig', ...args], { cwd });
  return { ...server, ...ended, cwd };
}

async function report(options: ApiServerOptions, ...args: string[]) {
  const ended = await doctor(options, '--format', 'json', ...args);
  if (ended.stdout === '' || ended.code === 70) throw new Error(ended.stderr);
  return { ...ended, report: JSON.parse(ended.stdout) as Report };
}

function itemOf({ sections }: Checkup, id: string): CheckupItem {
  const found = sections.flatMap(({ items }) => items).find((item) => item.id === id);
  if (found === undefined) throw new Error(`no question ${id}`);
  return found;
}

const ROLES = 'clusterroles';

describe('doctor asks a cluster', () => {
  it('finds a release in order, reads only, and never a Secret', async () => {
    const { code, stdout, stderr, asked } = await doctor({ objects: kruiseCluster() });
    expect(stderr).toBe('');
    expect(stdout).toContain('✓ where do requests go now?');
    expect(stdout).toContain('20% of plain requests reach the new version: 20% to shop/web-canary, 80% to shop/web');
    expect(stdout).not.toContain('✗');
    expect(code).toBe(0);
    expect(new Set(asked.map(({ method }) => method))).toEqual(new Set(['GET']));
    expect(asked.filter(({ path }) => /secrets/.test(path))).toEqual([]);
    expect(new Set(asked.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer secret-token']));
    expect(stdout).not.toContain('secret-token');
  });

  it('asks for kinds that there are only, and for pods only where there are Rollouts', async () => {
    const { asked } = await doctor({ objects: kruiseCluster() });
    const paths = asked.map(({ path }) => path.replace(/\?.*/, ''));
    expect(paths).toContain('/apis/networking.k8s.io/v1/ingresses');
    expect(paths.filter((path) => path.includes('istio'))).toEqual([]);
    expect(paths.filter((path) => path.endsWith('/pods'))).toEqual(['/api/v1/namespaces/shop/pods']);
  });

  it('asks over few connections, each of which is used again', async () => {
    const { asked, connections } = await doctor({
      objects: [kruiseCluster(), argoCluster(), ktenvCluster()].join('\n---\n'),
    });
    expect(asked.length).toBeGreaterThan(20);
    expect(connections()).toBeLessThanOrEqual(10);
  });

  it('takes the release of Kubernetes and of controllers from the cluster, unless options name them', async () => {
    const { report: found } = await report({ objects: kruiseCluster(), version: 'v1.33.4-eks-1' });
    expect(found.checkedFor).toMatchObject({ Kubernetes: '1.33.4', 'Kruise Rollouts': '0.6.2' });
    const { report: named } = await report({ objects: kruiseCluster() }, '--kruise-version', '0.5');
    expect(named.checkedFor['Kruise Rollouts']).toMatch(/^0\.5/);
  });

  it('reads lists in pages', async () => {
    const extra = Array.from(
      { length: 620 },
      (_, index) =>
        `apiVersion: v1\nkind: Service\nmetadata: {name: s${index}, namespace: other}\nspec: {ports: [{port: 80}]}\n`,
    );
    // The Rollout's own Services come on the last page.
    const { report: found, asked } = await report({ objects: [...extra, kruiseCluster()].join('---\n') });
    const pages = asked.filter(({ path }) => path.startsWith('/api/v1/services'));
    expect(pages.map(({ path }) => path)).toEqual([
      '/api/v1/services?limit=250',
      '/api/v1/services?limit=250&continue=250',
      '/api/v1/services?limit=250&continue=500',
    ]);
    expect(itemOf(found, 'kruise-objects').status).toBe('ok');
  });

  it('begins again where the first page is forgotten', async () => {
    const extra = Array.from(
      { length: 300 },
      (_, index) =>
        `apiVersion: v1\nkind: Service\nmetadata: {name: s${index}, namespace: other}\nspec: {ports: [{port: 80}]}\n`,
    );
    const { report: found, asked } = await report({
      objects: [...extra, kruiseCluster()].join('---\n'),
      override: (path, url) =>
        path === '/api/v1/services' && url.searchParams.has('continue')
          ? status(410, 'Expired', 'The provided continue parameter is too old')
          : undefined,
    });
    const pages = asked.filter(({ path }) => path.startsWith('/api/v1/services'));
    expect(pages.at(-1)?.path).toBe('/api/v1/services');
    expect(itemOf(found, 'kruise-objects').status).toBe('ok');
  });

  it('comes again to a server that is busy', async () => {
    let refusals = 0;
    const { report: found } = await report({
      objects: kruiseCluster(),
      override: (path) => {
        if (!path.endsWith('/ingresses') || refusals >= 2) return undefined;
        refusals++;
        return { ...status(429, 'TooManyRequests', 'too many requests'), headers: { 'retry-after': '0' } };
      },
    });
    expect(refusals).toBe(2);
    expect(itemOf(found, 'kruise-objects').status).toBe('ok');
  });

  it.each([
    ['a name that nothing has', {}, 'shop/wep', 'there is no Rollout "shop/wep"; did you mean "shop/web"?'],
    [
      'a right that is missing',
      { override: (path: string) => (path.endsWith('/rollouts') ? forbidden('rollouts') : undefined) },
      'shop/web',
      'it takes the permission to list rollouts.rollouts.kruise.io in all namespaces',
    ],
    [
      'another cluster',
      {
        objects: 'apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\nspec: {ports: [{port: 80}]}\n',
      },
      'shop/web',
      'has neither Kruise Rollouts nor Argo Rollouts nor KtEnv',
    ],
  ])('says why a Rollout is not there: %s', async (_why, options, name, message) => {
    const { code, stdout, stderr } = await doctor({ objects: kruiseCluster(), ...options }, '--rollout', name);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });

  it('says which permission is missing, and guesses nothing about what it could not read', async () => {
    const { report: found, code } = await report({
      objects: kruiseCluster(),
      override: (path) =>
        path.endsWith('/ingresses') ? forbidden('ingresses') : path.endsWith(ROLES) ? forbidden(ROLES) : undefined,
    });
    expect(itemOf(found, 'kruise-objects')).toMatchObject({
      status: 'unknown',
      permission: 'list ingresses.networking.k8s.io in all namespaces',
    });
    expect(itemOf(found, 'kruise-permissions')).toMatchObject({
      status: 'unknown',
      permission: 'list clusterroles.rbac.authorization.k8s.io in all namespaces',
    });
    expect(found.sections.at(-1)?.title).toBe('What could not be read');
    expect(found.findings.filter(({ message }) => /Ingress.* not exist|no Ingress/.test(message))).toEqual([]);
    const problems = found.sections.flatMap(({ items }) => items.filter(({ status }) => status === 'problem'));
    expect(problems).toEqual([]);
    expect(found.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(code).toBe(0);
  });

  it('looks for the ConfigMap where it has to be, when it may not look everywhere', async () => {
    const { report: found, asked } = await report({
      objects: kruiseCluster(),
      override: (path) => (path.endsWith('/configmaps') ? forbidden('configmaps') : undefined),
    });
    expect(itemOf(found, 'kruise-config-map').status).toBe('ok');
    expect(asked.map(({ path }) => path)).toContain(
      '/api/v1/namespaces/kruise-rollout/configmaps/kruise-rollout-configuration',
    );
  });

  it('reads one namespace, and those of controllers', async () => {
    const { report: found, asked } = await report(
      {
        objects: kruiseCluster(),
        override: (path) => (/v1\/(services|ingresses)$/.test(path) ? forbidden('x') : undefined),
      },
      '--namespace',
      'shop',
    );
    expect(asked.map(({ path }) => path)).toContain('/apis/networking.k8s.io/v1/namespaces/shop/ingresses?limit=250');
    expect(itemOf(found, 'kruise-controller').status).toBe('ok');
    expect(itemOf(found, 'kruise-expected').status).toBe('ok');
  });

  it('goes on without a list that does not come, and says with its exit code that it was not read', async () => {
    const { report: found, code } = await report(
      {
        objects: kruiseCluster(),
        override: (path) => (path.endsWith('/v1/daemonsets') ? 'never' : undefined),
      },
      '--timeout',
      '4',
    );
    const daemonSets = found.sections.at(-1)!.items.find(({ looked }) => looked.includes('DaemonSet.apps'));
    expect(daemonSets).toMatchObject({ status: 'unknown' });
    expect(daemonSets!.answer).toContain('no answer within 4 s');
    expect(code).toBe(2);
  });

  it('goes on without an API that is broken', async () => {
    const { report: found, code } = await report({
      objects: kruiseCluster(),
      kinds: ['VirtualService.networking.istio.io'],
      override: (path) =>
        path === '/apis/networking.istio.io/v1'
          ? status(503, 'ServiceUnavailable', 'the server is currently unable to handle the request')
          : undefined,
    });
    expect(found.sections.at(-1)!.items.map(({ looked }) => looked[0])).toContain('VirtualService.networking.istio.io');
    expect(code).toBe(2);
  });

  it('says so where no list can be read', async () => {
    const isList = (path: string) => /\/v1(beta1|alpha1)?\/[a-z]+$/.test(path);
    const busy = (path: string) => (isList(path) ? status(429, 'TooManyRequests', 'too many requests') : undefined);
    const { code, stderr, stdout } = await doctor({ objects: kruiseCluster(), override: busy });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/nothing could be read of .*too many requests/);
  });

  it.each([
    ['empty pages', () => []],
    ['pages of objects', (page: number) => [{ metadata: { name: `x-${page}`, namespace: 'shop' } }]],
  ])('ends where %s have no end', async (_what, itemsOf) => {
    let page = 0;
    const {
      report: found,
      asked,
      code,
    } = await report({
      objects: kruiseCluster(),
      override: (path) =>
        path.endsWith('/v1/daemonsets')
          ? { status: 200, body: { items: itemsOf(++page), metadata: { continue: `token-${page}` } } }
          : undefined,
    });
    const daemonSets = found.sections.at(-1)!.items.find(({ looked }) => looked.includes('DaemonSet.apps'));
    expect(daemonSets!.answer).toContain('its pages do not come to an end');
    expect(asked.filter(({ path }) => path.includes('daemonsets')).length).toBeLessThan(500);
    expect(code).toBe(2);
  });

  it('ends where answers are larger than a cluster can be', async () => {
    const text = 'x'.repeat(33 * 1024 * 1024);
    const { report: found, code } = await report({
      objects: kruiseCluster(),
      override: (path) =>
        path.endsWith('/v1/daemonsets') ? { status: 200, body: { items: [], a: text, b: text } } : undefined,
    });
    const daemonSets = found.sections.at(-1)!.items.find(({ looked }) => looked.includes('DaemonSet.apps'));
    expect(daemonSets!.answer).toContain('the answer has more than 64 MiB');
    expect(code).toBe(2);
  });

  it('shows no password of an address', async () => {
    const { kubeconfig } = await apiServer({ objects: kruiseCluster() });
    const cwd = folderWith({
      good: kubeconfig.replace('https://', 'https://admin:hunter2@'),
      bad: kubeconfig.replace(/https:\/\/\S+/, 'https://admin:hunter2@[x/'),
    });
    for (const name of ['good', 'bad']) {
      const { stdout, stderr } = await cli(['doctor', '--kubeconfig', name], { cwd });
      expect(`${stdout}${stderr}`).toContain('context "test"');
      expect(`${stdout}${stderr}`).not.toContain('hunter2');
    }
  });

  it('tells how far it is on a terminal only', async () => {
    const { kubeconfig } = await apiServer({ objects: kruiseCluster() });
    const cwd = folderWith({ kubeconfig });
    const { stderr } = await cli(['doctor', '--kubeconfig', 'kubeconfig'], { cwd, isTTY: { stderr: true } });
    expect(stderr).toMatch(/^reading 0 of \d+ lists/);
    expect(stderr.endsWith('\u001b[K')).toBe(true);
  });

  it('finds the kubeconfig by the variable, and another context', async () => {
    const { kubeconfig } = await apiServer({ objects: kruiseCluster() });
    const cwd = folderWith({ mine: kubeconfig });
    const env = { KUBECONFIG: 'mine' };
    expect((await cli(['doctor'], { cwd, env })).code).toBe(0);
    const wrong = await cli(['doctor', '--context', 'tset'], { cwd, env });
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toContain('the kubeconfig has no context "tset"; did you mean "test"?');
    const nowhere = await cli(['doctor', '--context', 'other'], { cwd, env });
    expect(nowhere.stderr).toContain('the context "other" names no cluster');
  });

  it('gets its credentials as kubectl does', async () => {
    const { kubeconfig, asked } = await apiServer({ objects: kruiseCluster() });
    const plugin = (script: string) =>
      kubeconfig.replace(
        '{ token: secret-token }',
        JSON.stringify({
          exec: { apiVersion: 'client.authentication.k8s.io/v1', command: process.execPath, args: ['-e', script] },
        }),
      );
    const credential = {
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: { token: 'made' },
    };
    const cwd = folderWith({
      good: plugin(`console.log(${JSON.stringify(JSON.stringify(credential))})`),
      bad: plugin('console.error("log in first"); process.exit(1)'),
    });
    expect((await cli(['doctor', '--kubeconfig', 'good'], { cwd })).code).toBe(0);
    expect(new Set(asked.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer made']));
    const { code, stderr } = await cli(['doctor', '--kubeconfig', 'bad'], { cwd });
    expect(stderr).toContain('no credentials for the context "test"');
    expect(stderr).toContain('log in first');
    expect(code).toBe(2);
  });

  it('works as a process', async () => {
    const { kubeconfig } = await apiServer({ objects: kruiseCluster() });
    const cwd = folderWith({ kubeconfig });
    const { code, stdout } = await start(['doctor', '--kubeconfig', 'kubeconfig'], { cwd }).ended;
    expect(stdout).toContain('where do requests go now?');
    expect(code).toBe(0);
  });
});

describe('doctor asks about other systems', () => {
  const errorsOf = ({ findings }: Report) => findings.filter(({ severity }) => severity === 'error');

  it('finds a release of Argo in order', async () => {
    const { report: found, code, asked } = await report({ objects: argoCluster() });
    expect(found.sections.map(({ title }) => title)).toEqual(['Argo Rollouts', 'Rollout shop/shop']);
    expect(itemOf(found, 'argo-requests').answer).toContain('20% of plain requests');
    expect(itemOf(found, 'argo-verification').answer).toContain('role/argo');
    expect(asked.map(({ path }) => path)).toContain('/api/v1/namespaces/argo-rollouts/serviceaccounts?limit=250');
    expect({ code, errors: errorsOf(found) }).toEqual({ code: 0, errors: [] });
    expect(found.checkedFor['Argo Rollouts']).toBe('1.8.3');
  });

  it('finds a namespace of KtEnv in order', async () => {
    const { report: found, code } = await report({
      objects: ktenvCluster(),
      kinds: ['EnvoyFilter.networking.istio.io'],
    });
    expect(found.sections.map(({ title }) => title)).toEqual([
      'KtEnv',
      'Namespace demo (VirtualEnvironment demo/demo)',
    ]);
    expect(found.sections.flatMap(({ items }) => items).filter(({ status }) => status !== 'ok')).toEqual([]);
    expect({ code, errors: errorsOf(found) }).toEqual({ code: 0, errors: [] });
  });

  it('has nothing to say of a cluster without any of them', async () => {
    const { code, stdout } = await doctor({ objects: 'apiVersion: v1\nkind: Namespace\nmetadata: {name: default}\n' });
    expect(stdout).toContain('the cluster has no objects of Kruise Rollouts, Argo Rollouts or KtEnv');
    expect(code).toBe(0);
  });

  it('reads an object of a kind that only this cluster has, by its name', async () => {
    const ref = 'customNetworkRefs: [{apiVersion: gateway.example.com/v1, kind: Road, name: web}]';
    const road =
      'apiVersion: gateway.example.com/v1\nkind: Road\nmetadata: {name: web, namespace: shop}\nspec: {lanes: 2}\n';
    const script = 'lua.traffic.routing.Road.gateway.example.com: "return obj.data"\n';
    const objects = kruiseCluster({ phase: 'Healthy', configMap: `${configMap()}  ${script}` })
      .replace(/(trafficRoutings: \[\{service: web, gracePeriodSeconds: 30), ingress: \{.*?\}/g, `$1, ${ref}`)
      .concat(`---\n${road}`);
    const { report: found, asked } = await report({ objects });
    expect(asked.map(({ path }) => path)).toContain(
      '/apis/gateway.example.com/v1/namespaces/shop/roads?fieldSelector=metadata.name%3Dweb&limit=250',
    );
    expect(itemOf(found, 'kruise-objects')).toMatchObject({ status: 'ok' });
    expect(itemOf(found, 'kruise-script')).toMatchObject({ status: 'ok' });
    expect(itemOf(found, 'kruise-permissions')).toMatchObject({ status: 'problem' });
  });
});

describe('doctor that cannot ask', () => {
  const ask = (kubeconfig: string, ...args: string[]) =>
    cli(['doctor', '--kubeconfig', 'kubeconfig', ...args], { cwd: folderWith({ kubeconfig }) });

  it('does not trust a certificate of somebody else', async () => {
    const { url } = await apiServer({ objects: kruiseCluster() });
    const { code, stderr } = await ask(kubeconfigFor(url, ''));
    expect(code).toBe(2);
    expect(stderr).toContain('its certificate is not trusted');
  });

  it('says that nobody listens', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    const { code, stderr } = await ask(kubeconfigFor(`https://127.0.0.1:${port}`));
    expect({ code, stderr }).toMatchObject({ code: 2 });
    expect(stderr).toContain('the connection is refused');
  });

  it('says that the credentials are not accepted', async () => {
    const { kubeconfig } = await apiServer({
      objects: '',
      override: () => status(401, 'Unauthorized', 'Unauthorized'),
    });
    const { code, stderr } = await ask(kubeconfig);
    expect(code).toBe(2);
    expect(stderr).toContain('does not accept the credentials');
  });

  it('says that nothing may be read, and what may help', async () => {
    const { kubeconfig } = await apiServer({
      objects: kruiseCluster(),
      override: (path) => (path.split('/').length > 4 || /^\/api\/v1\/./.test(path) ? forbidden('all') : undefined),
    });
    const { code, stderr } = await ask(kubeconfig);
    expect(code).toBe(2);
    expect(stderr).toContain('allows nothing to be read: forbidden');
    expect(stderr).toContain('--namespace <name>');
  });

  it('says that the server does not answer at all', async () => {
    const { kubeconfig } = await apiServer({ objects: '', override: () => 'never' });
    const { code, stderr } = await ask(kubeconfig, '--timeout', '0.2');
    expect(code).toBe(2);
    expect(stderr).toContain('no answer within 0.2 s');
  });

  it('says that there is no kubeconfig, or none that can be read', async () => {
    const cwd = folderWith({ broken: 'clusters: 7\n' });
    const none = await cli(['doctor'], { cwd, env: { HOME: cwd } });
    expect(none).toMatchObject({ code: 2 });
    expect(none.stderr).toContain('there is no kubeconfig');
    expect(none.stderr).toContain('dump.yaml');
    const absent = await cli(['doctor', '--kubeconfig', 'absent'], { cwd });
    expect(absent.stderr).toContain('there is no kubeconfig "absent"');
    const broken = await cli(['doctor', '--kubeconfig', 'broken'], { cwd });
    expect(broken.code).toBe(2);
    expect(broken.stderr).toContain('"broken"');
  });

  it('says how to install the client where it is missing', async () => {
    const name = '@kubernetes/not-installed';
    const error = await loadClient(() => import(/* @vite-ignore */ name)).catch((one: Error) => one);
    expect(error).toMatchObject({
      name: 'UserError',
      hint: expect.stringContaining('npm install --save-dev @kubernetes/client-node'),
    });
  });
});

describe('doctor reads dumps', () => {
  it('gives the same answers as the cluster', async () => {
    const objects = kruiseCluster({ weight: 50 });
    const { report: live } = await report({ objects });
    const cwd = folderWith({ 'dump.yaml': objects });
    const dumped = await cli(['doctor', 'dump.yaml', '--format', 'json'], { cwd });
    expect(dumped.code).toBe(1);
    const sections = (one: Checkup) => one.sections.filter(({ title }) => title !== 'What could not be read');
    expect(sections(JSON.parse(dumped.stdout))).toEqual(sections(live));
  });

  it('reads the Lists that kubectl writes, from stdin too', async () => {
    const items = kruiseCluster().split('---\n');
    const list = `apiVersion: v1\nkind: List\nitems:\n${items.map((one) => `- ${one.trimEnd().replaceAll('\n', '\n  ')}\n`).join('')}`;
    const { code, stdout } = await cli(['doctor', '-', '--no-color'], { stdin: list });
    expect(stdout).toContain('20% of plain requests reach the new version');
    expect(code).toBe(0);
  });

  it('does not take for missing what was not dumped', async () => {
    const objects = kruiseCluster({ configMap: '', roles: '' });
    const cwd = folderWith({ 'dump.yaml': objects.replaceAll(/^---\n(?=---)/gm, '') });
    const { stdout } = await cli(['doctor', 'dump.yaml', '--format', 'json'], { cwd });
    const found: Report = JSON.parse(stdout);
    expect(itemOf(found, 'kruise-config-map')).toMatchObject({ status: 'unknown' });
    expect(itemOf(found, 'kruise-config-map').answer).toContain('the dump holds no ConfigMap');
    expect(itemOf(found, 'kruise-permissions')).toMatchObject({ status: 'unknown' });
  });

  it('prints how to make one', async () => {
    const { code, stdout } = await cli(['doctor', '--dump-command']);
    expect(code).toBe(0);
    expect(stdout).toContain('ingresses.networking.k8s.io');
    expect(stdout).not.toContain('secrets');
  });

  it.each([
    [['absent.yaml'], 'absent.yaml'],
    [['dump.yaml', '--context', 'prod'], '--context is about a cluster'],
    [['dump.yaml', '--rollout', 'shop/wbe'], 'there is: shop/web'],
    [['dump.yaml', '--rollout', 'web'], 'write it as <namespace>/<name>'],
    [['dump.yaml', '--timeout', 'soon'], 'a number of seconds'],
    [['dump.yaml', '--format', 'sarif'], 'pretty, json, markdown'],
    [['dump.yaml', '--kruise-version', '9'], '--kruise-version is "9"'],
  ])('refuses %j', async (args, message) => {
    const cwd = folderWith({ 'dump.yaml': kruiseCluster() });
    const { code, stderr } = await cli(['doctor', ...args], { cwd });
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});

describe('what doctor writes', () => {
  it('is about one Rollout, when that is asked', async () => {
    const other = kruiseCluster({ weight: 50 })
      .replaceAll('namespace: shop', 'namespace: other')
      .replaceAll('shop.example.com', 'other.example.com')
      .split('---\n');
    const objects = [kruiseCluster(), ...other.filter((one) => one.includes('namespace: other'))].join('---\n');
    const cwd = folderWith({ 'dump.yaml': objects });
    const all = await cli(['doctor', 'dump.yaml', '--no-color'], { cwd });
    expect(all.stdout).toContain('Rollout other/web');
    const one = await cli(['doctor', 'dump.yaml', '--no-color', '--rollout', 'shop/web'], { cwd });
    expect(one.stdout).toContain('Rollout shop/web');
    expect(one.stdout).not.toContain('other/web');
  });

  it('can be Markdown, and a file', async () => {
    const cwd = folderWith({ 'dump.yaml': kruiseCluster({ weight: 50 }) });
    const direct = await cli(['doctor', 'dump.yaml', '--format', 'markdown'], { cwd });
    expect(direct.stdout).toMatch(/^## 2 problems, 10 answered well\n/);
    expect(direct.stdout).toContain('- **problem** where do requests go now?');
    const file = await cli(['doctor', 'dump.yaml', '--format', 'markdown', '--output', 'report.md'], { cwd });
    expect(file.code).toBe(1);
    expect(file.stdout).toContain('✗ where do requests go now?');
    expect(existsSync(join(cwd, 'report.md'))).toBe(true);
    expect(readFileSync(join(cwd, 'report.md'), 'utf8')).toBe(direct.stdout);
  });

  it('lets nothing of the cluster move the cursor', async () => {
    const script = 'error("\\27[2J\\r\\nforged")';
    const cwd = folderWith({ 'dump.yaml': kruiseCluster({ configMap: configMap('kruise-rollout', script) }) });
    for (const format of ['pretty', 'json', 'markdown']) {
      const { code, stdout } = await cli(['doctor', 'dump.yaml', '--no-color', '--format', format], { cwd });
      expect(code, format).toBe(1);
      expect(stdout, format).toContain('forged');
      expect(stdout, format).not.toMatch(/[\u001b\r]/);
    }
  });
});
