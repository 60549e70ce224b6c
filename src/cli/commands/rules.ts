import { type Command, oneOf, parseOptions } from '../command';
import { write } from '../io';

const command: Command = {
  name: 'rules',
  usage: `
usage: rollout-constructs rules [options]

Options
  --format <format>        text, json or markdown (default text)
`,
  async run(args, io) {
    const { values } = parseOptions(
      command.name,
      args,
      { format: { type: 'string', default: 'text' } },
      { max: 0, what: 'nothing' },
    );
    const format = oneOf('--format', values.format, ['text', 'json', 'markdown']);
    const { ruleGroups } = await import('../../check');
    const { ruleIndex, ruleList } = await import('../../report/rule-page');
    const formats = {
      text: () => ruleList(ruleGroups),
      json: () => `${JSON.stringify(ruleGroups, undefined, 2)}\n`,
      markdown: () => ruleIndex(ruleGroups),
    };
    await write(io.stdout, formats[format]());
    return 0;
  },
};

export default command;
