import type { Annotations } from '../../ingress/ingress';
/** `conditions.*` annotations, and the rules that they make together with host and path. */

import { didYouMean } from '../../../core/did-you-mean';
import type { Finding } from '../../../core/finding';
import { isJsonObject, type Json } from '../../../core/json';
import type { Path } from '../../../core/path';
import { defineRules } from '../../../core/rule';
import { annotationKey } from '../../ingress/alb-annotations';
import { listOf, textOf } from '../../values';
import { annotationPath, textAnnotation } from '../annotations';
import type { Member } from '../class';
import { annotatedConditions, type RequestedConditions, ruleConditions } from '../conditions';
import { BuildFailure } from '../failure';
import type { Condition } from '../model';
import { type AwsAlbCheck, type AwsAlbChecker, backendNames } from './context';
import { annotated, header, INGRESS, yaml } from './examples';
import { sources } from './sources';

const withHeader = (config: object) => yaml(annotated({ 'conditions.web': [header('x-user', config)] }));
const SOURCE_IP = { field: 'source-ip', sourceIPConfig: { values: ['10.0.0.0/8'] } };
const paths = (config: object) => ({ field: 'path-pattern', pathPatternConfig: config });

/** Rules on conditions. */
export const conditionRules = defineRules({
  'alb-condition-invalid': {
    severity: 'error',
    title: 'the load balancer controller rejects a condition annotation',
    because: 'the controller applies nothing of the whole group: the load balancer keeps its previous rules',
    fix: 'give each condition the config of its field, with values or with regexValues, and not with both',
    basis: 'run',
    sources: [sources.config, sources.rules],
    failing: withHeader({ values: ['a'], regexValues: ['^b$'] }),
    corrected: withHeader({ regexValues: ['^(a|b)$'] }),
  },

  'alb-condition-field-unknown': {
    severity: 'error',
    title: 'the controller does not know the field of a condition',
    because: 'the controller silently drops such a condition, so the rule matches more requests than intended',
    fix: 'use host-header, path-pattern, http-header, http-request-method, query-string or source-ip',
    basis: 'run',
    sources: [sources.config, sources.rules],
    failing: yaml(annotated({ 'conditions.web': [{ ...SOURCE_IP, field: 'sourceIP' }] })),
    corrected: yaml(annotated({ 'conditions.web': [SOURCE_IP] })),
  },

  'alb-condition-limit': {
    severity: 'error',
    title: 'a condition exceeds a limit of AWS',
    because: 'AWS rejects the rule, and the controller stops updating the load balancer',
    fix: 'a condition has at most 3 values and a rule 5, host and path included (a path of type Prefix counts 2): match on fewer values',
    basis: 'documented',
    sources: [sources.limits, sources.conditions],
    failing: withHeader({ values: ['a', 'b', 'c', 'd'] }),
    corrected: withHeader({ values: ['a', 'b', 'c'] }),
  },

  'alb-condition-wildcards': {
    severity: 'warning',
    title: 'a rule has more wildcards than AWS allows by default',
    because: 'AWS rejects a rule with more than five * and ?, unless the account has a higher quota',
    fix: 'use fewer wildcards, or a regular expression (regexValues)',
    basis: 'documented',
    sources: [sources.limits],
    failing: withHeader({ values: ['*a*b*', '*c*d*'] }),
    corrected: withHeader({ values: ['*a*', '*c*'] }),
  },

  'alb-condition-mixed-regex': {
    severity: 'error',
    title: 'the host or the path of a rule has both plain values and regular expressions',
    because:
      'values of an annotation are added to the host and path of the Ingress, and one condition holds either plain ' +
      'values or expressions: the controller applies nothing of the whole group',
    fix: 'write the path of the Ingress as an expression too (use-regex-path-match), or the condition as plain values',
    basis: 'run',
    sources: [sources.rules],
    failing: yaml(annotated({ 'conditions.web': [paths({ regexValues: ['^/v[12]/'] })] })),
    corrected: yaml(INGRESS),
  },

  'alb-condition-widens': {
    severity: 'warning',
    title: 'a condition on host or path makes its rule match more requests, not fewer',
    because:
      'values of host-header and path-pattern are alternatives to the host and path of the Ingress: a request needs to ' +
      'match only one of them',
    fix: 'put hosts and paths into the rules of the Ingress',
    basis: 'run',
    sources: [sources.rules],
    failing: yaml(annotated({ 'conditions.web': [paths({ values: ['/v2/*'] })] })),
    corrected: yaml(INGRESS),
  },

  'alb-regex-version': {
    severity: 'error',
    title: 'regular expressions need a newer load balancer controller',
    because:
      'regexValues exist from v2.14.1 on; an older controller does not see them, finds the condition without values and ' +
      'applies nothing of the whole group',
    fix: 'update the AWS Load Balancer Controller to v2.14.1 or later, or match plain values with wildcards',
    basis: 'read',
    sources: [sources.regexCommit],
    failing: withHeader({ regexValues: ['^user-[0-9]+$'] }),
    corrected: withHeader({ values: ['user-*'] }),
  },
});

/** Reads conditions as the newest controller does. A separate rule reports what an older release does not support. */
const KNOWS_REGEX = true;

/** Checks the conditions of every Ingress. */
export const checkConditions: AwsAlbChecker = (check) =>
  check.ruled.flatMap((member) =>
    [...backendNames(member)].flatMap((name) => {
      if (textAnnotation(member.ingress.annotations, `conditions.${name}`) === undefined) return [];
      return annotationFindings(check, member, name);
    }),
  );

/** Reads the conditions; throws if the controller refuses them. */
function readConditions(annotations: Annotations, name: string, { version }: AwsAlbCheck): RequestedConditions {
  try {
    return annotatedConditions(annotations, name, KNOWS_REGEX);
  } catch (error) {
    // A release without regexValues drops them, so that it accepts a condition with values as well.
    if (!(error instanceof BuildFailure) || version.facts.regexValues) throw error;
    return annotatedConditions(annotations, name, false);
  }
}

function annotationFindings(check: AwsAlbCheck, member: Member, name: string): Finding[] {
  const { manifest, annotations } = member.ingress;
  const path = annotationPath(`conditions.${name}`);
  let requested: RequestedConditions;
  try {
    requested = readConditions(annotations, name, check);
  } catch (error) {
    if (!(error instanceof BuildFailure)) throw error;
    return [manifest.finding(conditionRules['alb-condition-invalid'], { message: error.message, path })];
  }
  return [
    ...unknownFields(member, name),
    ...olderVersion(check, member, requested, path),
    ...requested.others.flatMap((condition) => limitsOf(member, path, condition)),
    ...repeated(member, path, requested.others),
    ...rulesOf(member, name, requested, path),
  ];
}

const FIELDS = ['host-header', 'path-pattern', 'http-header', 'http-request-method', 'query-string', 'source-ip'];

function unknownFields({ ingress }: Member, name: string): Finding[] {
  const suffix = `conditions.${name}`;
  const entries = JSON.parse(textAnnotation(ingress.annotations, suffix)!) as Json;
  return listOf(entries).flatMap((entry, index) => {
    const field = fieldOf(entry);
    if (FIELDS.includes(field)) return [];
    const meant = didYouMean(field, FIELDS);
    return [
      ingress.manifest.finding(conditionRules['alb-condition-field-unknown'], {
        message: `entry ${index + 1} of ${annotationKey(suffix)} has the field "${field}", which is unknown`,
        path: annotationPath(suffix),
        ...(meant !== undefined && { fix: `did you mean "${meant}"?` }),
      }),
    ];
  });
}

/** The controller ignores the case of keys; the last one wins. */
function fieldOf(entry: Json): string {
  const values = isJsonObject(entry) ? Object.entries(entry).filter(([key]) => key.toLowerCase() === 'field') : [];
  return textOf(values.at(-1)?.[1]) ?? '';
}

function olderVersion(
  { version }: AwsAlbCheck,
  { ingress }: Member,
  requested: RequestedConditions,
  path: Path,
): Finding[] {
  if (version.facts.regexValues) return [];
  const { host, path: ofPath, others } = requested;
  const uses = [host, ofPath, ...others].some((each) => 'regexValues' in each && (each.regexValues?.length ?? 0) > 0);
  if (!uses) return [];
  return [
    ingress.manifest.finding(conditionRules['alb-regex-version'], {
      message: `the condition has regexValues, which the AWS Load Balancer Controller ${version} does not know`,
      path,
    }),
  ];
}

const MAX_VALUES = 3;
const MAX_VALUES_OF_RULE = 5;
const MAX_WILDCARDS = 5;
const MAX_HEADER_NAME = 40;
const MAX_LENGTH = 128;
const TOKEN = /^[-!#$%&'+.^_`|~0-9A-Za-z]+$/;

function limitsOf({ ingress }: Member, path: Path, condition: Condition): Finding[] {
  const found = (message: string, fix?: string) => [
    ingress.manifest.finding(conditionRules['alb-condition-limit'], {
      message,
      path,
      ...(fix !== undefined && { fix }),
    }),
  ];
  const texts = textsOf(condition);
  const tooMany =
    texts.length > MAX_VALUES
      ? found(`a condition on ${condition.field} has ${texts.length} values; AWS allows ${MAX_VALUES}`)
      : [];
  const long = texts.filter((text) => text.length > MAX_LENGTH);
  const tooLong = long.flatMap((text) =>
    found(`a value of ${condition.field} has ${text.length} characters; AWS allows ${MAX_LENGTH}`, 'shorten the value'),
  );
  return [
    ...tooMany,
    ...tooLong,
    ...(condition.field === 'http-header' ? headerName(condition.httpHeaderName, found) : []),
  ];
}

function headerName(name: string, found: (message: string, fix?: string) => Finding[]): Finding[] {
  if (name.toLowerCase() === 'host') {
    return found(
      'a condition is on the header "Host", which AWS refuses',
      'use the host of the rule, or a condition of the field host-header',
    );
  }
  if (name.length <= MAX_HEADER_NAME && TOKEN.test(name)) return [];
  return found(
    `a condition is on the header "${name}", which is no header name for AWS`,
    `a name has 1 to ${MAX_HEADER_NAME} letters, digits or -_., and no wildcard`,
  );
}

/** Each value of a condition counts once; the key of a query parameter counts, too. */
function textsOf(condition: Condition): readonly string[] {
  if (condition.field === 'query-string') return condition.values.map(({ key, value }) => `${key ?? ''}${value}`);
  return [...(condition.values ?? []), ...(condition.regexValues ?? [])];
}

/** Fields that a rule may have only once. The controller merges hosts and paths. */
const ONCE = ['http-request-method', 'source-ip'] as const;

function repeated({ ingress }: Member, path: Path, conditions: readonly Condition[]): Finding[] {
  return ONCE.filter((field) => conditions.filter((condition) => condition.field === field).length > 1).map((field) =>
    ingress.manifest.finding(conditionRules['alb-condition-limit'], {
      message: `there are several conditions of the field ${field}; AWS allows one in a rule`,
      path,
      fix: 'merge the values into one condition',
    }),
  );
}

/** Problems that depend on host and path. Several rules of the Ingress may have the same problem. */
function rulesOf(member: Member, name: string, requested: RequestedConditions, path: Path): Finding[] {
  const { ingress } = member;
  return ingress.rules.flatMap(({ host, paths: ofRule }) =>
    ofRule
      .filter(({ backend }) => backend.service?.name === name)
      .flatMap((ingressPath) => {
        try {
          const conditions = ruleConditions(ingress, host, ingressPath, requested, KNOWS_REGEX);
          return [
            ...tooManyValues(member, path, conditions),
            ...wildcards(member, path, conditions),
            ...widens(member, path, requested, host, ingressPath.path),
          ];
        } catch (error) {
          if (!(error instanceof BuildFailure)) throw error;
          // Another rule reports an invalid path.
          if (error.errorClass !== 'condition-values-and-regex') return [];
          return [
            ingress.manifest.finding(conditionRules['alb-condition-mixed-regex'], { message: error.message, path }),
          ];
        }
      }),
  );
}

function tooManyValues({ ingress }: Member, path: Path, conditions: readonly Condition[]): Finding[] {
  const count = conditions.flatMap(textsOf).length;
  if (count <= MAX_VALUES_OF_RULE) return [];
  return [
    ingress.manifest.finding(conditionRules['alb-condition-limit'], {
      message: `the rule has ${count} values with host and path; AWS allows ${MAX_VALUES_OF_RULE}`,
      path,
    }),
  ];
}

function wildcards({ ingress }: Member, path: Path, conditions: readonly Condition[]): Finding[] {
  const plain = conditions.flatMap((condition) =>
    condition.field === 'query-string' ? textsOf(condition) : (condition.values ?? []),
  );
  const count = plain.join('').replace(/\\[*?]|[^*?]/g, '').length;
  if (count <= MAX_WILDCARDS) return [];
  return [
    ingress.manifest.finding(conditionRules['alb-condition-wildcards'], {
      message: `the rule has ${count} wildcards with host and path; AWS allows ${MAX_WILDCARDS} by default`,
      path,
    }),
  ];
}

function widens(
  { ingress }: Member,
  path: Path,
  requested: RequestedConditions,
  host: string,
  ownPath: string,
): Finding[] {
  const wide = [
    ...(host !== '' && requested.host.values.length > 0
      ? [`hosts ${requested.host.values.join(', ')} to the host ${host}`]
      : []),
    ...(ownPath !== '' && requested.path.values.length > 0
      ? [`paths ${requested.path.values.join(', ')} to the path ${ownPath}`]
      : []),
  ];
  return wide.map((what) =>
    ingress.manifest.finding(conditionRules['alb-condition-widens'], {
      message: `the condition adds the ${what}`,
      path,
    }),
  );
}
