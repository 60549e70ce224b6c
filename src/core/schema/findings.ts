import { didYouMean } from '../did-you-mean';
import type { Finding } from '../finding';
import { textOf, typeName } from '../json';
import type { Manifest } from '../manifest';
import { formatPath, type Path } from '../path';
import type { Rule } from '../rule';
import { variableFix } from '../variable';
import type { SchemaResult } from './check';
import { errorText, type SchemaError } from './error';
import type { UnknownField } from './prune';
import { schemaRules } from './rules';

/** Findings for what the API server rejects or drops in a manifest. */
export function schemaFindings(
  manifest: Manifest,
  { unknown, nulls = [], errors }: Pick<SchemaResult, 'unknown' | 'errors'> & Partial<Pick<SchemaResult, 'nulls'>>,
): Finding[] {
  return [
    ...unknown.map((field) => unknownFinding(manifest, field)),
    ...withoutErrors(nulls, errors).map((path) => nullFinding(manifest, path)),
    ...errors.map((error) => errorFinding(manifest, error)),
  ];
}

function unknownFinding(manifest: Manifest, { path, known }: UnknownField): Finding {
  const key = String(path.at(-1));
  const meant = didYouMean(key, known);
  const holder = path.length === 1 ? manifest.kind : formatPath(path.slice(0, -1));
  return manifest.finding(schemaRules['field-unknown'], {
    path,
    message: `${formatPath(path)}: ${manifest.kind} (${manifest.apiVersion}) has no field "${key}" here`,
    ...(meant === undefined
      ? { fix: `remove it, or use one of the fields of ${holder}: ${[...known].sort().join(', ')}` }
      : { fix: `did you mean "${meant}"?` }),
  });
}

/** A null that also breaks the schema, as where the field is required, has that error. */
function withoutErrors(nulls: readonly Path[], errors: readonly SchemaError[]): Path[] {
  const refused = new Set(errors.map(({ path }) => formatPath(path)));
  return nulls.filter((path) => !refused.has(formatPath(path)));
}

function nullFinding(manifest: Manifest, path: Path): Finding {
  const field = formatPath(path);
  return manifest.finding(schemaRules['field-null'], { path, message: `${field} is null` });
}

function errorFinding(manifest: Manifest, error: SchemaError): Finding {
  const { path } = error;
  const rule = ruleOf(error);
  if (rule === schemaRules['field-missing']) {
    return manifest.finding(rule, { path, message: `${formatPath(path)} is missing`, fix: `add ${formatPath(path)}` });
  }
  return manifest.finding(rule, { path, message: `${formatPath(path)}: ${words(error)}`, ...fixOf(error) });
}

function ruleOf({ path, type }: SchemaError): Rule {
  if (path[0] === 'metadata') return schemaRules['metadata-invalid'];
  if (type === 'FieldValueRequired') return schemaRules['field-missing'];
  return type === 'FieldValueDuplicate' ? schemaRules['list-item-duplicate'] : schemaRules['field-invalid'];
}

/** The problem and the value, without the field, which the API server repeats. */
function words(error: SchemaError): string {
  const { type, value } = error;
  switch (type) {
    case 'FieldValueTypeInvalid':
      return `${expected(error)}, not ${value === null ? 'null' : `${typeName(value)}: ${shown(value)}`}`;
    case 'FieldValueDuplicate':
      return `${shown(value)} is there twice`;
    default:
      return `${shown(value)} ${withoutField(error)}`.trim();
  }
}

function expected({ detail }: SchemaError): string {
  const types = /must be of type ([^:]+):/.exec(detail)?.[1];
  return types === undefined ? detail : `must be ${types.split(',').join(' or ')}`;
}

function withoutField(error: SchemaError): string {
  const text = errorText(error).replace(/^.* in body /, '');
  return text.startsWith('supported values: ') ? `is none of ${text.slice('supported values: '.length)}` : text;
}

function fixOf({ type, value, detail }: SchemaError): { readonly fix?: string } {
  const variable = typeof value === 'string' ? variableFix(value) : undefined;
  if (variable !== undefined) return variable;
  if (type === 'FieldValueTypeInvalid' && typeof value === 'number' && /type string/.test(detail)) {
    return { fix: `put it in quotes: "${value}"` };
  }
  if (type !== 'FieldValueNotSupported') return {};
  const values = [...detail.matchAll(/"([^"]*)"/g)].map(([, one]) => one!);
  const meant = didYouMean(textOf(value) ?? shown(value), values);
  return { fix: meant === undefined ? `use one of ${values.join(', ')}` : `did you mean "${meant}"?` };
}

function shown(value: unknown): string {
  if (value === undefined) return '';
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
