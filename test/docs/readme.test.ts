import { Construct } from 'constructs';
import { describe, expect, it } from 'vitest';
import * as library from '../../src/constructs';
import { ROUTER_NAMES } from '../../src/routers';
import { cli } from '../cli/fixture';
import { textOf } from './pages';

const TEXT = textOf('README.md');
const exported = new Map<string, unknown>(Object.entries(library));

/** The names in the first column of the table under a heading. */
function namesUnder(heading: string): string[] {
  const section = TEXT.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!;
  return [...section.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
  );
}

describe('README.md', () => {
  it('lists every construct, and nothing that is not exported', () => {
    const listed = namesUnder('The constructs');
    expect(listed.filter((name) => !exported.has(name))).toEqual([]);
    const constructs = [...exported].filter(
      ([, value]) => typeof value === 'function' && value.prototype instanceof Construct,
    );
    expect(constructs.length).toBeGreaterThan(10);
    expect(constructs.map(([name]) => name).filter((name) => !listed.includes(name))).toEqual([]);
  });

  it('lists commands that there are', async () => {
    const listed = namesUnder('On the command line').map((name) => name.replace(/ [<[].*$/, ''));
    expect(listed.length).toBeGreaterThan(8);
    for (const name of listed) expect((await cli([...name.split(' '), '--help'])).code, name).toBe(0);
  });

  it('counts the routers right', () => {
    expect(ROUTER_NAMES).toHaveLength(11);
    expect(TEXT).toContain('Ten more load balancers are modelled');
  });

  it('names the runtime dependencies, each with a reason', () => {
    const { dependencies, peerDependencies } = JSON.parse(textOf('package.json'));
    const section = TEXT.split('\n## Dependencies\n')[1]!;
    for (const name of Object.keys({ ...dependencies, ...peerDependencies })) expect(section).toContain(`\`${name}\``);
  });
});
