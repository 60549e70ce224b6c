/** `diff` with real repositories of git, and with folders. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { objectsOf, path, type StackOptions } from '../rehearsal/stack';
import { cli, folderWith } from './fixture';

const NGINX: StackOptions = {
  ingressClassName: 'nginx',
  annotations: {},
  port: { number: 80 },
  route: { ingress: { name: 'web', classType: 'nginx' } },
};
const whole = { traffic: '100%', replicas: '100%' };
const share = (percent: number) => ({ traffic: `${percent}%`, replicas: `${percent}%` });
const header = (value: string) => ({
  replicas: '20%',
  matches: [{ headers: [{ type: 'Exact', name: 'x-user', value }] }],
});

function yamlOf(options: StackOptions, image = 'web:1'): string {
  const text = objectsOf({ ...NGINX, ...options }).map((object) => stringify(object, { aliasDuplicateObjects: false }));
  return text.join('---\n').replaceAll(/image: .*/g, `image: ${image}`);
}

const BASE = yamlOf({ steps: [share(20), share(50), whole] });
const HEAD = yamlOf(
  { steps: [header('alice'), share(20), { replicas: '50%' }, whole], paths: [path('/', 'web'), path('/admin', 'web')] },
  'web:2',
);

class Repository {
  readonly cwd = folderWith({});

  constructor() {
    this.git('init', '-q', '-b', 'main');
  }

  git(...args: string[]): string {
    const as = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
    return execFileSync('git', ['-C', this.cwd, ...as, ...args], { stdio: 'pipe', encoding: 'utf8' });
  }

  commit(files: Readonly<Record<string, string | null>>): void {
    for (const [name, text] of Object.entries(files)) {
      const file = join(this.cwd, name);
      mkdirSync(dirname(file), { recursive: true });
      if (text === null) rmSync(file);
      else writeFileSync(file, text);
    }
    this.git('add', '-A');
    this.git('commit', '-q', '--allow-empty', '-m', 'x');
  }

  diff(...args: string[]) {
    return cli(['diff', ...args], { cwd: this.cwd });
  }

  async json(...args: string[]) {
    const { stdout, stderr } = await this.diff(...args, '--format', 'json');
    if (stdout === '') throw new Error(stderr);
    return JSON.parse(stdout);
  }
}

describe('diff of two commits', () => {
  let repository: Repository;

  beforeAll(() => {
    repository = new Repository();
    repository.commit({ 'deploy/web.yaml': BASE, 'deploy/api.yaml': yamlOf({ name: 'api', host: 'api.example.com' }) });
    repository.git('checkout', '-q', '-b', 'change');
    repository.commit({ 'deploy/web.yaml': HEAD });
  });

  it('says in the words of a reviewer what each step does now', async () => {
    const { code, stdout } = await repository.diff('main', 'change', 'deploy');
    expect(code).toBe(0);
    expect(stdout).toContain('main → change: 1 of 2 releases differs; ');
    expect(stdout).toContain('the header route at step 1 is new: x-user: alice');
    expect(stdout).toContain('step 2 now reaches /admin');
    expect(stdout).toContain('GET https://shop.example.com/ -H "x-user: alice"  (only in the head)');
    expect(stdout).toContain('this change starts 1 release: Rollout shop/web.');
    expect(stdout).not.toContain('Rollout shop/api');
  });

  it('says which findings are new, and which are fixed', async () => {
    const { findings } = await repository.json('main', 'change', 'deploy');
    const rules = (list: { rule: string }[]) => list.map(({ rule }) => rule);
    expect(rules(findings.added)).toEqual(['kruise-step-unrouted']);
    expect(findings.added[0].source.file).toBe('deploy/web.yaml');
    const back = await repository.json('change', 'main', 'deploy');
    expect(rules(back.findings.fixed)).toEqual(['kruise-step-unrouted']);
    expect(back.findings.added).toEqual([]);
    expect(back.releases[0].remarks.map(({ text }: { text: string }) => text)).toContain(
      'the header route at step 1 is gone: x-user: alice',
    );
  });

  it('joins requests by their text, and moments by their step', async () => {
    const [{ requests, moments, change }] = (await repository.json('main', 'change', 'deploy')).releases;
    expect(change).toBe('changed');
    const any = requests.findIndex(({ text }: { text: string }) => text === 'GET https://shop.example.com/');
    expect(requests[any].on).toBe('both');
    const step = moments.find(({ before }: { before?: string }) => before === 'steps[0]: 20%');
    expect(step).toMatchObject({ on: 'both', after: 'steps[1]: 20%' });
    expect(step.cells[any]).toMatchObject({ differs: false });
    const added = moments.find(({ after }: { after?: string }) => after === 'steps[0]: x-user: alice');
    expect(added).toMatchObject({ on: 'head' });
    expect(added.cells[any].before).toBeUndefined();
  });

  it('gives the same bytes again, and nothing for equal commits', async () => {
    for (const format of ['json', 'html', 'markdown']) {
      const once = await repository.diff('main', 'change', 'deploy', '--format', format);
      expect(await repository.diff('main', 'change', 'deploy', '--format', format)).toEqual(once);
    }
    const same = await repository.json('main', 'main', 'deploy');
    expect(same).toMatchObject({ effects: [], releases: [], unchanged: 2, findings: { added: [], fixed: [] } });
    expect(same.merge).toBe('Merged and applied, this change starts no release.');
  });

  it('leaves the work tree and the index alone', async () => {
    writeFileSync(join(repository.cwd, 'deploy/web.yaml'), 'half written');
    await repository.diff('main', 'change', 'deploy');
    expect(repository.git('status', '--porcelain')).toBe(' M deploy/web.yaml\n');
    expect(repository.git('rev-parse', '--abbrev-ref', 'HEAD')).toBe('change\n');
    repository.git('checkout', '-q', '--', '.');
  });

  it('compares a commit with the folder as it is', async () => {
    writeFileSync(join(repository.cwd, 'deploy/web.yaml'), yamlOf({ steps: [share(30), share(50), whole] }));
    const { stdout } = await repository.diff('main', 'deploy');
    expect(stdout).toContain('step 1 gives the new version 30% of the requests for / instead of 20%');
    repository.git('checkout', '-q', '--', '.');
  });

  it('reads a folder below the root, and the whole of it where nobody names a path', async () => {
    const { stdout } = await cli(['diff', 'main', 'change', '--format', 'json'], {
      cwd: join(repository.cwd, 'deploy'),
    });
    const { releases, findings } = JSON.parse(stdout);
    expect(releases).toHaveLength(1);
    expect(findings.added[0].source.file).toBe('web.yaml');
  });

  it.each([
    [['--fail-on', 'new-errors'], 0, ''],
    [['--fail-on', 'new-warnings'], 1, '--fail-on new-warnings: 1 new error or warning\n'],
    [['--fail-on', 'merge'], 1, '--fail-on merge: 1 warning about the merge\n'],
    [['--fail-on', 'new-errors', '--fail-on', 'change'], 1, '--fail-on change: '],
  ])('ends with the code that %j asks for', async (flags, expected, message) => {
    const { code, stderr } = await repository.diff('main', 'change', 'deploy', ...flags);
    expect(code).toBe(expected);
    expect(stderr).toContain(message);
  });

  it('writes a page, and says on the terminal what differs', async () => {
    const { stdout } = await repository.diff('main', 'change', 'deploy', '--format', 'html', '--output', 'diff.html');
    expect(stdout).toContain('main → change');
    rmSync(join(repository.cwd, 'diff.html'));
  });
});

describe('diff of a branch that others have overtaken', () => {
  it('compares with the commit from which it was branched', async () => {
    const repository = new Repository();
    repository.commit({ 'deploy/web.yaml': BASE });
    repository.git('checkout', '-q', '-b', 'change');
    repository.commit({ 'README.md': 'a change of nothing' });
    repository.git('checkout', '-q', 'main');
    repository.commit({ 'deploy/web.yaml': yamlOf({ steps: [share(20), share(50), whole] }, 'web:9') });
    expect((await repository.json('main', 'change', 'deploy')).effects).toHaveLength(1);
    expect((await repository.json('main', 'change', 'deploy', '--merge-base')).effects).toEqual([]);
  });
});

describe('diff of suppressions', () => {
  it('names what the change accepts itself', async () => {
    const repository = new Repository();
    const unrouted = yamlOf({ steps: [share(20), { replicas: '50%' }, whole] });
    const ignore = 'rollout-constructs.io/ignore: "kruise-step-unrouted: agreed"';
    repository.commit({ 'deploy/web.yaml': unrouted });
    repository.commit({
      'deploy/web.yaml': unrouted.replace(
        'kind: Rollout\nmetadata:\n',
        `kind: Rollout\nmetadata:\n  annotations:\n    ${ignore}\n`,
      ),
    });
    const { findings } = await repository.json('HEAD~1', 'HEAD', 'deploy');
    expect(findings).toMatchObject({ added: [], fixed: [], accepted: [{ reason: 'agreed' }] });
    // The base does not have the reason, so that it does not count for its owner.
    const owner = await repository.json('HEAD~1', 'HEAD', 'deploy', '--trust', 'owner', '--base', 'HEAD~1');
    expect(owner.findings.accepted).toEqual([]);
    expect(owner.findings.added.map(({ rule }: { rule: string }) => rule)).toEqual(['suppression-untrusted']);
  });
});

describe('diff of files', () => {
  it('compares what two synths wrote', async () => {
    const cwd = folderWith({ 'base/web.k8s.yaml': BASE, 'head/web.k8s.yaml': HEAD });
    const { stdout, code } = await cli(['diff', 'base', 'head'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('base → head: 1 of 1 release differs');
  });

  it('tells what was meant where names do not fit', async () => {
    const repository = new Repository();
    repository.commit({ 'deploy/web.yaml': BASE, '.gitignore': 'dist\n' });
    repository.git('branch', 'deploy');
    mkdirSync(join(repository.cwd, 'dist'));
    const says = async (...args: string[]) => {
      const { code, stderr, stdout } = await repository.diff(...args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      return stderr;
    };
    expect(await says('main')).toContain('diff needs two states');
    expect(await says('main', 'nowhere')).toContain('"nowhere" is neither a file or folder nor a commit');
    expect(await says('origin/main', 'HEAD')).toContain('git fetch origin main');
    expect(await says('main', 'deploy')).toContain('"deploy" is a commit of git and a file');
    expect(await says('main', 'HEAD', 'charts')).toContain('neither "main" nor "HEAD" has "charts"');
    expect(await says('main', 'dist')).toContain('git ignores "dist"');
    expect(await says('./deploy', './deploy', 'x')).toContain('name paths only together with a commit');
    expect(await says('main', 'HEAD', '--fail-on', 'new-error')).toContain('did you mean "new-errors"?');
    expect(await says('--upload-pack=x', 'HEAD')).toContain('no option --upload-pack');
  });

  it('ends with 2 for a head that cannot be read, and not for such a base', async () => {
    const cwd = folderWith({ 'base/web.yaml': 'kind: [', 'head/web.yaml': BASE });
    expect((await cli(['diff', 'base', 'head'], { cwd })).code).toBe(0);
    const { code, stderr } = await cli(['diff', 'head', 'base'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('"base" was not read or rehearsed as a whole');
  });
});

describe('the files of a commit', () => {
  it('are read with the rules of links, and those of limits', async () => {
    const repository = new Repository();
    const { cwd } = repository;
    mkdirSync(join(cwd, 'deploy'));
    mkdirSync(join(cwd, 'shared'));
    writeFileSync(join(cwd, 'shared/web.yaml'), BASE);
    symlinkSync('../shared', join(cwd, 'deploy/linked'));
    symlinkSync('../shared/web.yaml', join(cwd, 'deploy/again.yaml'));
    symlinkSync('/etc/hostname', join(cwd, 'deploy/out.yaml'));
    symlinkSync('circle.yaml', join(cwd, 'deploy/circle.yaml'));
    repository.commit({ 'deploy/latin.yaml': 'a' });
    writeFileSync(join(cwd, 'deploy/latin.yaml'), Buffer.from([0x61, 0xff]));
    repository.commit({});
    const { stdout, code } = await repository.diff('HEAD', 'HEAD', 'deploy', '--format', 'json');
    expect(code).toBe(2);
    const { head, findings, unchanged } = JSON.parse(stdout);
    // The stack comes once, whichever link leads to it.
    expect(unchanged).toBe(1);
    expect(head.objects).toBe(objectsOf({ ...NGINX, steps: [] }).length);
    expect(findings.unchanged).toBeGreaterThanOrEqual(3);
    // The same as from the disk, but for the words about links.
    const disk = JSON.parse((await cli(['check', 'deploy', '--format', 'json'], { cwd })).stdout);
    const unread = disk.findings.filter(({ rule }: { rule: string }) => rule.startsWith('file-'));
    expect(unread).toHaveLength(3);
    expect(findings.unchanged).toBe(disk.findings.length);
  });
});
