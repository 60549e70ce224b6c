/** An error that the user can fix: shells print the message without a stack trace and exit with code 2. Every other error is a bug. */
export class UserError extends Error {
  override readonly name = 'UserError';

  constructor(
    message: string,
    /** What to do about it, printed on its own line. */
    readonly hint?: string,
  ) {
    super(message);
  }
}
