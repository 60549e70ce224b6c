import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { isBuilt } from './scripts/built.mjs';

const SOURCES = join(import.meta.dirname, 'src/');

/**
 * Tests import sources, and get what the build has compiled of them: it runs a fifth faster than what tsx compiles. Sources that
 * have changed since the build are loaded as they are, and so are all that somebody watches.
 */
const compiledSources: Plugin = {
  name: 'compiled-sources',
  enforce: 'pre',
  async resolveId(source, importer) {
    const id = (await this.resolve(source, importer, { skipSelf: true }))?.id;
    if (id === undefined || !id.startsWith(SOURCES) || !id.endsWith('.ts')) return null;
    const compiled = id.slice(SOURCES.length).replace(/\.ts$/, '.js');
    return { id: join(import.meta.dirname, 'lib', compiled), external: true };
  },
};
const plugins = process.argv.includes('run') && isBuilt() ? [compiledSources] : [];

/** What all test files share. */
const shared = {
  // Node loads the sources itself: faster than through Vite, and a `require` inside a function stays lazy.
  server: { deps: { external: [/\/src\/.*\.ts$/, /\/lib\/.*\.js$/] } },
  // Rehearsals make much garbage that dies young: a larger nursery saves a tenth of the time.
  execArgv: ['--import', 'tsx', '--max-semi-space-size=64'],
  // Files share what they load: nothing of this library keeps a state that another file could see.
  isolate: false,
  testTimeout: 120_000,
  hookTimeout: 120_000,
};

/** Pulumi is slow to load and not needed elsewhere. Each program of a test has a runtime of its own. */
const PULUMI = ['test/pulumi/**/*.test.ts', 'test/policy/**/*.test.ts'];

/** Tests that need Debian packages: a browser, and the Lua of Debian. `npm test` needs Node alone, so `.ci/run` runs them. */
const DEBIAN = ['test/**/*.browser.test.ts', 'test/kruise/scripts/real-lua.test.ts'];

/** Counts work with an engine that does not optimise: no other file may be in that process. */
const SPEED = ['test/speed/**/*.test.ts'];

/** Files that take long or wait for processes, the longest first. That of `speed` has a worker of its own: as the last it would run alone. */
const LONG = [
  'test/speed/',
  'test/consumer/packed',
  'test/stage/recordings',
  'test/cli/init',
  'test/watch/process',
  'test/validation/plugin',
  'test/docs/code-blocks',
];

/**
 * Starts long files first, so that no worker waits for another at the end. Vitest does this by the durations of earlier runs,
 * which a fresh clone does not have.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification): number => {
      const place = LONG.findIndex((name) => moduleId.includes(name));
      return place === -1 ? LONG.length : place;
    };
    return (await super.sort(files)).sort((a, b) => placeOf(a) - placeOf(b));
  }
}

export default defineConfig({
  test: {
    reporters: ['default', './test/closing-line.ts'],
    globalSetup: './test/temporary-folder.ts',
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      { plugins, test: { ...shared, name: 'library', include: ['test/**/*.test.ts'], exclude: [...PULUMI, ...DEBIAN, ...SPEED] } },
      { plugins, test: { ...shared, name: 'pulumi', include: PULUMI } },
      { plugins, test: { ...shared, name: 'speed', include: SPEED } },
      { plugins, test: { ...shared, name: 'debian', include: DEBIAN } },
    ],
  },
});
