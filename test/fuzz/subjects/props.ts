import { CONSTRUCTS, outcomeOf, spoilt } from '../../hardness/props';
import { Chance } from '../../hardness/random';
import type { Subject } from './subject';

/** Properties of constructs, one of them wrong. */
export const props: Subject = {
  make: (seed) => String(seed),
  fault: (seed) => {
    const chance = new Chance(Number(seed));
    const each = chance.of(CONSTRUCTS);
    let about = '';
    const outcome = outcomeOf(each, (chart) => {
      const changed = spoilt(each.props(chart), chance, 'wrong');
      about = changed.about;
      return changed.props;
    });
    const isRaw =
      typeof outcome !== 'string' &&
      (outcome instanceof TypeError ||
        /Cannot (read|set|convert|destructure)|is not (a function|iterable)/.test(outcome.message));
    return isRaw ? `${each.name} ${about}: ${outcome.message.slice(0, 200)}` : undefined;
  },
};
