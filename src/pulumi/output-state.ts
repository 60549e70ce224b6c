import { isUnknown, type Output } from '@pulumi/pulumi';

/** What became of an Output: its value, with what is unknown in it as it is, or that it failed. */
export interface OutputState {
  readonly failed: boolean;
  readonly known: boolean;
  readonly secret: boolean;
  readonly value?: unknown;
}

/** Left out of the types of an Output, and there in every release of version 3. */
interface Internals {
  readonly isKnown: Promise<boolean>;
  readonly isSecret?: Promise<boolean>;
  promise(withUnknowns?: boolean): Promise<unknown>;
}

/**
 * Waits for an Output without `apply`, which does not say that a value is unknown, and in which an exception ends the
 * program. Never rejects: that an Output failed is for Pulumi to report.
 */
export async function stateOf(output: Output<unknown>): Promise<OutputState> {
  const { isKnown, isSecret } = output as unknown as Internals;
  const value = (output as unknown as Internals).promise(true);
  // All are looked at before the first wait, so that no rejection goes unhandled.
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
