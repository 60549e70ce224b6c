import type { Json } from '../json';
import type { Path } from '../path';

/** The types of API server errors that a schema can cause, with the API server's names. */
export type SchemaErrorType =
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueRequired'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid';

/** An API server error for an object. */
export interface SchemaError {
  readonly path: Path;
  readonly type: SchemaErrorType;
  /** The API server's text after the field and the type; often empty. */
  readonly detail: string;
  readonly value?: Json;
}

/** An error of a value. */
export function schemaError(
  path: Path,
  detail: string,
  value?: Json,
  type: SchemaErrorType = 'FieldValueInvalid',
): SchemaError {
  return value === undefined ? { path, type, detail } : { path, type, detail, value };
}

const TITLES: { readonly [Type in SchemaErrorType]: string } = {
  FieldValueDuplicate: 'Duplicate value',
  FieldValueForbidden: 'Forbidden',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueRequired: 'Required value',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  FieldValueTypeInvalid: 'Invalid value',
};

/** The field as the API server writes it: `spec.steps[0].replicas`. Unlike `formatPath`, it never quotes. */
export function fieldText(path: Path): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');
}

/** The API server's text for an error without the field: the detail, or else the type. */
export function errorText({ type, detail }: SchemaError): string {
  return detail === '' ? TITLES[type] : detail;
}
