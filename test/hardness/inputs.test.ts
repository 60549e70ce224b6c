/** Bytes, scripts, requests and configurations that nobody meant: an answer, and never a crash. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkStack, ruleGroups } from '../../src/check';
import { parseManifests, World } from '../../src/core';
import { parseRequest, RequestSyntaxError } from '../../src/rehearsal/request';
import { cli, folderWith } from '../cli/fixture';
import { HOSTILE_JSON } from './hostile-json';
import { HOSTILE } from './hostile-texts';
import { mutated } from './mutation';
import { expectUnpolluted, prototypes } from './prototypes';
import { Chance } from './random';

const SEED = 20_260_101;

const examples = ruleGroups
  .flatMap(({ rules }) => rules)
  .filter(({ failing }) => failing.language === 'yaml')
  .map(({ failing }) => failing.text);

describe('bytes', () => {
  /** An example with some of its bytes changed, left out or doubled. */
  function damaged(chance: Chance): Buffer {
    const bytes = [...Buffer.from(chance.of(examples))];
    for (let times = 1 + chance.below(6); times > 0; times--) {
      const at = chance.below(bytes.length);
      const kind = chance.below(4);
      if (kind === 0) bytes.splice(at, 1 + chance.below(20));
      else if (kind === 1) bytes.splice(at, 0, ...bytes.slice(at, at + chance.below(40)));
      else if (kind === 2) bytes[at] = chance.below(256);
      else
        bytes.splice(
          at,
          0,
          ...Buffer.from(chance.of(['\t', '&a ', '*a', '!!', '<<: ', '---\n', '{', '[', '"', '\u2028', ': ', '- '])),
        );
    }
    return Buffer.from(bytes);
  }

  it('in files are checked, and each file is told of or taken', async () => {
    const before = prototypes();
    const chance = new Chance(SEED);
    const cwd = folderWith({});
    for (let index = 0; index < 60; index++) writeFileSync(join(cwd, `${index}.yaml`), damaged(chance));
    const args = ['check', '.', '--format', 'json', '--no-config'];
    const { code, stdout, stderr } = await cli(args, { cwd });
    expect(stderr).toBe('');
    expect([1, 2]).toContain(code);
    expect(JSON.parse(stdout).findings.length).toBeGreaterThan(50);
    expect((await cli(args, { cwd })).stdout).toBe(stdout);
    expectUnpolluted(before);
  });

  it.each([
    ['deep lists', '['.repeat(100_000)],
    ['deep maps', '{a: '.repeat(50_000)],
    ['deep indentation', Array.from({ length: 2000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
    [
      'many aliases',
      `a: &a [x, x]\n${Array.from({ length: 30 }, (_, index) => `k${index}: &k${index} [*${index === 0 ? 'a' : `k${index - 1}`}, *${index === 0 ? 'a' : `k${index - 1}`}]`).join('\n')}`,
    ],
    ['a merge of itself', 'apiVersion: v1\nkind: A\nmetadata: &m {<<: *m, name: x}'],
    ['a long line', `a: ${'x'.repeat(5_000_000)}`],
    ['many documents', '---\n'.repeat(200_000)],
    ['many keys', Array.from({ length: 20_000 }, (_, index) => `k${index}: 1`).join('\n')],
    [
      'keys of prototypes',
      'apiVersion: v1\nkind: A\n__proto__: {polluted: true}\nconstructor: {prototype: {polluted: true}}\nmetadata: {name: x, __proto__: {polluted: true}}',
    ],
    ['merged prototypes', 'apiVersion: v1\nkind: A\nmetadata: {name: x, <<: {__proto__: {polluted: true}}}'],
    [
      'tags of code',
      'a: !!js/function "function () { polluted = true }"\nb: !<tag:yaml.org,2002:python/object/apply:os.system> [x]',
    ],
    ['numbers', 'apiVersion: v1\nkind: A\nmetadata: {name: 1e999, x: .inf, y: -.nan, z: 0x1fffffffffffffffff}'],
    ['surrogates', '{"apiVersion": "v1", "kind": "A", "metadata": {"name": "\\ud800"}}'],
    ['zero bytes', 'a\0b: c\0'],
  ])('%s', (_, text) => {
    const before = prototypes();
    const { manifests, findings } = parseManifests(text, 'a.yaml');
    const result = checkStack(World.of(manifests), { earlier: findings });
    expect(result.findings.length + manifests.length).toBeGreaterThan(0);
    for (const { message } of result.findings) expect(message.length).toBeLessThan(2100);
    expectUnpolluted(before);
  });
});

describe('scripts in the ConfigMap', () => {
  const SCRIPTS: readonly string[] = [
    'while true do end',
    'return string.rep("x", 1e9)',
    'error({})',
    'error(string.rep("x", 1e6))',
    'os.execute("touch /tmp/polluted") io.open("/etc/passwd"):read("*a")',
    'return require("fs").readFileSync("/etc/passwd")',
    'return load("return " .. string.rep("(", 1e5))()',
    'obj.__proto__ = {polluted = true} return {__proto__ = {polluted = "true"}, constructor = "x"}',
    'return obj',
    'return {[1.5] = "x", [true] = "y"}',
    'return "\\0\\27[31m"',
    '\0\u001b[31m',
    'return {annotations = obj, [string.rep("k", 1e5)] = "v"}',
    ...HOSTILE.slice(0, 12),
  ];

  it('end, whatever they do, and are told of', () => {
    const before = prototypes();
    const [example] = ruleGroups
      .flatMap(({ rules }) => rules)
      .filter(({ id }) => id === 'rehearsal-canary-gets-nothing');
    const { manifests } = parseManifests(example!.failing.text, 'a.yaml');
    const objects = manifests.map(({ object }) => object);
    for (const script of SCRIPTS) {
      const items = objects.map((object) =>
        object.kind === 'ConfigMap' ? { ...object, data: { 'lua.traffic.routing.ingress.aws-alb': script } } : object,
      );
      const read = parseManifests(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }), 'a.json');
      const { findings } = checkStack(World.of(read.manifests), { earlier: read.findings });
      expect(findings.length, script.slice(0, 80)).toBeGreaterThan(0);
      for (const { message, because, fix } of findings)
        expect(Math.max(message.length, because.length, fix.length), script.slice(0, 80)).toBeLessThan(2100);
    }
    expectUnpolluted(before);
  });
});

describe('requests', () => {
  const word = fc.oneof(
    fc.constantFrom(
      'GET',
      '-H',
      '"',
      "'",
      '\\',
      'https://',
      'a.example.com',
      '[::1]',
      ':',
      '/',
      '?a=1',
      '#',
      '%',
      '%zz',
      '__proto__: x',
      'a: b',
    ),
    fc.constantFrom(...HOSTILE),
    fc.string({ unit: 'binary', maxLength: 6 }),
  );
  const text = fc
    .array(word, { maxLength: 8 })
    .chain((words) => fc.constantFrom(' ', '').map((space) => words.join(space)));

  it('of any text are read, or refused with a reason', () => {
    const before = prototypes();
    fc.assert(
      fc.property(text, (each) => {
        try {
          const request = parseRequest(each);
          expect(typeof request.host).toBe('string');
          expect(request.path?.startsWith('/')).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(RequestSyntaxError);
        }
      }),
      { seed: SEED, numRuns: 2000 },
    );
    expectUnpolluted(before);
  });
});

describe('configurations and baselines', () => {
  const CONFIG = {
    files: ['deploy'],
    kruiseVersion: '0.6',
    argoVersion: '1.8',
    awsLoadBalancerControllerVersion: '2.8.2',
    istioVersion: '1.24',
    kubernetesVersion: '1.34',
    controllerNamespace: 'x',
    external: [{ kind: 'Service', name: 'a', namespace: 'b', apiVersion: 'v1' }],
    rehearsal: true,
    probes: ['GET https://shop.example.com/'],
    rules: { 'manifest-duplicate': 'off' },
    suppressions: [{ rule: 'manifest-duplicate', reason: 'x', object: { kind: 'Service', name: 'a' } }],
    maxWarnings: 3,
    baseline: 'baseline.json',
  };
  const BASELINE = { version: 1, findings: [{ rule: 'a', object: 'b', path: 'c', message: 'd' }] };
  const stack = JSON.stringify({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' } });

  it('of any content are used, or refused with a reason', async () => {
    const before = prototypes();
    const chance = new Chance(SEED);
    const cwd = folderWith({ 'deploy/a.json': stack });
    for (let index = 0; index < 80; index++) {
      const isConfig = index % 2 === 0;
      const value = mutated(mutated(isConfig ? CONFIG : BASELINE, chance), chance);
      const text = chance.oneIn(5) ? chance.of(HOSTILE_JSON) : JSON.stringify(value);
      writeFileSync(join(cwd, 'config.json'), isConfig ? text : '{"files": ["deploy"]}');
      writeFileSync(join(cwd, 'baseline.json'), isConfig ? JSON.stringify(BASELINE) : text);
      const args = ['check', '--config', 'config.json', '--baseline', 'baseline.json', 'deploy'];
      const { code, stderr, stdout } = await cli(args, { cwd });
      expect([0, 1, 2], text.slice(0, 300)).toContain(code);
      expect(stderr + stdout, text.slice(0, 300)).not.toMatch(/internal error|\n\s+at |Cannot read|is not a function/);
      expect(stderr, text.slice(0, 300)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    }
    expectUnpolluted(before);
  });
});
