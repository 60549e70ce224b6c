import { type Json, ownValue, sameJson } from '../json';

/** Whether a value keeps a validation rule. */
export type RulePredicate = (self: Json, oldSelf: Json | undefined) => boolean;

/** A rule on the path of a match: a regular expression may hold anything. */
const plainPath =
  (accepts: (path: string) => boolean): RulePredicate =>
  (self) =>
    ownValue(self, 'type') === 'RegularExpression' || accepts(String(ownValue(self, 'value')));

const withoutText = (text: string) => plainPath((path) => !path.includes(text));
const withoutEnd = (text: string) => plainPath((path) => !path.endsWith(text));

/**
 * The validation rules of the CRDs that this library knows, by their expression. They are few and they never change, so
 * each is a function here and the library needs no interpreter of CEL. A test fails when a CRD has a rule that is missing.
 */
const PREDICATES: Readonly<Record<string, RulePredicate>> = {
  'self == oldSelf': (self, oldSelf) => oldSelf !== undefined && sameJson(self, oldSelf),
  "self.type == 'RegularExpression' || self.value.startsWith('/')": plainPath((path) => path.startsWith('/')),
  "self.type == 'RegularExpression' || !self.value.contains('//')": withoutText('//'),
  "self.type == 'RegularExpression' || !self.value.contains('/./')": withoutText('/./'),
  "self.type == 'RegularExpression' || !self.value.contains('/../')": withoutText('/../'),
  "self.type == 'RegularExpression' || !self.value.contains('%2f')": withoutText('%2f'),
  "self.type == 'RegularExpression' || !self.value.contains('%2F')": withoutText('%2F'),
  "self.type == 'RegularExpression' || !self.value.contains('#')": withoutText('#'),
  "self.type == 'RegularExpression' || !self.value.endsWith('/..')": withoutEnd('/..'),
  "self.type == 'RegularExpression' || !self.value.endsWith('/.')": withoutEnd('/.'),
  [`self.type == 'RegularExpression' || self.value.matches("^([-A-Za-z0-9/._~!$&'()*+,;=:@]|%[0-9a-fA-F]{2})+$")`]:
    plainPath((path) => /^([-A-Za-z0-9/._~!$&'()*+,;=:@]|%[0-9a-fA-F]{2})+$/.test(path)),
};

/** The predicate of a rule; undefined for a rule of no known CRD. */
export function predicateOf(rule: string): RulePredicate | undefined {
  return Object.hasOwn(PREDICATES, rule) ? PREDICATES[rule] : undefined;
}
