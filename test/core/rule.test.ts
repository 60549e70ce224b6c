import { describe, expect, it } from 'vitest';
import { coreRules, defineRules, findingOf, type Rule, RuleCatalogue } from '../../src/core';
import { onPage, pageOf } from '../../src/core/rule';

const RULE: Omit<Rule, 'id'> = {
  severity: 'error',
  title: 'a title',
  because: 'a reason',
  fix: 'a fix',
  basis: 'read',
  sources: ['https://example.com'],
  failing: { language: 'yaml', text: 'a' },
  corrected: { language: 'yaml', text: 'b' },
};

describe('defineRules', () => {
  it('gives each rule its id', () => {
    expect(defineRules({ 'a-rule': RULE })['a-rule'].id).toBe('a-rule');
  });

  it.each([
    [{ aRule: RULE }, 'rule id "aRule" is not kebab-case'],
    [{ 'a--b': RULE }, 'not kebab-case'],
    [{ a: { ...RULE, fix: ' ' } }, 'rule a: fix is empty'],
    [{ a: { ...RULE, basis: 'inferred' as const } }, 'cannot be an error'],
    [{ a: { ...RULE, sources: [] } }, 'name its sources'],
  ])('refuses a wrong declaration: %#', (rules, message) => {
    expect(() => defineRules(rules as Record<string, Omit<Rule, 'id'>>)).toThrow(message);
  });
});

describe('a rule', () => {
  it('may be inferred without a source, and is no error then', () => {
    const inferred = { ...RULE, basis: 'inferred' as const, severity: 'warning' as const, sources: [] };
    expect(defineRules({ a: inferred }).a.sources).toEqual([]);
    expect(defineRules({ a: { ...RULE, severity: 'note' as const } }).a.severity).toBe('note');
    for (const field of ['title', 'because', 'fix']) {
      expect(() => defineRules({ a: { ...RULE, [field]: '' } })).toThrow(`rule a: ${field} is empty`);
    }
    for (const id of ['A', '1a', 'a-', '-a', 'a_b', 'a b', '']) {
      expect(() => defineRules({ [id]: RULE } as never)).toThrow('is not kebab-case');
    }
    expect(Object.keys(defineRules({ 'a1-2b': RULE }))).toEqual(['a1-2b']);
  });

  it('has a page of its own, or a place on one', () => {
    const { a } = defineRules({ a: RULE });
    expect(pageOf(a)).toBe('a.md');
    expect(pageOf(onPage('others', { a }).a)).toBe('others.md#a');
    expect(findingOf(onPage('others', { a }).a, { message: 'm' }).docs).toBe('docs/rules/others.md#a');
  });

  it('gives a finding what its details leave out', () => {
    const { a } = defineRules({ a: RULE });
    expect(findingOf(a, { message: 'm' })).toEqual({
      rule: 'a',
      severity: 'error',
      message: 'm',
      because: 'a reason',
      fix: 'a fix',
      docs: 'docs/rules/a.md',
    });
    const details = { message: 'm', severity: 'note', because: 'x', fix: 'y', path: 'spec', request: 'GET /' } as const;
    expect(findingOf(a, { ...details, related: { message: 'there' } })).toMatchObject({
      ...details,
      related: { message: 'there' },
    });
    const long = 'x'.repeat(5000);
    const cut = findingOf(a, { message: long, because: long, fix: long, request: long, related: { message: long } });
    for (const text of [cut.message, cut.because, cut.fix, cut.request!, cut.related!.message]) {
      expect(text.length).toBeLessThan(2100);
    }
  });
});

describe('RuleCatalogue', () => {
  const catalogue = RuleCatalogue.of(defineRules({ b: RULE }), defineRules({ 'a-rule': RULE }));

  it('lists the rules of all tables by id', () => {
    expect([...catalogue].map(({ id }) => id)).toEqual(['a-rule', 'b']);
    expect(catalogue.get('b')?.title).toBe('a title');
    expect(catalogue.has('constructor')).toBe(false);
  });

  it('refuses an id that two tables define', () => {
    expect(() => RuleCatalogue.of(defineRules({ a: RULE }), defineRules({ a: RULE }))).toThrow(
      'rule a is defined twice',
    );
  });

  it('takes the same table twice', () => {
    const table = defineRules({ a: RULE });
    expect([...RuleCatalogue.of(table, table)]).toHaveLength(1);
  });

  it('finds what a misspelt id was meant to be', () => {
    expect(catalogue.closestTo('a-rul')).toBe('a-rule');
    expect(catalogue.closestTo('something-else')).toBeUndefined();
  });

  it('holds the rules of core', () => {
    expect([...RuleCatalogue.of(coreRules)].length).toBe(Object.keys(coreRules).length);
  });
});

describe('findingOf', () => {
  it('takes from the rule what the details leave out', () => {
    const { 'a-rule': rule } = defineRules({ 'a-rule': RULE });
    expect(findingOf(rule, { message: 'm', because: undefined, fix: 'another' })).toEqual({
      rule: 'a-rule',
      severity: 'error',
      message: 'm',
      because: 'a reason',
      fix: 'another',
      docs: 'docs/rules/a-rule.md',
    });
  });

  it('keeps what it says at a length that can be read, whatever it quotes', () => {
    const { 'a-rule': rule } = defineRules({ 'a-rule': RULE });
    const text = `start ${'x'.repeat(100_000)} end`;
    const finding = findingOf(rule, {
      message: text,
      because: text,
      fix: text,
      request: text,
      related: { message: text },
    });
    for (const each of [finding.message, finding.because, finding.fix, finding.request, finding.related?.message]) {
      expect(each).toMatch(/^start x+ … x+ end$/);
      expect(each!.length).toBeLessThan(2100);
    }
  });
});
