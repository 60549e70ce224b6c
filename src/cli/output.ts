import { toAbsolute, writeAtomically } from '../files/paths';
import { type Io, write } from './io';

/** Writes a report in the format that was asked for, plain where it goes into a file, and as people read it. */
export interface Printer {
  asked(isPlain: boolean): string;
  pretty(): string;
}

/** Writes a report to stdout; or into the file that was asked for, and a readable one to stdout. */
export async function writeReport({ asked, pretty }: Printer, output: string | undefined, io: Io): Promise<void> {
  if (output !== undefined) writeAtomically(toAbsolute(io, output), asked(true), output);
  await write(io.stdout, output === undefined ? asked(false) : pretty());
}
