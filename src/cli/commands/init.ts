import { toAbsolute, toDisplay } from '../../files/paths';
import { UserError } from '../../settings/user-error';
import { type Command, oneOf, parseOptions } from '../command';
import { appFiles, nextSteps, stepLines, TEMPLATES, type TemplateName } from '../init/templates';
import { write } from '../io';

const NAMES = Object.keys(TEMPLATES) as TemplateName[];
const LIST = NAMES.map((name) => `  ${name.padEnd(16)} ${TEMPLATES[name].summary}`).join('\n');

const command: Command = {
  name: 'init',
  usage: `
usage: rollout-constructs init [folder] --template <template>

Writes an app into the folder (default: the one you are in): its code with a test of what a release will do, package.json,
the configuration of cdk8s or Pulumi, TypeScript and this command line, a README, a workflow for GitHub and a job for
GitLab. It never overwrites a file: when one is in the way, nothing is written.

Templates
${LIST}

Exit codes: 0 written; 2 wrong use, files in the way, or a folder that cannot be written.
`,
  async run(args, io) {
    const { values, positionals } = parseOptions(
      command.name,
      args,
      { template: { type: 'string' } },
      { max: 1, what: 'a folder' },
    );
    if (values.template === undefined) {
      throw new UserError('init needs --template', `there are: ${NAMES.join(', ')}`);
    }
    const template = oneOf('--template', values.template, NAMES);
    const { writeApp } = await import('../init/write-app');
    const folder = toAbsolute(io, positionals[0] ?? '.');
    const shown = folder === toAbsolute(io, '.') ? '.' : toDisplay(io, folder);
    const files = appFiles(template, folder);
    writeApp(folder, files, shown);
    await write(io.stdout, report([...files.keys()], shown, template));
    return 0;
  },
};

export default command;

function report(files: readonly string[], shown: string, template: TemplateName): string {
  const steps = stepLines([...(shown === '.' ? [] : [[`cd ${quoted(shown)}`, ''] as const]), ...nextSteps(template)]);
  const where = shown === '.' ? 'this folder' : `"${shown}"`;
  return [
    `written into ${where}:`,
    ...files.map((file) => `  ${file}`),
    '',
    'next:',
    ...steps.map((step) => `  ${step}`),
    '',
  ].join('\n');
}

/** As a shell takes it. */
function quoted(path: string): string {
  return /^[\w./~-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
