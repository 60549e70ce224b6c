import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Finding, parseManifests, parseStream, type ReadResult } from '../../src/core';
import { readManifests } from '../../src/files/manifests';

const service = (name: string) => `apiVersion: v1\nkind: Service\nmetadata:\n  name: ${name}\n`;
const names = ({ manifests }: ReadResult) => manifests.map(({ name }) => name);
const short = ({ rule, source }: Finding) => (source ? `${rule} ${source.line}:${source.column}` : rule);
const problems = ({ findings }: ReadResult) => findings.map(short);
const messages = ({ findings }: ReadResult) => findings.map(({ message }) => message);

describe('documents', () => {
  it.each([
    ['one', service('a'), ['a']],
    ['several', `${service('a')}---\n${service('b')}`, ['a', 'b']],
    ['a leading and trailing ---', `---\n${service('a')}---\n`, ['a']],
    ['comments and empty documents', `# x\n---\n---\n# y\n\n---\n${service('a')}---\n# z\n`, ['a']],
    ['a comment after ---', `--- # first\n${service('a')}--- # second\n${service('b')}`, ['a', 'b']],
    ['null documents', `null\n---\n~\n---\n${service('a')}`, ['a']],
    ['CRLF', `${service('a')}---\n${service('b')}`.replace(/\n/g, '\r\n'), ['a', 'b']],
    ['a byte order mark', `\ufeff${service('a')}`, ['a']],
    ['files joined with their byte order marks', `${service('a')}\ufeff---\n${service('b')}`, ['a', 'b']],
    ['...', `${service('a')}...\n${service('b')}`, ['a', 'b']],
    ['directives', `%YAML 1.2\n# x\n---\n${service('a')}...\n%YAML 1.1\n---\n${service('b')}`, ['a', 'b']],
    ['--- within a block of text', `${service('a')}data: |\n  x\n  ---\n  y\n`, ['a']],
    ['JSON', JSON.stringify({ apiVersion: 'v1', kind: 'A', metadata: { name: 'a' } }, null, '\t'), ['a']],
    [
      'JSON objects in a row',
      '{"apiVersion":"v1","kind":"A","metadata":{"name":"}{\\"a"}}\n {"apiVersion":"v1","kind":"A","metadata":{"name":"b"}}',
      ['}{"a', 'b'],
    ],
    ['YAML that looks like JSON', "{apiVersion: v1, kind: A, metadata: {name: '} {'}}", ['} {']],
  ])('%s', (_, text, expected) => {
    const read = parseManifests(text, 'a.yaml');
    expect(names(read)).toEqual(expected);
    expect(problems(read)).toEqual([]);
  });

  it('resolves Lists into their items, typed or not, also within each other', () => {
    const item = (name: string) => `{apiVersion: v1, kind: Service, metadata: {name: ${name}}}`;
    const inner = `{apiVersion: v1, kind: List, items: [${item('b')}]}`;
    const text = `apiVersion: v1\nkind: List\nitems:\n- ${item('a')}\n- ${inner}\n---\napiVersion: networking.k8s.io/v1\nkind: IngressList\nitems:\n- metadata: {name: c}\n`;
    const read = parseManifests(text, 'a.yaml');
    expect(names(read)).toEqual(['a', 'b', 'c']);
    expect(read.manifests[2]!.groupKind).toBe('Ingress.networking.k8s.io');
    expect(read.manifests[1]!.sourceOf('metadata.name')).toEqual({ file: 'a.yaml', line: 5, column: 89 });
    expect(read.manifests[2]!.sourceOf('metadata.name')).toEqual({ file: 'a.yaml', line: 10, column: 20 });
  });

  it('names the item of a List that is no object', () => {
    const read = parseManifests('apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n- 3\n', 'a.yaml');
    expect(problems(read)).toEqual(['not-kubernetes 4:3', 'not-kubernetes 5:3']);
  });
});

describe('mistakes', () => {
  it.each([
    ['a: b: c', 'yaml-invalid 1:4', 'not YAML: nested mappings are not allowed'],
    ['a:\n\tb: 1', 'yaml-invalid 2:1', 'a tab indents this line'],
    ['a: "x', 'yaml-invalid 1:6', 'not YAML: missing closing "quote'],
    ['a: x\u0007', 'yaml-invalid 1:5', 'the control character U+0007 is not allowed'],
    ['a: *b', 'yaml-invalid 1:4', 'the alias *b has no anchor &b'],
    ['a: &a [*a]', 'yaml-invalid 1:8', 'the anchor &a contains itself'],
    ['--- {apiVersion: v1, kind: A, metadata: {name: a}}', 'yaml-invalid 1:5', 'a value follows `---`'],
    ['- 1', 'not-kubernetes 1:1', 'the document is a list'],
    ['just text', 'not-kubernetes 1:1', 'the document is a string'],
    ['kind: A', 'not-kubernetes 1:1', 'the document has no apiVersion'],
    ['a: 1', 'not-kubernetes 1:1', 'the document has no apiVersion and no kind'],
    ['apiVersion: 1\nkind: A', 'not-kubernetes 1:1', 'apiVersion is a number, not a string'],
    ['apiVersion: v1\nkind: A', 'object-without-name 1:1', 'this A has no metadata.name'],
    ['apiVersion: v1\nkind: A\nmetadata: x', 'object-without-name 3:11', 'metadata of this A is a string'],
    [
      'apiVersion: v1\nkind: A\nmetadata:\n  name: on',
      'metadata-not-a-string 4:9',
      'metadata.name is the boolean true',
    ],
    [`${service('a')}  labels:\n    b: [x]`, 'metadata-not-a-string 6:8', 'metadata.labels.b is a list, not a string'],
    [`${service('a')}kind: B`, 'yaml-duplicate-key 5:1', 'the key "kind" is given twice'],
    ['', 'no-manifests', 'a.yaml holds no Kubernetes manifest'],
    ['# nothing\n---\n', 'no-manifests', 'a.yaml holds no Kubernetes manifest'],
  ])('%j', (text, problem, message) => {
    const { findings } = parseManifests(text, 'a.yaml');
    expect(findings.map(short)).toEqual([problem]);
    expect(findings[0]!.message).toContain(message);
  });

  it('takes the last value of a key that is given twice, as kubectl does', () => {
    expect(names(parseManifests('apiVersion: v1\nkind: A\nmetadata: {name: a, name: b}\n', 'a'))).toEqual(['b']);
  });

  it('reads the other documents of the file', () => {
    const read = parseManifests(`${service('a')}---\na: b: c\n---\n${service('b')}`, 'a.yaml');
    expect(names(read)).toEqual(['a', 'b']);
    expect(problems(read)).toEqual(['yaml-invalid 6:4']);
  });

  it('accepts generateName', () => {
    expect(problems(parseManifests('apiVersion: batch/v1\nkind: Job\nmetadata: {generateName: a-}', 'a'))).toEqual([]);
  });

  it.each([
    ['kustomize.config.k8s.io/v1beta1', 'Kustomization'],
    ['kind.x-k8s.io/v1alpha4', 'Cluster'],
    ['k3d.io/v1alpha5', 'Simple'],
    ['skaffold/v4beta6', 'Config'],
    ['ctlptl.dev/v1alpha1', 'Cluster'],
    ['audit.k8s.io/v1', 'Policy'],
    ['apiserver.config.k8s.io/v1', 'EncryptionConfiguration'],
    ['v1', 'Config'],
  ])('accepts files that configure a program: %s %s', (apiVersion, kind) => {
    expect(problems(parseManifests(`apiVersion: ${apiVersion}\nkind: ${kind}`, 'a'))).toEqual([]);
  });

  it.each([
    ['{{- if .Values.on }}\napiVersion: v1\n{{- end }}\n', '1:1', '{{- if .Values.on }}'],
    ['apiVersion: v1\nkind: A\nmetadata:\n  name: {{ .Values.name }}\n---\n{{ more }}', '4:9', '{{ .Values.name }}'],
    [
      'apiVersion: v1\nkind: A\nmetadata:\n  labels:\n    {{- include "x" . | nindent 4 }}\n',
      '5:5',
      '{{- include "x" . | nindent 4 }}',
    ],
  ])('recognises a Helm template: %j', (text, place, action) => {
    const { findings } = parseManifests(text, 'a.yaml');
    expect(findings.map(short)).toEqual([`helm-template ${place}`]);
    expect(findings[0]!.message).toContain(action);
    expect(findings[0]!.fix).toContain('helm template');
  });

  it('lets text with braces be', () => {
    const text = `${service('a')}spec:\n  args: ["{{ args.name }}"]\n`;
    expect(problems(parseManifests(text, 'a.yaml'))).toEqual([]);
    expect(problems(parseManifests(`${text}  # {{ x }}\n  a: b: c\n`, 'a.yaml'))).toEqual(['yaml-invalid 8:6']);
  });

  it('keeps keys that JavaScript gives a meaning to as plain data', () => {
    const text = `${service('a')}  annotations: {__proto__: x, constructor: z}\n__proto__: {polluted: true}\n`;
    const [manifest] = parseManifests(text, 'a.yaml').manifests;
    expect(manifest!.get('__proto__.polluted')).toBe(true);
    expect(Object.entries(manifest!.annotations)).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'z'],
    ]);
    expect(manifest!.annotations.constructor).toBe('z');
    expect(manifest!.get('polluted')).toBeUndefined();
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(manifest!.object)).toBe(Object.prototype);
    expect(manifest!.sourceOf('__proto__.polluted')).toMatchObject({ line: 6, column: 23 });
  });
});

describe('limits', () => {
  it('of documents, the items of Lists included', () => {
    const two = `${service('a')}---\n${service('b')}`;
    expect(problems(parseManifests(two, 'a', { limits: { documents: 2 } }))).toEqual([]);
    const read = parseManifests(`${two}---\n${service('c')}---\n${service('d')}`, 'a', { limits: { documents: 2 } });
    expect(names(read)).toEqual(['a', 'b']);
    expect(problems(read)).toEqual(['too-much-input 11:1']);
    const list = 'apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: A, metadata: {name: a}}]';
    expect(problems(parseManifests(list, 'a', { limits: { documents: 1 } }))).toEqual(['too-much-input 3:9']);
  });

  it('of depth', () => {
    const nested = (depth: number) => `${service('a')}x: ${'['.repeat(depth)}${']'.repeat(depth)}\n`;
    expect(problems(parseManifests(nested(199), 'a'))).toEqual([]);
    expect(problems(parseManifests(nested(200), 'a'))).toEqual(['yaml-too-deep 5:203']);
    expect(problems(parseManifests(`a: ${'['.repeat(200_000)}`, 'a'))).toEqual(['yaml-too-deep 1:203']);
    expect(problems(parseManifests('- '.repeat(50_000), 'a'))).toEqual(['yaml-too-deep 1:401']);
    expect(problems(parseManifests(nested(100_000), 'a', { limits: { depth: 1_000_000 } }))[0]).toMatch(
      /^yaml-too-deep/,
    );
  });

  it('of depth and of values, before the rest of the text has cost anything', () => {
    expect(problems(parseManifests('['.repeat(10_000_000), 'a'))).toEqual(['yaml-too-deep 1:201']);
    const list = (values: number) => `${service('a')}x: [${'1,'.repeat(values)}]\n`;
    expect(problems(parseManifests(list(90), 'a', { limits: { values: 100 } }))).toEqual([]);
    expect(problems(parseManifests(list(10_000_000), 'a', { limits: { values: 100 } }))[0]).toMatch(
      /^too-much-input 5:/,
    );
  });

  it('of what a message quotes', () => {
    const key = 'k'.repeat(1_000);
    const [finding] = parseManifests(`${service('a')}${key}: 1\n${key}: 2\n`, 'a').findings;
    expect(finding?.message).toMatch(/^the key "k+ … k+" is given twice in this map$/);
    expect(finding!.message.length).toBeLessThan(500);
  });

  it('of aliases', () => {
    const laughs = Array.from({ length: 30 }, (_, index) =>
      index === 0 ? 'a0: &a0 [x, x]' : `a${index}: &a${index} [*a${index - 1}, *a${index - 1}]`,
    ).join('\n');
    expect(problems(parseManifests(laughs, 'a'))).toEqual([expect.stringMatching(/^yaml-excessive-aliasing/)]);
    expect(
      problems(parseManifests(`${service('a')}x: &x [1, 2]\ny: *x\n`, 'a', { limits: { aliasedValues: 3 } })),
    ).toEqual([]);
    expect(
      problems(parseManifests(`${service('a')}x: &x [1, 2]\ny: *x\n`, 'a', { limits: { aliasedValues: 2 } })),
    ).toHaveLength(1);
  });
});

describe('a line of a text', () => {
  const map = (data: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: scripts}\ndata:\n${data}`;
  const at = (text: string, line: number) => {
    const [manifest] = parseManifests(text, 'a.yaml').manifests;
    const found = manifest!.sourceOfLine('data.script', line);
    return found === undefined ? undefined : `${found.line}:${found.column}`;
  };

  it('is found in a literal block, behind its indentation', () => {
    const text = map('  script: |\n    local a = 1\n\n      return a\n');
    expect([at(text, 1), at(text, 3), at(text, 5)]).toEqual(['6:5', '8:7', undefined]);
    expect(at(map('  script: |-\r\n    return 1\r\n'), 1)).toBe('6:5');
    const list = `apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: a}\n  data:\n    script: |\n      return 1\n`;
    expect(at(list, 1)).toBe('9:7');
  });

  it('is not there where the file has the text otherwise', () => {
    expect(at(map('  script: "local a = 1\\nreturn a"\n'), 2)).toBeUndefined();
    expect(at(map('  script: >\n    local a\n    = 1\n'), 1)).toBeUndefined();
    expect(
      at('{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"script":"x"}}', 1),
    ).toBeUndefined();
  });
});

describe('linear time', () => {
  function fastest(text: string): number {
    return Math.min(
      ...[1, 2, 3].map(() => {
        const started = performance.now();
        const { manifests } = parseManifests(text, 'a.yaml');
        for (const manifest of manifests.slice(-3)) manifest.sourceOf('metadata.name');
        return performance.now() - started;
      }),
    );
  }

  it.each([
    ['documents', (count: number) => Array.from({ length: count }, (_, index) => service(`s${index}`)).join('---\n')],
    [
      'keys of a map',
      (count: number) =>
        `${service('a')}spec:\n${Array.from({ length: count }, (_, index) => `  k${index}: v\n`).join('')}`,
    ],
    ['comments', (count: number) => `${'# x\n'.repeat(count)}${service('a')}`],
    ['separators', (count: number) => '---\n'.repeat(count)],
    [
      'JSON objects on one line',
      (count: number) => '{"apiVersion":"v1","kind":"A","metadata":{"name":"a"}}'.repeat(count),
    ],
    ['open quotes of JSON', (count: number) => `{${'"\\"'.repeat(count)}`],
    // A ratio within one run, and tried anew when something else on the machine was in its way.
  ])('%s', { retry: 5 }, (_, text) => {
    const small = fastest(text(1_000));
    const large = fastest(text(10_000));
    // Ten times the input: quadratic time would take a hundred times as long.
    expect(large).toBeLessThan(Math.max(small, 5) * 35);
  });
});

describe('files', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'reader-'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function write(file: string, content: string | Buffer): string {
    const path = join(folder, file);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, content);
    return path;
  }

  it('reads a folder with the folders in it, by name', () => {
    for (const file of [
      'b.yaml',
      'a/z.yml',
      'a/y.JSON',
      'c/d/e.yaml',
      'x.txt',
      '.git/a.yaml',
      'node_modules/a.yaml',
      '.hidden.yaml',
      '.d/f.yaml',
      'app/node_modules/a.yaml',
    ]) {
      write(file, service(file.replace(/\W/g, '-')));
    }
    write('app/package.json', '{}');
    const read = readManifests([folder]);
    // As kubectl does: hidden files too, and folders that only look like those of npm.
    expect(names(read)).toEqual([
      '-d-f-yaml',
      '-hidden-yaml',
      'a-y-JSON',
      'a-z-yml',
      'b-yaml',
      'c-d-e-yaml',
      'node_modules-a-yaml',
    ]);
    expect(read.manifests[2]!.sourceOf()!.file).toBe(join(folder, 'a/y.JSON'));
    expect(messages(read).sort()).toEqual([
      `1 file in ${folder} without a Kubernetes object: ${join(folder, 'app/package.json')}`,
      `not read in ${folder}, packages of npm: ${join(folder, 'app/node_modules')}`,
    ]);
    expect(read.sources.get(join(folder, 'b.yaml'))).toBe(service('b-yaml'));
  });

  it('reads a file of any name that the user gives, and each file once', () => {
    const file = write('rendered.txt', service('a'));
    expect(names(readManifests([file, file, folder, file]))).toEqual(['a']);
  });

  it('follows links, but not in circles', () => {
    write('data/a.yaml', service('a'));
    symlinkSync('data', join(folder, 'link'));
    symlinkSync('..', join(folder, 'data', 'up'));
    symlinkSync('self', join(folder, 'self.yaml'));
    symlinkSync('nowhere', join(folder, 'broken.yaml'));
    symlinkSync('data/a.yaml', join(folder, 'same.yaml'));
    const read = readManifests([folder]);
    expect(names(read)).toEqual(['a']);
    expect(read.findings.map(({ message }) => message)).toEqual([
      `${join(folder, 'broken.yaml')} cannot be read: no such file or folder`,
      `${join(folder, 'self.yaml')} cannot be read: no such file or folder`,
    ]);
  });

  it('does not follow links out of the checkout, and quotes nothing of what is there', () => {
    const outside = mkdtempSync(join(tmpdir(), 'outside-'));
    writeFileSync(join(outside, 'secret.yaml'), 'kind: x\napiVersion: [hunter2\n');
    mkdirSync(join(folder, '.git'));
    write('base/a.yaml', service('a'));
    write('env/own.yaml', service('own'));
    symlinkSync('../base', join(folder, 'env', 'base'));
    symlinkSync(join(outside, 'secret.yaml'), join(folder, 'env', 'b.yaml'));
    symlinkSync(outside, join(folder, 'env', 'c'));
    symlinkSync('/proc/self/environ', join(folder, 'env', 'd.yaml'));

    const read = readManifests([join(folder, 'env')]);
    // A link within the checkout is followed, also out of the folder that was named.
    expect(names(read)).toEqual(['a', 'own']);
    expect(messages(read).map((problem) => problem.replace(/ it leads to .* out of .*/, ' OUT'))).toEqual(
      ['b.yaml', 'c', 'd.yaml'].map((name) => `${join(folder, 'env', name)} cannot be read: OUT`),
    );
    expect([...read.sources.keys()].some((name) => /[bd]\.yaml$/.test(name))).toBe(false);
    for (const name of ['b.yaml', 'c', 'd.yaml']) {
      const named = readManifests([join(folder, 'env', name)]);
      expect([named.manifests.length, JSON.stringify(named.findings).includes('hunter2')]).toEqual([0, false]);
      expect(named.findings.map(({ rule }) => rule)).toEqual(['file-unreadable']);
    }
    rmSync(outside, { recursive: true });
  });

  it('reads manifests whose keys are written with escapes, and those that are called Chart.yaml', () => {
    const escaped = service('x').replace('apiVersion', '"api\\x56ersion"').replace('kind', '"\\x6bind"');
    expect(escaped).not.toMatch(/apiVersion|kind/);
    write('a.yaml', escaped.replace('name: x', 'name: a'));
    write('b.json', '{"api\\u0056ersion": "v1", "\\u006bind": "Service", "metadata": {"name": "b"}}');
    write('c/Chart.yaml', service('c'));
    write('d/Chart.yaml', 'apiVersion: v2\nname: d\n');
    const read = readManifests([folder]);
    expect(names(read)).toEqual(['a', 'b', 'c']);
    expect(messages(read)).toEqual([
      `1 file in ${folder} without a Kubernetes object: ${join(folder, 'd/Chart.yaml')}`,
    ]);
  });

  it('warns of a hidden file that looks like a manifest and is no YAML, and not of settings of editors', () => {
    write('a.yaml', service('a'));
    write('.vscode/launch.json', '{\n  // our own\n  "kind": [1\n}');
    write('.broken.yaml', `${service('b')}\t- x: [\n`);
    const { findings } = readManifests([folder]);
    expect(findings.map(({ rule, severity, message }) => [rule, severity, message])).toEqual([
      ['files-skipped', 'warning', `not read in ${folder}, not YAML: ${join(folder, '.broken.yaml')}`],
      ['files-skipped', 'note', `not read in ${folder}, not YAML: ${join(folder, '.vscode/launch.json')}`],
    ]);
  });

  it('reads a stream with the limits of a file', async () => {
    async function* blanks() {
      for (;;) yield Buffer.alloc(1 << 20, 0x20);
    }
    const endless = await parseStream(blanks(), '<stdin>');
    expect(endless.findings.map(({ rule }) => rule)).toEqual(['too-much-input']);
    async function* latin() {
      yield Buffer.from('# caf\u00e9\n', 'latin1');
      yield service('a');
    }
    expect((await parseStream(latin(), '<stdin>')).findings.map(({ rule }) => rule)).toEqual(['file-not-utf8']);
    async function* parts() {
      yield service('a').slice(0, 20);
      yield service('a').slice(20);
    }
    expect(names(await parseStream(parts(), '<stdin>'))).toEqual(['a']);
  });

  it('skips what is not for Kubernetes in a folder, and says so once', () => {
    write('values.yaml', 'replicas: 3\nkind: x\n');
    write('package.json', '{"name": "x"}');
    write('Chart.yaml', 'apiVersion: v2\nname: x\n');
    write('list.yaml', '- kind: A\n');
    write('a.yaml', service('a'));
    const read = readManifests([folder]);
    expect(names(read)).toEqual(['a']);
    expect(read.findings.map(({ rule, severity }) => [rule, severity])).toEqual([
      ['not-kubernetes', 'error'],
      ['files-skipped', 'note'],
    ]);
    expect(read.findings[1]!.message).toContain('3 files');
  });

  it('reports what cannot be read', () => {
    const read = readManifests([join(folder, 'none.yaml'), folder]);
    expect(read.findings.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([
      `file-unreadable: ${join(folder, 'none.yaml')} cannot be read: no such file or folder`,
      `no-manifests: ${folder} holds no Kubernetes manifest`,
    ]);
  });

  it.each([
    [Buffer.from('# caf\u00e9', 'latin1'), 'the file is not UTF-8 text', 'save the file as UTF-8'],
    [Buffer.from(`\ufeff${service('a')}`, 'utf16le'), 'the file is UTF-16, not UTF-8', 'Out-File -Encoding utf8'],
    [Buffer.from([0x80, 0, 1]), 'the file is not UTF-8 text', 'save the file as UTF-8'],
  ])('reports another encoding: %#', (content, message, fix) => {
    const { findings } = readManifests([write('a.yaml', content)]);
    expect(findings).toMatchObject([{ rule: 'file-not-utf8', message }]);
    expect(findings[0]!.fix).toContain(fix);
  });

  it('stops at the limits of size and number', () => {
    const [a, b] = [write('a.yaml', service('a')), write('b.yaml', service('b'))];
    const limited = (limits: object) => problems(readManifests([a, b], { limits }));
    const size = service('a').length;
    expect(limited({ fileSize: size, totalSize: 2 * size, files: 2 })).toEqual([]);
    expect(limited({ fileSize: size - 1 })).toEqual(['too-much-input 1:1', 'too-much-input 1:1']);
    expect(limited({ totalSize: 2 * size - 1 })).toEqual(['too-much-input 1:1']);
    expect(limited({ files: 1 })).toEqual(['too-much-input 1:1']);
  });

  it('reads what stands for standard input', () => {
    const stdin = openSync(write('piped', service('a')), 'r');
    const read = readManifests(['-'], { stdin });
    closeSync(stdin);
    expect(names(read)).toEqual(['a']);
    expect(read.manifests[0]!.sourceOf('metadata.name')).toEqual({ file: '<stdin>', line: 4, column: 9 });
  });

  it('stops reading a pipe at the limit', () => {
    const endless = openSync('/dev/zero', 'r');
    expect(problems(readManifests(['-'], { stdin: endless, limits: { fileSize: 1_000_000 } }))).toEqual([
      'too-much-input 1:1',
    ]);
    closeSync(endless);
  });
});

describe('text that is not rendered yet', () => {
  const first = (text: string) => parseManifests(text, 'a.yaml').findings[0]!;

  it('of an analysis is told from a Helm template', () => {
    const template = (interval: string) =>
      `apiVersion: argoproj.io/v1alpha1\nkind: AnalysisTemplate\nmetadata: {name: a}\nspec:\n  interval: ${interval}\n`;
    expect(first(template('{{args.wait}}'))).toMatchObject({ rule: 'yaml-invalid', fix: 'write "{{args.wait}}"' });
    expect(first(template('{{ .Values.wait }}')).rule).toBe('helm-template');
    expect(parseManifests(template('"{{args.wait}}"'), 'a.yaml').findings).toEqual([]);
  });

  it('names the variable that nobody has replaced', () => {
    const port = (value: string) =>
      first(`apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {port: ${value}}\n`);
    expect(port(`\${PORT}`)).toMatchObject({
      rule: 'yaml-invalid',
      fix: expect.stringContaining(`\${PORT} looks like a variable`),
    });
    expect(port('[')?.fix ?? '').not.toContain('variable');
  });
});
