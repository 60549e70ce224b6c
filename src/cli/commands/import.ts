import { type Finding, findingTexts } from '../../core/finding';
import type { Manifest } from '../../core/manifest';
import { toAbsolute, writeAtomically } from '../../files/paths';
import type { Target } from '../../import';
import { escapeTerminalLine } from '../../report/escape';
import { UserError } from '../../settings/user-error';
import type { ImportedProgram } from '../../synthesis';
import { type Command, oneOf, parseOptions } from '../command';
import { readInputs } from '../inputs';
import { type Io, write } from '../io';
import { ProgressLine } from '../progress';

const TARGETS = ['cdk8s', 'pulumi'] as const;

const command: Command = {
  name: 'import',
  usage: `
usage: rollout-constructs import <files|folders|-> [options]

Reads manifests (YAML or JSON, "-" is stdin) and writes a TypeScript program with the constructs of this library that
writes the same objects. Every construct is made with cdk8s and compared with the manifest; where a field differs, the
object stays an ApiObject (cdk8s) or a resource of @pulumi/kubernetes (Pulumi), and stderr says which field it is.
Comments of the YAML are lost.

Options
  --to <tool>              cdk8s or pulumi (default cdk8s)
  --output <file>          write the program there (default stdout)
  --force                  replace a file that exists

Errors that the check finds in the manifests are accepted in the program, so that its synth succeeds: they are entries of
StackCheck, and stderr lists them.

Examples
  rollout-constructs import deploy/ --output main.ts
  helm template . | rollout-constructs import - --to pulumi > index.ts

Exit codes: 0 written; 2 wrong use, manifests that cannot be read, or an object that is there twice.
`,
  async run(args, io) {
    const { values, positionals } = parseOptions(
      command.name,
      args,
      {
        to: { type: 'string', default: 'cdk8s' },
        output: { type: 'string' },
        force: { type: 'boolean', default: false },
      },
      { min: 1, max: Number.POSITIVE_INFINITY, what: 'manifests: files, folders, or - for stdin' },
    );
    const target = oneOf('--to', values.to, TARGETS);
    const { output } = values;
    if (output !== undefined && !values.force) await refuseExisting(output, io);
    const manifests = await readObjects(positionals, io);
    const progress = new ProgressLine(io);
    const imported = await importedFrom(manifests, target, positionals, progress);
    await progress.end();
    if (output === undefined) await write(io.stdout, imported.text);
    else writeAtomically(toAbsolute(io, output), imported.text, output);
    await write(io.stderr, summary(imported, manifests.length, output));
    return 0;
  },
};

export default command;

async function refuseExisting(output: string, io: Io): Promise<void> {
  const { statSync } = await import('node:fs');
  if (statSync(toAbsolute(io, output), { throwIfNoEntry: false })?.isFile() !== true) return;
  throw new UserError(`"${output}" exists already`, 'name another file, or replace it with --force');
}

/** Every object of the files. What cannot be read would be missing in the program. */
async function readObjects(inputs: readonly string[], io: Io): Promise<readonly Manifest[]> {
  const { manifests, findings } = await readInputs(inputs, io);
  const broken = findings.find(({ severity }) => severity === 'error');
  if (broken !== undefined) {
    const { findingTexts } = await import('../../core/finding');
    const { message, fix } = findingTexts(broken);
    throw new UserError(`the manifests cannot be read: ${placeOf(broken)}${message}`, fix);
  }
  if (manifests.length === 0) throw new UserError('there are no objects in these files', 'name files with manifests');
  const { duplicateIn } = await import('../../import');
  const twice = duplicateIn(manifests);
  if (twice === undefined) return manifests;
  const [first, second] = twice;
  throw new UserError(
    `the ${second.kind} "${second.name}" is there twice: in ${shownPlace(first)} and in ${shownPlace(second)}`,
    'name the files of one environment only, and one of them',
  );
}

function placeOf({ source }: Finding): string {
  return source === undefined ? '' : `${source.file}:${source.line}: `;
}

function shownPlace(manifest: Manifest): string {
  const { file, line } = manifest.sourceOf() ?? { file: 'the input', line: 1 };
  return `${file}:${line}`;
}

async function importedFrom(
  manifests: readonly Manifest[],
  target: Target,
  inputs: readonly string[],
  progress: ProgressLine,
): Promise<ImportedProgram> {
  const { importProgram } = await loaded();
  const { CannotImport } = await import('../../import');
  try {
    return importProgram(manifests, {
      target,
      inputs,
      onObject: (done) => void progress.show(`proving: ${done} of ${manifests.length} objects`),
    });
  } catch (error) {
    if (!(error instanceof CannotImport)) throw error;
    throw new UserError(error.message, 'leave it out of the files, and keep it beside the program');
  }
}

/** The constructs need cdk8s, which a project that only checks YAML may lack. */
async function loaded(): Promise<typeof import('../../synthesis')> {
  try {
    return await import('../../synthesis');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'MODULE_NOT_FOUND' || !/'(cdk8s|constructs)'/.test(message)) throw error;
    throw new UserError('import proves the program with cdk8s, which is not installed', 'npm install cdk8s constructs');
  }
}

function summary({ plan, fallbacks, accepted, errors }: ImportedProgram, count: number, output?: string): string {
  const plain = plan.statements.filter(({ writes, class: name }) => isPlain(name, writes[0]!)).length;
  const constructs = plan.statements.length - plain;
  const shares = [
    `${constructs} ${constructs === 1 ? 'construct writes' : 'constructs write'} ${count - plain}`,
    `${plain} ${plain === 1 ? 'stays as it is' : 'stay as they are'}`,
  ];
  const lines = [
    `${output === undefined ? '' : `${output}: `}${count} ${count === 1 ? 'object' : 'objects'}: ${shares.join(', ')}`,
    ...fallbacks.map(
      ({ manifest, construct, reasons }) =>
        `  ${manifest.kind} "${manifest.name}" is no ${construct}: ${reasons.join('; ')}`,
    ),
    ...(accepted.length === 0 ? [] : ['errors that the objects have already, accepted in the program:']),
    ...accepted.map(lineOf),
    ...(errors.length === 0 ? [] : ['errors that the synth reports all the same:']),
    ...errors.map(lineOf),
  ];
  return `${lines.map(escapeTerminalLine).join('\n')}\n`;
}

function isPlain(name: string, { kind }: Manifest): boolean {
  return name === 'ApiObject' || name === 'CustomResource' || name === kind;
}

function lineOf(finding: Finding): string {
  return `  ${finding.rule}: ${findingTexts(finding).message}`;
}
