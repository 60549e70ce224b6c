import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { SITE as siteAddress } from '../../src/core/site';
import { data, ROOT } from './files';

const SCRIPT = join(ROOT, 'scripts', 'release-check.mjs');
const HOME = 'https://git.rollout-constructs.dev/main';
const READY = {
  version: '1.2.0',
  homepage: HOME,
  repository: { type: 'git', url: `git+${HOME}.git` },
  bugs: { url: `${HOME}/issues` },
};
const CHANGELOG = '# Changelog\n\n## Unreleased\n\n## 1.2.0 (2026-01-01)\n\n- A change.\n';

const SITE = 'https://rollout-constructs.dev/';

let releaseProblems: (manifest: object, changelog: string, site: string | undefined) => string[];

beforeAll(async () => {
  ({ releaseProblems } = await import(pathToFileURL(SCRIPT).href));
});

describe('the check of a release', () => {
  it('passes what is filled in', () => {
    expect(releaseProblems(READY, CHANGELOG, SITE)).toEqual([]);
    expect(releaseProblems({ ...READY, bugs: READY.bugs.url, repository: READY.homepage }, CHANGELOG, SITE)).toEqual(
      [],
    );
  });

  it.each([
    [{ homepage: undefined }, 'there is no homepage: set HOME in .projenrc.ts'],
    [{ homepage: 'https://git.example.com/x' }, 'homepage is the placeholder "https://git.example.com/x"'],
    [{ repository: { url: 'git+https://x.invalid/y.git' } }, 'repository is the placeholder'],
    [{ bugs: { url: 'TODO' } }, 'bugs is "TODO", which is no address'],
    [{ repository: { url: 'git+ssh://git.rollout-constructs.dev/x' } }, 'it has to begin with https'],
    [{ version: '0.0.0' }, 'the version is 0.0.0'],
    [{ version: '1.3.0' }, 'CHANGELOG.md has no section "## 1.3.0"'],
  ])('refuses %j', (change, message) => {
    expect(releaseProblems({ ...READY, ...change }, CHANGELOG, SITE)).toEqual([expect.stringContaining(message)]);
  });

  it.each([
    [undefined, 'there is no SITE: set SITE in src/core/site.ts'],
    ['https://docs.example.com/x/', 'SITE is the placeholder "https://docs.example.com/x/"'],
  ])('refuses a documentation site at %j', (site, message) => {
    expect(releaseProblems(READY, CHANGELOG, site)).toEqual([expect.stringContaining(message)]);
  });

  it('refuses changes that belong to no release', () => {
    const changelog = CHANGELOG.replace('## Unreleased\n', '## Unreleased\n\n- Another one.\n');
    expect(releaseProblems(READY, changelog, SITE)).toEqual([expect.stringContaining('below "## Unreleased"')]);
  });

  it('runs before npm publishes, and stops it', () => {
    const { scripts, homepage } = data('package.json');
    expect(scripts.prepublishOnly).toMatch(/^node scripts\/release-check\.mjs && /);
    const { status, stderr } = spawnSync(process.execPath, [SCRIPT], { encoding: 'utf8' });
    // The address of this repository is filled in before the first release, and then this test expects a version.
    const isExample = /example\.com/.test(homepage);
    if (isExample) expect(stderr).toContain('not ready to publish: homepage is the placeholder');
    if (/example\.com/.test(siteAddress)) expect(stderr).toContain('not ready to publish: SITE is the placeholder');
    expect(status).toBe(stderr === '' ? 0 : 1);
    expect(stderr).not.toContain('    at ');
  });
});
