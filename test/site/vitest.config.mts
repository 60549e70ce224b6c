import { defineConfig } from 'vitest/config';

/** The tests of the built site, for `npm run test:site`: building it takes a minute, so `npm test` does without. */
export default defineConfig({
  test: {
    reporters: ['default', './test/closing-line.ts'],
    include: ['test/site/*.browser.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
