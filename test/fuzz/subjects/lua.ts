import { checkScript } from '../../../src/kruise/scripts/checks';
import { Chance } from '../../hardness/random';
import { scripts, spoiltText } from './examples';
import { RAW, SECONDS, type Subject } from './subject';

/** Routing scripts with parts missing or strange. */
export const lua: Subject = {
  make: (seed) => {
    const chance = new Chance(seed);
    return spoiltText(chance.of(scripts), chance);
  },
  fault: (source) => {
    const began = Date.now();
    const found = () => checkScript({ source, target: { provider: 'ingress', classType: 'mine' } });
    const first = found();
    if (Date.now() - began > SECONDS * 1000) return 'it has no end';
    const raw = first.find(({ message, rule }) => RAW.test(message) && !rule.startsWith('lua-'));
    return raw === undefined ? undefined : `a finding says: ${raw.message}`;
  },
};
