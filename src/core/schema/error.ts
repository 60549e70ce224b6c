import type { Json } from '../json';
import type { Path } from '../path';

/** The kinds of errors of the API server that a schema can lead to, named as it names them. */
export type SchemaErrorType =
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueRequired'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid';

/** Why the API server refuses an object. */
export interface SchemaError {
  readonly path: Path;
  readonly type: SchemaErrorType;
  /** The API server's own words after the field and the kind of error; often empty. */
  readonly detail: string;
  readonly value?: Json;
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

/** The field as the API server writes it: `spec.steps[0].replicas`. Unlike `formatPath`, it quotes nothing. */
export function fieldText(path: Path): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');
}

/** The API server's text for an error, without the field: what it found wrong, else the kind of error. */
export function errorText({ type, detail }: SchemaError): string {
  return detail === '' ? TITLES[type] : detail;
}
