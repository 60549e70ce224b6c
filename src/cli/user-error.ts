/**
 * Something that the person at the keyboard can mend: told in one message, without a stack trace, with exit code 2.
 * Every other error is a bug of ours.
 */
export class UserError extends Error {
  override readonly name = 'UserError';

  constructor(
    message: string,
    /** What to do about it, on a line of its own. */
    readonly hint?: string,
  ) {
    super(message);
  }
}
