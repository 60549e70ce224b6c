/** What inputs are made of: the examples of all rules. */
import { ruleGroups } from '../../../src/check';
import { parseManifests } from '../../../src/core';
import { HOSTILE } from '../../hardness/hostile-texts';
import type { Chance } from '../../hardness/random';

const examples = ruleGroups
  .flatMap(({ rules }) => rules)
  .flatMap(({ failing, corrected }) => [failing, corrected])
  .filter(({ text }) => text.trim() !== '');
const ofLanguage = (language: string) => examples.flatMap((one) => (one.language === language ? [one.text] : []));
export const stacks = ofLanguage('yaml').map((text) => ({
  text,
  manifests: parseManifests(text, 'example.yaml').manifests,
}));
export const scripts = ofLanguage('lua');

/** The text with up to four things in it removed, doubled, or replaced. */
export function spoiltText(text: string, chance: Chance): string {
  let spoilt = text;
  for (let times = 1 + chance.below(4); times > 0; times--) {
    const [a, b] = [chance.below(spoilt.length + 1), chance.below(spoilt.length + 1)].sort((x, y) => x - y) as [
      number,
      number,
    ];
    const kind = chance.below(5);
    const part = spoilt.slice(a, Math.min(b, a + 200));
    if (kind === 0) spoilt = spoilt.slice(0, a) + spoilt.slice(a + part.length);
    else if (kind === 1) spoilt = spoilt.slice(0, b) + part + spoilt.slice(b);
    else if (kind === 2) spoilt = spoilt.slice(0, a) + chance.of(HOSTILE) + spoilt.slice(a);
    else if (kind === 3)
      spoilt = spoilt.slice(0, a) + String.fromCodePoint(chance.below(0x2fff) + 1) + spoilt.slice(a + 1);
    else
      spoilt =
        spoilt.slice(0, a) +
        chance.of(['(', ')', '[', ']', '{', '}', '"', "'", '*', '&', '\n', '- ', ': ', '\\', '#']) +
        spoilt.slice(a);
  }
  return spoilt;
}
