import { isUnknown, type Output } from '@pulumi/pulumi';

/** The state of an Output: its value, in which parts may be unknown, or that it failed. */
export interface OutputState {
  readonly failed: boolean;
  readonly known: boolean;
  readonly secret: boolean;
  readonly value?: unknown;
}

/** Members of Output that its types hide, and that every 3.x release has. */
interface Internals {
  readonly isKnown: Promise<boolean>;
  readonly isSecret?: Promise<boolean>;
  promise(withUnknowns?: boolean): Promise<unknown>;
}

/**
 * Waits for an Output without `apply`, which hides that a value is unknown, and in which an exception stops the program.
 * Never rejects: Pulumi reports failed Outputs itself.
 */
export async function stateOf(output: Output<unknown>): Promise<OutputState> {
  const { isKnown, isSecret } = output as unknown as Internals;
  const value = (output as unknown as Internals).promise(true);
  // Awaits all promises together, so that no rejection is unhandled.
  const [known, result, secret] = await Promise.allSettled([isKnown, value, isSecret ?? false]);
  if (known.status === 'rejected' || result.status === 'rejected' || secret.status === 'rejected') {
    return { failed: true, known: false, secret: false };
  }
  return {
    failed: false,
    known: known.value && !isUnknown(result.value),
    secret: secret.value,
    value: result.value,
  };
}
