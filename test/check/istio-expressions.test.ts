import { describe, expect, it } from 'vitest';
import { checkStack } from '../../src/check';
import { Manifest, World } from '../../src/core';

const found = (regex: string) => {
  const object = {
    apiVersion: 'networking.istio.io/v1',
    kind: 'VirtualService',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      hosts: ['shop.example.com'],
      http: [{ match: [{ headers: { 'x-user': { regex } } }], route: [{ destination: { host: 'web' } }] }],
    },
  };
  return checkStack(World.of([Manifest.of(object)])).findings.map(
    ({ severity, rule, path }) => `${severity} ${rule} ${path}`,
  );
};

describe('an expression of a VirtualService', () => {
  it.each(['([', '^(?!bot).*$', '(a)\\1'])('is refused by the webhook of Istio: %s', (regex) => {
    expect(found(regex)).toEqual(['error field-invalid spec.http[0].match[0].headers.x-user.regex']);
  });

  it.each(['*', '.*', '^(a|b)$', '(?i)pc', '\\p{L}+'])('is taken: %s', (regex) => {
    expect(found(regex)).toEqual([]);
  });
});
