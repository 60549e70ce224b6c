import { rulesNamed } from '../../settings/rule-names';
import { type Command, parseOptions } from '../command';
import { styleOf, write } from '../io';

const command: Command = {
  name: 'explain',
  usage: `
usage: rollout-constructs explain <rule> [options]

Options
  --markdown               the page as it is under docs/rules
  --no-color               no colours; so does the variable NO_COLOR

Exit codes: 0 explained; 2 unknown rule.
`,
  async run(args, io) {
    const { values, positionals } = parseOptions(
      command.name,
      args,
      { markdown: { type: 'boolean', default: false }, 'no-color': { type: 'boolean', default: false } },
      { min: 1, max: 1, what: 'the id of a rule' },
    );
    const { ruleGroups, wholeCatalogue } = await import('../../check');
    const [id] = rulesNamed(positionals, 'explain', wholeCatalogue);
    const { ruleExplanation, rulePage } = await import('../../report/rule-page');
    const group = ruleGroups.find(({ rules }) => rules.some((rule) => rule.id === id))!;
    const rule = group.rules.find((each) => each.id === id)!;
    const text = values.markdown
      ? rulePage(rule, group.acceptedBy)
      : ruleExplanation(rule, group.acceptedBy, styleOf(io, values['no-color']));
    await write(io.stdout, text);
    return 0;
  },
};

export default command;
