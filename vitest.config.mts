import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/**
 * What an app may never need is loaded by a `require` inside a function. The tests run the TypeScript sources, which
 * Node's own `require` cannot read: here those calls become imports. That loading is lazy is tested on the built files.
 */
const lazyRequires: Plugin = {
  name: 'lazy-requires',
  enforce: 'pre',
  transform(code, id) {
    if (!/\/src\/.*\.ts$/.test(id)) return undefined;
    const imports: string[] = [];
    const replaced = code.replace(/\brequire\(('\.{1,2}\/[^']+')\)/g, (_, path: string) => {
      imports.push(`import * as lazy${imports.length} from ${path};`);
      return `lazy${imports.length - 1}`;
    });
    return imports.length > 0 ? `${replaced}\n${imports.join('\n')}\n` : undefined;
  },
};

/** Their runtime keeps mocks and settings for the whole process. */
const PULUMI = ['test/pulumi/**/*.test.ts', 'test/policy/**/*.test.ts'];

export default defineConfig({
  test: {
    reporters: ['default', './test/closing-line.ts'],
    maxWorkers: 2,
    projects: [
      {
        plugins: [lazyRequires],
        test: {
          name: 'library',
          include: ['test/**/*.test.ts'],
          exclude: PULUMI,
          // Files share what they load: nothing of this library keeps a state that another file could see.
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        plugins: [lazyRequires],
        test: { name: 'pulumi', include: PULUMI, testTimeout: 120_000, hookTimeout: 120_000 },
      },
    ],
  },
});
