import { checkedConfig } from '../../../src/settings/config';
import { mutated } from '../../hardness/mutation';
import { Chance } from '../../hardness/random';
import { refusal, type Subject } from './subject';

/** Configuration files. */
export const config: Subject = {
  make: (seed) => {
    const chance = new Chance(seed);
    const config = {
      files: ['a'],
      kruiseVersion: '0.6',
      external: [{ kind: 'A', name: 'b' }],
      rules: { 'alb-scheme': 'off' },
      suppressions: [{ rule: 'x', reason: 'y' }],
      maxWarnings: 0,
      probes: ['GET /'],
    };
    return JSON.stringify(mutated(mutated(config as never, chance), chance));
  },
  fault: (text) => refusal(() => checkedConfig(JSON.parse(text), 'fuzz.json')),
};
