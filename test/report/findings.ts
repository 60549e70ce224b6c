import fc from 'fast-check';
import type { Finding } from '../../src/core';
import type { ReportContext } from '../../src/report';

export const PLAIN: ReportContext = { color: false, ascii: true };

export const ERROR: Finding = {
  rule: 'a-rule',
  severity: 'error',
  message: 'the Service "web" does not exist',
  because: 'the load balancer answers 503',
  fix: 'create it',
  docs: 'docs/rules/a-rule.md',
  object: { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', namespace: 'shop', name: 'web' },
  path: 'spec.rules[0].host',
  source: { file: 'deploy/web.yaml', line: 2, column: 7 },
  related: { message: 'the stable Ingress is here', source: { file: 'deploy/web.yaml', line: 10, column: 1 } },
  step: 1,
  request: 'GET https://shop.example.com/',
};

export const WARNING: Finding = {
  rule: 'b-rule',
  severity: 'warning',
  message: 'odd',
  because: 'it is',
  fix: 'mend it',
  docs: 'docs/rules/b-rule.md',
};

export const SOURCES = new Map([
  ['deploy/web.yaml', `a: 1\nhost: example.com # x\n${'x: 1\n'.repeat(7)}kind: Ingress\n`],
]);

/** What a manifest may hold to harm a terminal, a log or another format. */
const HOSTILE = fc.oneof(
  fc.constantFrom(
    '\u001b[2J',
    '\u009b31m',
    '\r',
    '\n',
    '::error::x',
    '%0A',
    ']]>',
    '<script>',
    '&',
    '"',
    "'",
    '|',
    '`',
    '@team',
    '\u202e',
    '\ud800',
    '##[group]',
    '\u0000',
    '\u2028',
    '-->',
    'a,b:c',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
);

export const ANY_TEXT = fc.array(HOSTILE, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''));

export const ANY_FINDING: fc.Arbitrary<Finding> = fc.record(
  {
    rule: fc.constantFrom('a-rule', 'b-rule'),
    severity: fc.constantFrom('error' as const, 'warning' as const, 'note' as const),
    message: ANY_TEXT,
    because: ANY_TEXT,
    fix: ANY_TEXT,
    docs: fc.constant('docs/rules/a-rule.md'),
    object: fc.record({ kind: ANY_TEXT, name: ANY_TEXT, namespace: ANY_TEXT }),
    path: ANY_TEXT,
    source: fc.record({
      file: fc.oneof(ANY_TEXT, fc.constant('a.yaml')),
      line: fc.integer({ min: 1, max: 3 }),
      column: fc.integer({ min: 1, max: 300 }),
    }),
    related: fc.record({ message: ANY_TEXT, source: fc.constant({ file: 'a.yaml', line: 1, column: 1 }) }),
    construct: ANY_TEXT,
    request: ANY_TEXT,
  },
  { requiredKeys: ['rule', 'severity', 'message', 'because', 'fix', 'docs'] },
);

/** Everything that moves a cursor, reorders text or cannot be seen. */
export const UNSAFE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2028\u2029\u2066-\u2069\u2800\p{Default_Ignorable_Code_Point}]/u;
