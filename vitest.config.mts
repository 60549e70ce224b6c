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

export default defineConfig({
  plugins: [lazyRequires],
  test: {
    include: ['test/**/*.test.ts'],
    reporters: ['default', './test/closing-line.ts'],
    // More workers than cores would only slow down the scripts that run into their one-second limit.
    maxWorkers: 2,
    testTimeout: 120_000,
  },
});
