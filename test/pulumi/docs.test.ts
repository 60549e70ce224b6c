import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { run } from './program';

const text = readFileSync(join(__dirname, '..', '..', 'docs', 'pulumi.md'), 'utf8');
const blocks = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code!);

/** Runs a program as a user would write it. */
function execute(code: string, library: unknown): Record<string, unknown> {
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true };
  const { outputText } = ts.transpileModule(code, { compilerOptions });
  const load = createRequire(__filename);
  const exports: Record<string, unknown> = {};
  const require = (name: string) => (name === 'rollout-constructs/pulumi' ? library : load(name));
  new Function('require', 'exports', outputText)(require, exports);
  return exports;
}

describe('docs/pulumi.md', () => {
  test('has programs', () => {
    expect(blocks.length).toBeGreaterThan(5);
  });

  test.each(blocks.map((code, index) => [index, code] as const))(
    'program %i runs without an error',
    async (_, code) => {
      const state = (type: string) =>
        type === 'aws:iam/role:Role' ? { name: 'role', arn: 'arn:aws:iam::111122223333:role/role' } : {};
      const { log, result } = await run(({ library }) => execute(code, library), { state });
      expect(log.filter(({ severity }) => severity === 'error' || severity === 'warning')).toEqual([]);
      for (const [name, value] of Object.entries(result)) {
        if (name === 'errors') expect(await value).toEqual([]);
        // What is said of a value stands in the comment above it.
        else if (Array.isArray(value)) expect(code).toContain(`// ['${value.join("', '")}']`);
      }
    },
  );
});
