import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { didYouMean } from '../../core/did-you-mean';
import { toAbsolute, writeAtomically } from '../../files/paths';
import type { ManifestSchema } from '../../schemas/manifest-schemas';
import { UserError } from '../../settings/user-error';
import { readVersions } from '../../settings/versions';
import { type Command, parseOptions } from '../command';
import { type Io, write } from '../io';
import { flagOfVersion, VERSION_OPTIONS, versionTextsOf } from '../version-options';

const command: Command = {
  name: 'schema',
  usage: `
usage: rollout-constructs schema [kind] [options]
       rollout-constructs schema > rollouts.schema.json
       rollout-constructs schema Rollout.argoproj.io

Prints the JSON Schema of a kind of Kruise Rollouts, Argo Rollouts or KtEnv, with a description of every field. Without a
kind, it is one schema for all of them, which accepts every other manifest: give it to the YAML support of an editor.
A kind is named as for kubectl: Rollout.argoproj.io, Rollout.v1beta1.rollouts.kruise.io, or AnalysisTemplate.

Options
  --list                   print the names of the kinds
  --output <folder>        write all.json there, and a file for each kind: <group>/<kind>_<version>.json, as kubeconform
                           looks for it
  --kruise-version <v>     the version of Kruise Rollouts: 0.6 or 0.6.1 (default the newest known)
  --argo-version <v>       the version of Argo Rollouts (default the one that this library is compared with)

Exit codes: 0 printed or written; 2 wrong use, or a folder that cannot be written.
`,
  async run(args, io) {
    const { values, positionals } = parseOptions(
      command.name,
      args,
      {
        list: { type: 'boolean', default: false },
        output: { type: 'string' },
        'kruise-version': VERSION_OPTIONS['kruise-version'],
        'argo-version': VERSION_OPTIONS['argo-version'],
      },
      { max: 1, what: 'a kind' },
    );
    const { manifestSchemas } = await import('../../schemas/manifest-schemas');
    const all = manifestSchemas(readVersions(versionTextsOf(values), flagOfVersion));
    if (values.list) {
      await write(io.stdout, all.map(({ name }) => `${name}\n`).join(''));
      return 0;
    }
    const asked = positionals[0] === undefined ? all : [kindNamed(positionals[0], all)];
    if (values.output === undefined) await write(io.stdout, await text(asked, positionals[0] === undefined));
    else await writeInto(values.output, asked, positionals[0] === undefined, io);
    return 0;
  },
};

export default command;

async function text(schemas: readonly ManifestSchema[], inOne: boolean): Promise<string> {
  const { schemaFile, schemaOfAll } = await import('../../schemas/manifest-schemas');
  return `${JSON.stringify(inOne ? schemaOfAll(schemas) : schemaFile(schemas[0]!), undefined, 2)}\n`;
}

/** The newest version of the kind that the name fits, in whichever case it is written. */
function kindNamed(name: string, all: readonly ManifestSchema[]): ManifestSchema {
  const fits = all.filter((one) =>
    [one.kind, `${one.kind}.${one.group}`, one.name].some((each) => each.toLowerCase() === name.toLowerCase()),
  );
  const groups = [...new Set(fits.map(({ kind, group }) => `${kind}.${group}`))];
  if (groups.length > 1)
    throw new UserError(`"${name}" is a kind of several systems`, `name one: ${groups.join(', ')}`);
  // v1beta1 comes after v1alpha1, also in the order of their names.
  const newest = fits.at(-1);
  if (newest !== undefined) return newest;
  const meant = didYouMean(name, [...new Set(all.flatMap(({ kind, group }) => [kind, `${kind}.${group}`]))]);
  throw new UserError(
    `there is no schema of "${name}"${meant === undefined ? '' : `; did you mean "${meant}"?`}`,
    'rollout-constructs schema --list lists the kinds',
  );
}

async function writeInto(output: string, schemas: readonly ManifestSchema[], withAll: boolean, io: Io): Promise<void> {
  const files = [
    ...(withAll ? [['all.json', await text(schemas, true)] as const] : []),
    ...(await Promise.all(schemas.map(async (one) => [fileOf(one), await text([one], false)] as const))),
  ];
  for (const [file, content] of files) {
    const path = toAbsolute(io, join(output, file));
    makeFolder(join(path, '..'), output);
    writeAtomically(path, content, join(output, file));
  }
  await write(io.stdout, files.map(([file]) => `${join(output, file)}\n`).join(''));
}

function fileOf({ group, kind, version }: ManifestSchema): string {
  return join(group, `${kind.toLowerCase()}_${version}.json`);
}

function makeFolder(folder: string, shown: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code === 'EEXIST' ? 'it is a file' : (error as Error).message;
    throw new UserError(`cannot write into "${shown}": ${reason}`);
  }
}
