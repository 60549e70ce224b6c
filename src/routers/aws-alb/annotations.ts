import type { Path } from '../../core';
import { parseBool, parseInt32, parseStringMap, splitList } from '../go-values';
import { annotationKey } from '../ingress/alb-annotations';
import type { Annotations } from '../ingress/ingress';
import { BuildFailure, type ErrorClass } from './failure';
import { type Decoder, decodeGoJson, JsonError } from './go-json';

/** The path of an annotation in a manifest. */
export function annotationPath(suffix: string): Path {
  return ['metadata', 'annotations', annotationKey(suffix)];
}

/** Where an Ingress names the class whose parameters set something. */
export const CLASS_PATH: Path = ['spec', 'ingressClassName'];

/** The text of an annotation; undefined if it is absent, which is different from empty. */
export function textAnnotation(annotations: Annotations, suffix: string): string | undefined {
  const key = annotationKey(suffix);
  return Object.hasOwn(annotations, key) ? annotations[key] : undefined;
}

/** A list separated by commas; undefined if the annotation is absent. */
export function listAnnotation(annotations: Annotations, suffix: string): readonly string[] | undefined {
  const text = textAnnotation(annotations, suffix);
  return text === undefined ? undefined : splitList(text);
}

/**
 * An integer of 32 bits; undefined if the annotation is absent.
 * @throws BuildFailure
 */
export function int32Annotation(annotations: Annotations, suffix: string, errorClass: ErrorClass): number | undefined {
  return parsed(annotations, suffix, parseInt32, errorClass, 'int32');
}

/**
 * A boolean; undefined if the annotation is absent.
 * @throws BuildFailure
 */
export function boolAnnotation(annotations: Annotations, suffix: string, errorClass: ErrorClass): boolean | undefined {
  return parsed(annotations, suffix, parseBool, errorClass, 'bool');
}

/**
 * A map written as `key=value,key=value`; undefined if the annotation is absent.
 * @throws BuildFailure
 */
export function mapAnnotation(
  annotations: Annotations,
  suffix: string,
  errorClass: ErrorClass,
): ReadonlyMap<string, string> | undefined {
  return parsed(annotations, suffix, parseStringMap, errorClass, 'stringMap');
}

/**
 * The value of a JSON annotation; undefined if the annotation is absent.
 * @throws BuildFailure
 */
export function jsonAnnotation<T>(annotations: Annotations, suffix: string, decoder: Decoder<T>): T | undefined {
  const text = textAnnotation(annotations, suffix);
  if (text === undefined) return undefined;
  try {
    return decodeGoJson(text, decoder);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const message = `failed to parse json annotation, ${annotationKey(suffix)}: ${text}: ${error.message}`;
    throw new BuildFailure('json', message, undefined, annotationPath(suffix));
  }
}

function parsed<T>(
  annotations: Annotations,
  suffix: string,
  parse: (text: string) => T | undefined,
  errorClass: ErrorClass,
  type: string,
): T | undefined {
  const text = textAnnotation(annotations, suffix);
  if (text === undefined) return undefined;
  const value = parse(text);
  if (value !== undefined) return value;
  const message = `failed to parse ${type} annotation, ${annotationKey(suffix)}: "${text}"`;
  throw new BuildFailure(errorClass, message, undefined, annotationPath(suffix));
}
