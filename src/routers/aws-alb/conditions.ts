import type { Annotations, Ingress, IngressPath } from '../ingress/ingress';
import { annotationPath, jsonAnnotation } from './annotations';
import { BuildFailure } from './failure';
import { type Decoded, type Decoder, ignored, list, optional, struct, text } from './go-json';
import type { Condition } from './model';
import { pathPatterns } from './paths';

type Texts = Decoder<readonly string[]>;

function conditionsDecoder(regexValues: Texts) {
  const values: Texts = list(text);
  const valuesOnly = optional(struct({ values }));
  const valuesOrRegex = optional(struct({ values, regexValues }));
  return list(
    struct({
      field: text,
      hostHeaderConfig: valuesOrRegex,
      httpHeaderConfig: optional(struct({ httpHeaderName: text, values, regexValues })),
      httpRequestMethodConfig: valuesOnly,
      pathPatternConfig: valuesOrRegex,
      queryStringConfig: optional(struct({ values: list(struct({ key: optional(text), value: text })) })),
      sourceIPConfig: valuesOnly,
    }),
  );
}

const conditionsJson = conditionsDecoder(list(text));
const conditionsJsonWithoutRegex = conditionsDecoder(ignored([]));

type ConditionJson = Decoded<typeof conditionsJson>[number];

/** The conditions of an annotation. Hosts and paths widen the rule, other conditions narrow it. */
export interface RequestedConditions {
  /** `conditions.<name>` */
  readonly suffix: string;
  readonly host: Alternatives;
  readonly path: Alternatives;
  /** In the order of the annotation. */
  readonly others: readonly Condition[];
}

interface Alternatives {
  readonly values: readonly string[];
  readonly regexValues: readonly string[];
}

/**
 * The conditions of the annotation `conditions.<name>`, which apply to every path with a backend of that name. The
 * controller silently drops an entry with an unknown field.
 * @param regexValues whether the release supports regular expressions
 * @throws BuildFailure
 */
export function annotatedConditions(annotations: Annotations, name: string, regexValues = true): RequestedConditions {
  const suffix = `conditions.${name}`;
  const entries = jsonAnnotation(annotations, suffix, regexValues ? conditionsJson : conditionsJsonWithoutRegex) ?? [];
  for (const entry of entries) {
    const mistake = mistakeIn(entry);
    if (mistake !== undefined) throw new BuildFailure('condition-config', mistake, undefined, annotationPath(suffix));
  }
  return {
    suffix,
    host: merged(entries, 'host-header', 'hostHeaderConfig'),
    path: merged(entries, 'path-pattern', 'pathPatternConfig'),
    others: entries.flatMap((entry) => conditionOf(entry) ?? []),
  };
}

/**
 * All conditions of a path of an Ingress: those of the annotation in their order, then the host, then the path. The
 * values of host and path from the Ingress and from the annotation are alternatives.
 * @param regexPaths whether the release supports expressions as paths
 * @throws BuildFailure
 */
export function ruleConditions(
  ingress: Ingress,
  host: string,
  path: IngressPath,
  requested: RequestedConditions,
  regexPaths = true,
): readonly Condition[] {
  const own = pathPatterns(ingress, path, regexPaths);
  const hosts = join({ values: host === '' ? [] : [host], regexValues: [] }, requested.host);
  const paths = join(own, requested.path);
  checkOneKind('host', hosts, requested.suffix);
  checkOneKind('path', paths, requested.suffix);
  const conditions = [
    ...requested.others,
    ...conditionsOf('host-header', hosts),
    ...conditionsOf('path-pattern', paths),
  ];
  return conditions.length === 0 ? [{ field: 'path-pattern', values: ['/*'] }] : conditions;
}

function mistakeIn(entry: ConditionJson): string | undefined {
  switch (entry.field) {
    case 'host-header':
      return mistakeInValues('hostHeaderConfig', entry.hostHeaderConfig);
    case 'path-pattern':
      return mistakeInValues('pathPatternConfig', entry.pathPatternConfig);
    case 'http-header':
      return mistakeInValues('httpHeaderConfig', entry.httpHeaderConfig);
    case 'http-request-method':
      return mistakeInList('httpRequestMethodConfig', entry.httpRequestMethodConfig);
    case 'source-ip':
      return mistakeInList('sourceIPConfig', entry.sourceIPConfig);
    case 'query-string':
      return mistakeInQuery(entry.queryStringConfig);
    default:
      return undefined;
  }
}

function mistakeInValues(name: string, config: Alternatives | undefined): string | undefined {
  if (config === undefined) return `missing ${name}`;
  const hasValues = config.values.length > 0;
  const hasRegex = config.regexValues.length > 0;
  if (!hasValues && !hasRegex) return `invalid ${name}: values or regexValues must be specified`;
  return hasValues && hasRegex
    ? `invalid ${name}: precisely one of values and regexValues can be specified`
    : undefined;
}

function mistakeInList(name: string, config: { readonly values: readonly string[] } | undefined): string | undefined {
  if (config === undefined) return `missing ${name}`;
  return config.values.length === 0 ? `invalid ${name}: values cannot be empty` : undefined;
}

function mistakeInQuery(config: ConditionJson['queryStringConfig']): string | undefined {
  if (config === undefined) return 'missing queryStringConfig';
  if (config.values.length === 0) return 'invalid queryStringConfig: Values cannot be empty';
  const isEmpty = config.values.some(({ value }) => value === '');
  return isEmpty ? 'invalid queryStringConfig: value cannot be empty' : undefined;
}

function merged(
  entries: readonly ConditionJson[],
  field: string,
  config: 'hostHeaderConfig' | 'pathPatternConfig',
): Alternatives {
  const configs = entries.filter((entry) => entry.field === field).map((entry) => entry[config]!);
  return {
    values: configs.flatMap((each) => each.values),
    regexValues: configs.flatMap((each) => each.regexValues),
  };
}

/** A condition that does not depend on the Ingress; undefined for host and path, and for unknown fields. */
function conditionOf(entry: ConditionJson): Condition | undefined {
  switch (entry.field) {
    case 'http-header': {
      const { httpHeaderName, ...alternatives } = entry.httpHeaderConfig!;
      return { field: 'http-header', httpHeaderName, ...oneKind(alternatives) };
    }
    case 'http-request-method':
      return { field: 'http-request-method', values: entry.httpRequestMethodConfig!.values };
    case 'source-ip':
      return { field: 'source-ip', values: entry.sourceIPConfig!.values };
    case 'query-string':
      return {
        field: 'query-string',
        values: entry.queryStringConfig!.values.map(({ key, value }) =>
          key === undefined ? { value } : { key, value },
        ),
      };
    default:
      return undefined;
  }
}

function join(own: Alternatives, requested: Alternatives): Alternatives {
  return {
    values: [...own.values, ...requested.values],
    regexValues: [...own.regexValues, ...requested.regexValues],
  };
}

function checkOneKind(name: string, { values: plain, regexValues }: Alternatives, suffix: string): void {
  if (plain.length === 0 || regexValues.length === 0) return;
  const message =
    `${name} condition must specify exactly one of Values and RegexValues, ` +
    `got both Values [${plain.join(' ')}] and RegexValues [${regexValues.join(' ')}]`;
  throw new BuildFailure('condition-values-and-regex', message, undefined, annotationPath(suffix));
}

function conditionsOf(field: 'host-header' | 'path-pattern', alternatives: Alternatives): readonly Condition[] {
  const isAny = alternatives.values.length === 0 && alternatives.regexValues.length === 0;
  return isAny ? [] : [{ field, ...oneKind(alternatives) }];
}

function oneKind({ values: plain, regexValues }: Alternatives) {
  return plain.length > 0 ? { values: plain } : { regexValues };
}
