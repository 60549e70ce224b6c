import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { data, ROOT, text } from './files';

interface Instruction {
  readonly word: string;
  readonly rest: string;
}

/** The instructions of a Dockerfile, each on one line. */
const instructions: Instruction[] = text('Dockerfile')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => {
    const [, word, rest] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    return { word: word!, rest: rest! };
  });

const all = (word: string) => instructions.filter((each) => each.word === word).map(({ rest }) => rest);
const manifest = data('package.json');
const lock = data('package-lock.json');

/** The commands of all RUN instructions. */
const commands = all('RUN').flatMap((rest) => rest.split('&&').map((each) => each.trim()));

describe('the Dockerfile', () => {
  it('starts from one release of Node that the package supports', () => {
    const [, version] = /^NODE_VERSION=(\d+\.\d+\.\d+)$/.exec(all('ARG')[0]!)!;
    const variable = '$' + '{NODE_VERSION}';
    const froms = all('FROM').map((rest) => rest.replace(/ AS \w+$/, ''));
    expect(new Set(froms)).toEqual(new Set([`node:${variable}-bookworm-slim`]));
    const [wanted] = /\d+/.exec(manifest.engines.node)!;
    expect(Number(version!.split('.')[0])).toBeGreaterThan(Number(wanted));
  });

  it('runs as a user, and adds nothing from elsewhere', () => {
    expect(all('USER')).toEqual(['1000:1000']);
    // Nothing is installed as that user, or after it.
    const words = instructions.map(({ word }) => word);
    expect(words.lastIndexOf('RUN')).toBeLessThan(words.indexOf('USER'));
    expect(words).not.toContain('ADD');
    expect(commands.filter((each) => /curl|wget|sudo/.test(each))).toEqual([]);
  });

  it('copies what is there, and not what is built', () => {
    const [named] = all('COPY');
    for (const file of named!.split(' ').slice(0, -1)) expect(existsSync(join(ROOT, file)), file).toBe(true);
    const ignored = text('.dockerignore').trim().split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['.git', 'lib', 'node_modules']));
  });

  it('runs commands that exist, and no scripts of packages', () => {
    const script = commands.find((each) => each.startsWith('node '))!;
    expect(existsSync(join(ROOT, script.split(' ')[1]!))).toBe(true);
    for (const each of commands.filter((one) => /^npm (ci|install|pack)/.test(one)))
      expect(each).toContain('--ignore-scripts');
    const steps = ['npm ci --ignore-scripts', 'node scripts/set-up.mjs --build', 'npm pack'];
    for (const step of steps) {
      expect(
        commands.some((each) => each.startsWith(step)),
        step,
      ).toBe(true);
      expect(text('docs/tools.md')).toContain(`\`${step}\``);
    }
  });

  it('installs the client that the lock file has', () => {
    const [, version] = /@kubernetes\/client-node@(\S+)/.exec(commands.join('\n'))!;
    expect(version).toBe(lock.packages['node_modules/@kubernetes/client-node'].version);
  });

  it('starts a command of the package', () => {
    const [command] = JSON.parse(all('ENTRYPOINT')[0]!);
    expect(manifest.bin).toHaveProperty(command);
  });
});
