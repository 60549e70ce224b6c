import { asList, asText, isJsonObject, type Json, ownValue } from '../../core/json';
import { DEFAULT_HEADER, DEFAULT_LABEL, DEFAULT_SPLITTER } from '../api/names';

/** Another header that names the environment. */
export interface Alias {
  readonly name: string;
  readonly pattern: string;
  /** Empty if it is not set: the operator sets its documented default on a copy that it discards. */
  readonly placeholder: string;
}

/** A VirtualEnvironment with the defaults that the operator applies. */
export interface Environment {
  readonly header: string;
  readonly aliases: readonly Alias[];
  readonly autoInject: boolean;
  readonly label: string;
  readonly splitter: string;
  /** Empty if it is not set. */
  readonly defaultSubset: string;
}

/** Reads the spec of a VirtualEnvironment. Fields that are missing, empty or of another type get their default. */
export function environmentOf(spec: unknown): Environment {
  const header = ownValue(spec, 'envHeader');
  const label = ownValue(spec, 'envLabel');
  return {
    header: textAt(header, 'name') || DEFAULT_HEADER,
    aliases: asList(ownValue(header, 'aliases'))
      .filter(isJsonObject)
      .map((alias) => ({
        name: textAt(alias, 'name'),
        pattern: textAt(alias, 'pattern'),
        placeholder: textAt(alias, 'placeholder'),
      })),
    autoInject: ownValue(header, 'autoInject') === true,
    label: textAt(label, 'name') || DEFAULT_LABEL,
    splitter: textAt(label, 'splitter') || DEFAULT_SPLITTER,
    defaultSubset: textAt(label, 'defaultSubset'),
  };
}

/** The name of the subset for an environment. The operator replaces only these two characters. */
export function subsetName(label: string): string {
  return label.replace(/[_.]/g, '-');
}

/**
 * An environment and its parents, nearest first.
 * @example lineage('dev.proj1.a', '.') // ['dev.proj1.a', 'dev.proj1', 'dev']
 */
export function lineage(label: string, splitter: string): string[] {
  const cut = label.lastIndexOf(splitter);
  return cut < 0 ? [label] : [label, ...lineage(label.slice(0, cut), splitter)];
}

function textAt(value: Json | undefined, key: string): string {
  return asText(ownValue(value, key));
}
