/** The repository of an application: the platform team installs the controller, and its ConfigMap of routing scripts. */
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { albScript, configMap, objectsOf, ourScript, SCRIPT_OF_DOCUMENT_000 } from '../rehearsal/stack';
import { cli, folderWith } from './fixture';

const STEPS = [
  { traffic: '20%', replicas: '20%', pause: {} },
  { traffic: '100%', replicas: '100%' },
];
const yaml = (objects: readonly object[]) => objects.map((object) => stringify(object)).join('---\n');
const APP = yaml(objectsOf({ steps: STEPS }));
const CONFIG_MAP = yaml([configMap(albScript(ourScript('trafficrouting_ingress/aws-alb.lua')))]);
const RECIPE = yaml([configMap(albScript(SCRIPT_OF_DOCUMENT_000))]);

async function check(files: Readonly<Record<string, string>>, ...args: string[]) {
  const cwd = folderWith({ 'app.yaml': APP, ...files });
  const { code, stdout, stderr } = await cli(['check', 'app.yaml', '--format', 'json', ...args], { cwd });
  const findings = stdout === '' ? [] : (JSON.parse(stdout).findings as { rule: string; severity: string }[]);
  return { code, stderr, severe: findings.filter(({ severity }) => severity !== 'note').map(({ rule }) => rule) };
}

describe('an application without its controller', () => {
  it('is rehearsed with the script of the library, and gets one warning', async () => {
    expect(await check({})).toMatchObject({ code: 0, severe: ['kruise-script-missing'] });
    const rehearsed = await cli(['rehearse', '-'], { stdin: APP });
    expect(rehearsed.stdout).toContain('✓ Rollout shop/web: 2 steps');
    expect(rehearsed.stdout).toMatch(/steps\[0\]: 20% +█···· 20%/);
  });

  it('says once which scripts the cluster has', async () => {
    const folder = { 'scripts/trafficrouting_ingress/aws-alb.lua': ourScript('trafficrouting_ingress/aws-alb.lua') };
    const stated: readonly [Readonly<Record<string, string>>, ...string[]][] = [
      [{}, '--scripts', 'library'],
      [folder, '--scripts', 'scripts'],
      [{ 'cluster.yaml': CONFIG_MAP }, '--scripts', 'cluster.yaml'],
      [{ 'rollout-constructs.config.yaml': 'scripts: [library]\n' }],
      [{ ...folder, 'rollout-constructs.config.yaml': 'scripts: [./scripts]\n' }],
    ];
    for (const [files, ...args] of stated) expect(await check(files, ...args)).toMatchObject({ code: 0, severe: [] });
  });

  it('gets the errors that these scripts make', async () => {
    const { code, severe } = await check({ 'cluster.yaml': RECIPE }, '--scripts', 'cluster.yaml');
    expect(severe).toContain('rehearsal-canary-gets-nothing');
    expect(code).toBe(1);
    const none = await check({ 'rollout-constructs.config.yaml': 'scripts: []\n' });
    expect(none).toMatchObject({ code: 1, severe: expect.arrayContaining(['rehearsal-controller-stuck']) });
  });

  it('is not rehearsed with a script that nobody has, and that is no error', async () => {
    const mine = APP.replaceAll('classType: aws-alb', 'classType: mine');
    expect(await check({ 'app.yaml': mine })).toMatchObject({ code: 0, severe: ['kruise-script-missing'] });
  });

  it.each([
    ['gone', {}, '--scripts is "gone", and there is no such file or folder'],
    ['app.yaml', {}, '--scripts is "app.yaml", which has no ConfigMap "kruise-rollout-configuration"'],
    ['empty', { 'empty/README.md': '' }, '--scripts is "empty": '],
  ] as const)('names --scripts %s, which has none', async (path, files, message) => {
    const { code, stderr } = await check(files, '--scripts', path);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});

describe('a stack with its controller', () => {
  it('has no scripts but its own', async () => {
    const install = await cli(['check', '-'], { stdin: `${APP}---\n${CONTROLLER}` });
    expect(install.stdout).toContain('error[rehearsal-controller-stuck]');
    expect(install.code).toBe(1);
  });
});

const CONTROLLER = `apiVersion: apps/v1
kind: Deployment
metadata: {name: kruise-rollout-controller-manager, namespace: kruise-rollout}
spec:
  selector: {matchLabels: {app: kruise-rollout}}
  template:
    metadata: {labels: {app: kruise-rollout}}
    spec: {containers: [{name: manager, image: 'openkruise/kruise-rollout:v0.6.2', command: [/manager]}]}
`;
