import { albRules } from './alb';
import { behaviourRules } from './behaviour';
import { inputRules } from './input';
import { resultRules } from './result';
import { syntaxRules } from './syntax';
import { testdataRules } from './testdata';

/** The rules of `checkScript`, by id. */
export const scriptRules = {
  ...syntaxRules,
  ...resultRules,
  ...inputRules,
  ...behaviourRules,
  ...albRules,
  ...testdataRules,
};

/** The id of a rule of `checkScript`. */
export type ScriptRuleId = keyof typeof scriptRules;
