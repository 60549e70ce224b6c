import { describe, expect, it } from 'vitest';
import { Manifest } from '../../../src/core';
import { checkObject, type StructuralSchema, schemaFindings } from '../../../src/core/schema';

describe('a value with its own toString', () => {
  const schema: StructuralSchema = {
    type: 'object',
    properties: { mode: { enum: ['a', 'b'] }, metadata: { type: 'object' } },
  };
  const hostile = { toString: 1, valueOf: 2 };

  it('is refused where a text is expected', () => {
    const object = {
      apiVersion: 'v1',
      kind: 'Test',
      metadata: { name: 'web', annotations: { a: hostile } },
      mode: hostile,
    };
    const result = checkObject(object, schema);
    const findings = schemaFindings(Manifest.of(object), result);
    expect(findings.map(({ path }) => path)).toContain('mode');
  });
});
