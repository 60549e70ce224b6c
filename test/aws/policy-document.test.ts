import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasAction, matchesPattern, policyDocument, policyJson, readPolicy } from '../../src/aws';
import { conditionHolds } from '../../src/aws/conditions';

const RUN = { seed: 5, numRuns: 300 };

describe('patterns of IAM', () => {
  it.each([
    ['*', '', true],
    ['elasticloadbalancing:Describe*', 'elasticloadbalancing:DescribeTags', true],
    ['elasticloadbalancing:Describe*', 'ec2:DescribeTags', false],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['a.c', 'abc', false],
    ['*:sub', 'x:subs', false],
    ['**b*', 'aab', true],
  ])('%s and %s: %s', (pattern, text, fits) => {
    expect(matchesPattern(pattern, text)).toBe(fits);
  });

  it('match like a regular expression of the same form', () => {
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 7 });
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 });
    fc.assert(
      fc.property(pattern, text, (written, tried) => {
        const expression = new RegExp(`^${written.replaceAll('?', '.').replace(/\*+/g, '.*')}$`);
        expect(matchesPattern(written, tried)).toBe(expression.test(tried));
      }),
      RUN,
    );
  });
});

describe('a policy that is read', () => {
  it('has lists for single values', () => {
    const read = readPolicy(
      '{"Statement": {"Effect": "Deny", "Action": "ec2:*", "Resource": "*", "Condition": {"Bool": {"a:b": true}}}}',
    );
    expect(read).toEqual({
      statements: [
        {
          effect: 'Deny',
          actions: ['ec2:*'],
          resources: ['*'],
          principals: new Map(),
          conditions: [{ operator: 'Bool', key: 'a:b', values: ['true'] }],
          isNegative: false,
        },
      ],
    });
  });

  it('compares actions without regard to case', () => {
    const read = readPolicy(policyJson(policyDocument({ Effect: 'Allow', Action: 'ELASTICLOADBALANCING:describe*' })));
    expect('statements' in read && hasAction(read.statements[0]!, 'elasticloadbalancing:DescribeTags')).toBe(true);
  });

  it.each([
    ['', 'it is not JSON'],
    ['{"Statement": [}', 'it is not JSON'],
    ['null', 'it is null and not an object'],
    ['[]', 'it is a list and not an object'],
    ['{"Version": "2012-10-17"}', 'it has no Statement'],
    ['{"Version": "2012-10-18", "Statement": []}', 'its Version is "2012-10-18"'],
    ['{"Statement": ["x"]}', 'Statement[0] is a string and not an object'],
    ['{"Statement": [{"Action": "a:b"}]}', 'the Effect of Statement[0] is missing'],
    ['{"Statement": [{"Effect": "allow", "Action": "a:b"}]}', 'the Effect of Statement[0] is "allow"'],
    ['{"Statement": [{"Effect": "Allow"}]}', 'Statement[0] has no Action'],
    ['{"Statement": [{"Effect": "Allow", "Action": "a:b", "Condition": {"StringEquals": "x"}}]}', 'the Condition of'],
  ])('%s: %s', (text, problem) => {
    expect(readPolicy(text)).toEqual({ problem: expect.stringContaining(problem) });
  });

  it('takes any text without an exception', () => {
    const near = fc.jsonValue().map((value) => JSON.stringify({ Version: '2012-10-17', Statement: value }));
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), near), (text) => {
        const read = readPolicy(text);
        expect('problem' in read ? read.problem : read.statements).not.toHaveLength(0);
      }),
      RUN,
    );
  });
});

describe('a condition', () => {
  const context = new Map([['aws:requestedregion', 'eu-west-1']]);
  const holds = (operator: string, values: readonly string[], key = 'aws:RequestedRegion') =>
    conditionHolds({ operator, key, values }, context, (one) => one === 'aws:known');

  it.each([
    ['StringEquals', ['eu-west-1'], undefined, true],
    ['StringEquals', ['us-east-1', 'eu-west-1'], undefined, true],
    ['StringEquals', ['EU-WEST-1'], undefined, false],
    ['StringEqualsIgnoreCase', ['EU-WEST-1'], undefined, true],
    ['StringLike', ['eu-*'], undefined, true],
    ['StringEquals', ['eu-*'], undefined, false],
    ['StringNotEquals', ['eu-west-1'], undefined, false],
    ['StringNotLike', ['us-*'], undefined, true],
    ['ForAnyValue:StringEquals', ['eu-west-1'], undefined, true],
    ['StringEquals', ['x'], 'aws:known', false],
    ['StringEqualsIfExists', ['x'], 'aws:known', true],
    ['StringNotEquals', ['x'], 'aws:known', true],
    ['ForAllValues:StringEquals', ['x'], 'aws:known', true],
    ['ForAnyValue:StringEquals', ['x'], 'aws:known', false],
    ['StringEquals', ['x'], 'aws:SourceVpc', undefined],
    ['IpAddress', ['10.0.0.0/8'], undefined, undefined],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: that is how IAM writes variables
    ['StringEquals', ['${aws:PrincipalTag/region}'], undefined, undefined],
  ])('%s %j on %s: %s', (operator, values, key, answer) => {
    expect(holds(operator, values, key)).toBe(answer);
  });
});
