import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { write } from '../../src/cli/io';
import { UserError } from '../../src/settings/user-error';

function failing(code: string, message: string): Writable {
  const stream = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error(message), { code })),
  });
  return stream.on('error', () => {});
}

describe('write', () => {
  it('is false once the reader has gone', async () => {
    const pipe = failing('EPIPE', 'write EPIPE');
    expect(await write(pipe, 'a')).toBe(false);
    expect(await write(pipe, 'b')).toBe(false);
  });

  it('takes a full disk for what it is, and not for a bug', async () => {
    const error = await write(failing('ENOSPC', 'ENOSPC: no space left on device, write'), 'a').catch((e) => e);
    expect(error).toBeInstanceOf(UserError);
    expect(error.message).toBe('cannot write the output: ENOSPC: no space left on device, write');
  });
});
