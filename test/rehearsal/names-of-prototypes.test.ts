/** Headers whose names every object seems to have. */
import { describe, expect, it } from 'vitest';
import { checkStack } from '../../src/check';
import { Manifest, World } from '../../src/core';
import { ROUTES } from '../stage/labs/kruise/routes';
import { stackOf } from '../stage/labs/kruise/stack';

describe('a header of a step that is named like a property of every object', () => {
  for (const route of Object.keys(ROUTES) as (keyof typeof ROUTES)[]) {
    it.each(['__proto__', 'constructor', 'toString'])(`is sent to ${route}: %s`, (name) => {
      const steps = [
        { matches: [{ headers: [{ type: 'Exact', name, value: 'x' }] }], replicas: 1, pause: {} },
        { traffic: '50%', replicas: '50%' },
      ];
      const objects = stackOf({ style: 'canary', route, steps }).map((object) => Manifest.of(object));
      const { rehearsals } = checkStack(World.of(objects));
      const sent = rehearsals.flatMap(({ requests }) => requests.map(({ text }) => text));
      expect(sent.some((text) => text.includes(`${name}: x`))).toBe(true);
    });
  }
});
