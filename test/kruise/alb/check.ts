import { expect } from 'vitest';
import { collectFindings, parseManifests, World } from '../../../src/core';
import { type AlbCheckOptions, checkAlb } from '../../../src/kruise/alb';

/** What is found in manifests written as YAML. */
export function check(text: string, options?: AlbCheckOptions) {
  const { manifests, findings } = parseManifests(text, 'stack.yaml');
  expect(findings).toEqual([]);
  return collectFindings(checkAlb(World.of(manifests), options));
}

/** The rules of which something is found, each once. */
export function rulesIn(text: string, options?: AlbCheckOptions): string[] {
  return [...new Set(check(text, options).map(({ rule }) => rule))].sort();
}
