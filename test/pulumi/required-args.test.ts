import { expect, test } from 'vitest';
import { run } from './program';

type AnyComponent = new (name: string, args?: unknown) => unknown;

/** The message of every component that is not made of these arguments. */
async function messagesFor(args: unknown): Promise<ReadonlyMap<string, string>> {
  const messages = new Map<string, string>();
  await run(({ library, pulumi }) => {
    for (const [name, Any] of Object.entries<unknown>({ ...library })) {
      if (typeof Any !== 'function' || !(Any.prototype instanceof pulumi.ComponentResource)) continue;
      if (Any === library.KubernetesComponent) continue;
      try {
        new (Any as AnyComponent)('one', args);
      } catch (error) {
        messages.set(name, (error as Error).message);
      }
    }
  });
  return messages;
}

/** Arguments that plain JavaScript can pass, without a compiler that reports what is missing. */
test.each([
  ['no arguments', undefined],
  ['empty arguments', {}],
  ['null', null],
])('components with %s are created, or name what is missing', async (_, args) => {
  const messages = await messagesFor(args ?? undefined);
  expect([...messages.keys()]).toContain('KruiseRollout');
  for (const [name, message] of messages) {
    expect(message).toMatch(new RegExp(`^${name} "one" cannot be made:\n- `));
    expect(message).not.toMatch(/Cannot read|Cannot destructure|is not a function|not iterable/);
  }
  expect(messages.get('KruiseRollout')).toContain(
    '\n- "strategy" is missing: give a KruiseRolloutStrategy\n- "workload" is',
  );
});

test('names the argument of the wrong type', async () => {
  const messages = await messagesFor({ service: 'web', labels: 'x', kinds: {}, replicas: '3', metadata: 5 });
  expect(messages.get('AlbCanaryIngress')).toContain('"metadata" is the number 5: give an object');
  expect(messages.get('KruiseRolloutInstall')).toContain('"metadata" is no property: the properties are affinity, ');
  const install = await messagesFor({ labels: 'x', replicas: '3' });
  expect(install.get('KruiseRolloutInstall')).toBe(
    'KruiseRolloutInstall "one" cannot be made:\n- "labels" is the string "x": give an object\n- "replicas" is the string "3": give a number',
  );
});
