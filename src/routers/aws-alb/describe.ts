import type { AlbListener, Condition, ListenerRule } from './model';

/** A rule in words: `rule 3 of HTTP:80: header x-user is "pc" and path is "/cart" or "/cart/*"`. */
export function describeRule({ port, protocol }: Pick<AlbListener, 'port' | 'protocol'>, rule: ListenerRule): string {
  return `rule ${rule.priority} of ${protocol}:${port}: ${rule.conditions.map(describeCondition).join(' and ')}`;
}

function describeCondition(condition: Condition): string {
  if (condition.field === 'query-string') {
    const pairs = condition.values.map(({ key, value }) =>
      JSON.stringify(key === undefined ? value : `${key}=${value}`),
    );
    return `query has ${pairs.join(' or ')}`;
  }
  const { values, regexValues = [] } = condition;
  const subject = condition.field === 'http-header' ? `header ${condition.httpHeaderName}` : SUBJECTS[condition.field];
  const verb = values === undefined ? 'matches' : 'is';
  return `${subject} ${verb} ${(values ?? regexValues).map((value) => JSON.stringify(value)).join(' or ')}`;
}

const SUBJECTS = {
  'host-header': 'host',
  'path-pattern': 'path',
  'http-request-method': 'method',
  'source-ip': 'source address',
} as const;
