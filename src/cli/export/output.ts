import { toAbsolute, writeAtomically } from '../../files/paths';
import { UserError } from '../../settings/user-error';
import { type Io, write } from '../io';

/** The option for the file. */
export const OUTPUT_OPTION = { output: { type: 'string' } } as const;

export const OUTPUT_HELP = '  --output <file>          write it there (default stdout)';

/** Writes a document to the file or to stdout. */
export async function writeDocument(text: string, output: string | undefined, io: Io): Promise<void> {
  if (output === undefined) await write(io.stdout, text);
  else writeAtomically(toAbsolute(io, output), text, output);
}

/** Objects as the documents of a YAML file, which kubectl and every GitOps tool take. */
export async function yamlOf(objects: readonly object[]): Promise<string> {
  const { stringify } = await import('yaml');
  return objects.map((object) => stringify(object, { lineWidth: 0 })).join('---\n');
}

/** Runs a function of the library, whose errors are about what the user gave. */
export function given<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError((error as Error).message);
  }
}
