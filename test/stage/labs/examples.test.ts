/** Every example is played, or it says why not. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exampleLabs, NOT_PLAYED, PLAYED, stackOf } from './examples';

const files = readdirSync(join(__dirname, '../../../examples'))
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.replace(/\.ts$/, ''));

describe('the labs of the examples', () => {
  test('play each example, or say why not', () => {
    expect([...PLAYED.map(({ file }) => file), ...Object.keys(NOT_PLAYED)].sort()).toEqual(files.sort());
  });

  test.each(PLAYED)('$file: a Rollout with its workload, both as version v1', ({ file, ...example }) => {
    const objects = stackOf({ file, ...example });
    const images = objects.flatMap(
      ({ spec }) => spec?.template?.spec.containers.map(({ image }: { image: string }) => image) ?? [],
    );
    expect(objects.filter(({ kind }) => kind === 'Rollout')).toHaveLength(1);
    expect(images.length).toBeGreaterThan(0);
    expect(images.every((image) => image.endsWith(':v1'))).toBe(true);
  });

  test.each(PLAYED.flatMap(({ file, without = [] }) => without.map((omission) => ({ file, ...omission }))))(
    '$file leaves out what is there: $reason',
    ({ file, objects, field = [] }) => {
      const { without, ...example } = PLAYED.find((each) => each.file === file)!;
      const matching = stackOf(example).filter(({ kind, metadata }) => objects.test(`${kind}/${metadata.name}`));
      expect(matching.length).toBeGreaterThan(0);
      // biome-ignore lint/suspicious/noExplicitAny: a path into any object
      expect(matching.some((object) => field.reduce<any>((value, key) => value?.[key], object) !== undefined)).toBe(
        true,
      );
    },
  );

  test('bring their own scripts where they have some', () => {
    const own = exampleLabs('kruise').filter(({ install = [] }) => install.length > 0);
    expect(new Set(own.map(({ name }) => name.replace(/^example-|-(straight|rollback)$/g, '')))).toEqual(
      new Set(['aliyun-alb-canary', 'aws-alb-canary', 'custom-gateway']),
    );
  });
});
