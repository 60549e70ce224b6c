import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, folderWith } from './fixture';

const TEXT = readFileSync(join(__dirname, '..', '..', 'docs', 'testing-scripts.md'), 'utf8');

/** The files that the page shows, by the path that stands before each. */
const FILES = Object.fromEntries(
  [...TEXT.matchAll(/^`(lua_configuration\/[^`]+)`\n\n```(?:lua|yaml)\n([\s\S]*?)^```$/gm)].map(([, path, text]) => [
    path!,
    text!,
  ]),
);

describe('docs/testing-scripts.md', () => {
  it('shows scripts that pass their testdata', async () => {
    expect(Object.keys(FILES)).toHaveLength(4);
    const { code, stdout } = await cli(['test', '--no-checks'], { cwd: folderWith(FILES) });
    expect(stdout).toContain('5 passed, 0 failed');
    expect(code).toBe(0);
  });

  it('shows scripts without errors', async () => {
    const { stdout } = await cli(['test'], { cwd: folderWith(FILES) });
    expect(stdout).not.toContain('error[');
  });

  it('shows the output of a failing case as it is', async () => {
    const path = 'lua_configuration/gateway.example.com/Route/testdata/weight.yaml';
    const files = { ...FILES, [path]: FILES[path]!.replace('shop-canary, weight: 20', 'shop-canary, weight: 25') };
    const { stdout } = await cli(['test', 'lua_configuration/gateway.example.com', '--no-checks'], {
      cwd: folderWith(files),
    });
    expect(TEXT).toContain(`\`\`\`text\n${stdout}\`\`\``);
  });

  it('names options that there are', async () => {
    const { stdout: help } = await cli(['test', '--help']);
    const { stdout: debugHelp } = await cli(['debug', '--help']);
    for (const [option] of TEXT.matchAll(/--[a-z][a-z-]+/g)) {
      expect(`${help}${debugHelp}`, option).toContain(option);
    }
  });

  it('shows what lua run answers', async () => {
    const [, request, answer] = /echo '(.*)' \| rollout-constructs lua run\n(.*)\n/.exec(TEXT)!;
    expect((await cli(['lua', 'run'], { stdin: `${request}\n` })).stdout).toBe(`${answer}\n`);
  });
});
