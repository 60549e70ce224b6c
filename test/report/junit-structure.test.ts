import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reporters } from '../../src/report';
import { ANY_FINDING, PLAIN } from './findings';

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

const ENTITY = /&(?:amp|lt|gt|quot|apos|#\d+);/;
const TEXT = new RegExp(`^(?:[^<&]|${ENTITY.source})*$`);

/** Reads XML without anything that the report does not use: what is not well-formed throws. */
function parseXml(xml: string): Element {
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
  if (!xml.startsWith(declaration)) throw new Error('no declaration');
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  for (const [, tag, text = ''] of xml.slice(declaration.length).matchAll(/(<[^>]*>)([^<]*)/g)) {
    const [, end, name, attributes = '', empty] = /^<(\/?)([a-z-]+)((?: [a-z]+="[^"<]*")*)(\/?)>$/.exec(tag!) ?? [];
    if (name === undefined) throw new Error(`not a tag: ${tag}`);
    if (end) {
      if (open.pop()!.name !== name) throw new Error(`</${name}> ends nothing`);
    } else {
      const element: Element = { name, attributes: attributesOf(attributes), children: [], text: '' };
      open.at(-1)!.children.push(element);
      if (!empty) open.push(element);
    }
    if (!TEXT.test(text)) throw new Error(`not text: ${text}`);
    open.at(-1)!.text += text;
  }
  if (open.length !== 1 || root.children.length !== 1) throw new Error('not one root');
  return root.children[0]!;
}

function attributesOf(text: string): Record<string, string> {
  const found = [...text.matchAll(/ ([a-z]+)="([^"]*)"/g)].map(([, name, value]) => [name!, value!] as const);
  for (const [, value] of found) if (!TEXT.test(value)) throw new Error(`not a value: ${value}`);
  if (new Set(found.map(([name]) => name)).size < found.length) throw new Error(`an attribute twice: ${text}`);
  return Object.fromEntries(found);
}

/** Outside of what XML 1.0 can hold. */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

describe('JUnit XML', () => {
  it('has the elements that CI systems read, with matching counts', () => {
    const reports = fc.property(fc.array(ANY_FINDING, { maxLength: 8 }), (findings) => {
      const xml = reporters.junit(findings, PLAIN);
      expect(xml).not.toMatch(NOT_XML);
      const suites = parseXml(xml);
      expect(suites.name).toBe('testsuites');
      expect(suites.children.map(({ name }) => name)).toEqual(['testsuite']);
      const [suite] = suites.children as [Element];
      const cases = suite.children;
      const failures = cases.flatMap(({ children }) => children).filter(({ name }) => name === 'failure');
      for (const { attributes } of [suites, suite]) {
        expect(attributes).toEqual({
          name: 'rollout-constructs',
          tests: String(cases.length),
          failures: String(failures.length),
        });
      }
      expect(cases).toHaveLength(Math.max(1, findings.length));
      expect(failures).toHaveLength(findings.filter(({ severity }) => severity === 'error').length);
      for (const { name, attributes, children } of cases) {
        expect(name).toBe('testcase');
        expect(attributes.name).toMatch(/\S/);
        for (const key of Object.keys(attributes)) expect(['classname', 'name', 'file', 'line']).toContain(key);
        for (const child of children) expect(['failure', 'system-out']).toContain(child.name);
        for (const child of children) expect(child.children).toEqual([]);
      }
      for (const { attributes } of failures) expect(Object.keys(attributes)).toEqual(['type', 'message']);
    });
    fc.assert(reports, { seed: 13, numRuns: 300 });
  });

  it.each([
    ['an open tag', '<testsuites>\n'],
    ['a bare ampersand', '<a>&b</a>'],
    ['a quote within a value', '<a b="c"d"/>'],
    ['two roots', '<a/><b/>'],
  ])('would be refused with %s', (_, xml) => {
    expect(() => parseXml(`<?xml version="1.0" encoding="UTF-8"?>\n${xml}`)).toThrow();
  });
});
