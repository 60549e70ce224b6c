import { defineConfig } from 'vitest/config';
import LongestFirst from './test/longest-first';

/** What all test files share. */
const shared = {
  // Node loads the sources itself, with tsx: faster than through Vite, and a `require` inside a function stays lazy.
  server: { deps: { external: [/\/src\/.*\.ts$/] } },
  // Rehearsals make much garbage that dies young: a larger nursery saves a tenth of the time.
  execArgv: ['--import', 'tsx', '--max-semi-space-size=64'],
  // Files share what they load: nothing of this library keeps a state that another file could see.
  isolate: false,
  testTimeout: 120_000,
  hookTimeout: 120_000,
};

/** Pulumi is slow to load and not needed elsewhere. Each program of a test has a runtime of its own. */
const PULUMI = ['test/pulumi/**/*.test.ts', 'test/policy/**/*.test.ts'];

export default defineConfig({
  test: {
    reporters: ['default', './test/closing-line.ts'],
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { ...shared, name: 'library', include: ['test/**/*.test.ts'], exclude: PULUMI } },
      { test: { ...shared, name: 'pulumi', include: PULUMI } },
    ],
  },
});
