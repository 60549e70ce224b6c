import type { Finding } from '../../../core/finding';
import type { CheckedScript } from './checked-script';
import { header, matching } from './step';
import { writtenText } from './trial';

const cookie = matching({ headers: [header('cookie', 'consent=yes')] });
const almostCookie = matching({ headers: [header('x-cookie-consent', 'consent=yes')] });

/** Headers that the script mistakes for the Cookie header because of their names. */
export function* renamedHeaders(script: CheckedScript): Iterable<Finding> {
  for (const stage of script.stages) {
    const asCookie = writtenText(script.trial.play(stage, cookie));
    if (asCookie === undefined || asCookie !== writtenText(script.trial.play(stage, almostCookie))) continue;
    // A script that ignores all names has a different finding.
    const other = writtenText(script.trial.play(stage, matching({ headers: [header('x-team', 'consent=yes')] })));
    if (other === asCookie) continue;
    const message = 'the script writes the same result for the headers x-cookie-consent and cookie';
    yield script.finding('lua-header-renamed', script.literal('cookie'), message);
    return;
  }
}

const agentOf = (value: string) => matching({ headers: [header('user-agent', value)] });

/** Values that the script splits or cuts at a semicolon. */
export function* splitValues(script: CheckedScript): Iterable<Finding> {
  for (const stage of script.stages) {
    const whole = writtenText(script.trial.play(stage, agentOf('one-two')));
    const split = writtenText(script.trial.play(stage, agentOf('one;two')));
    // An escaped semicolon may separate the halves, but not the end of a value.
    if (split === undefined || !whole?.includes('one-two') || /one[^",]{1,5}two/.test(split)) continue;
    const message = 'the script does not write the value "one;two" of the header user-agent as one value';
    yield script.finding(
      'lua-header-value-split',
      script.firstRead('obj.matches[].headers[].value', 'obj.matches[].headers'),
      message,
    );
    return;
  }
}
