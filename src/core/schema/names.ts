/** The API server's checks of names: each gives its messages, none for a valid name. */

/** A check of names. */
export type NameCheck = (name: string) => string[];

const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const QUALIFIED_NAME = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const SERVICE_NAME = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const CONFIG_KEY = /^[-._a-zA-Z0-9]+$/;
const HEADER = /^[-A-Za-z0-9]+$/;

const SUBDOMAIN_TEXT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and " +
  "end with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LABEL_TEXT =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with " +
  "an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const QUALIFIED_NAME_TEXT =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric " +
  "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is " +
  "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const LABEL_VALUE_TEXT =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and " +
  "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is " +
  "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

const SERVICE_NAME_TEXT =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and " +
  "end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is " +
  "'[a-z]([-a-z0-9]*[a-z0-9])?')";
const WILDCARD_TEXT =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower " +
  "case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for " +
  "validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const CONFIG_KEY_TEXT =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or " +
  "'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

/** @param part what is too long, with a blank behind it, where the text has several parts */
function tooLong(text: string, most: number, part = ''): string[] {
  return text.length > most ? [`${part}must be no more than ${most} characters`] : [];
}

/** The messages for a text that has to match, and not to be too long. */
function textErrors(text: string, most: number, pattern: RegExp, message: string): string[] {
  const matches = pattern.test(text);
  if (matches && text.length <= most) return [];
  return [...tooLong(text, most), ...(matches ? [] : [message])];
}

/** A subdomain, as most names of objects are. */
export function subdomainErrors(text: string): string[] {
  return textErrors(text, 253, SUBDOMAIN, SUBDOMAIN_TEXT);
}

/** A label of a domain, as names of namespaces and containers are. */
export function labelErrors(text: string): string[] {
  return textErrors(text, 63, LABEL, LABEL_TEXT);
}

function isQualifiedName(text: string): boolean {
  const slash = text.indexOf('/');
  const name = text.slice(slash + 1);
  if (name.length > 63 || !QUALIFIED_NAME.test(name)) return false;
  return slash < 0 || (slash <= 253 && SUBDOMAIN.test(text.slice(0, slash)));
}

/** `example.com/name` or `name`. */
export function qualifiedNameErrors(text: string): string[] {
  if (isQualifiedName(text)) return [];
  const parts = text.split('/');
  if (parts.length > 2) return [`a qualified name ${QUALIFIED_NAME_TEXT.slice('name part '.length)}`];
  const [name, prefix] = parts.length === 2 ? [parts[1]!, parts[0]!] : [text, undefined];
  return [
    ...(prefix === undefined
      ? []
      : prefix === ''
        ? ['prefix part must be non-empty']
        : subdomainErrors(prefix).map((detail) => `prefix part ${detail}`)),
    ...(name === '' ? ['name part must be non-empty'] : []),
    ...tooLong(name, 63, 'name part '),
    ...(QUALIFIED_NAME.test(name) ? [] : [QUALIFIED_NAME_TEXT]),
  ];
}

/** The value of a label. */
export function labelValueErrors(value: string): string[] {
  return textErrors(value, 63, LABEL_VALUE, LABEL_VALUE_TEXT);
}

/** A label that starts with a letter, as names of Services are. */
export function serviceNameErrors(name: string): string[] {
  return textErrors(name, 63, SERVICE_NAME, SERVICE_NAME_TEXT);
}

/** A subdomain, or one below which every name is meant: `*.example.com`. */
export function hostErrors(host: string): string[] {
  if (!host.includes('*')) return subdomainErrors(host);
  return host.startsWith('*.') && subdomainErrors(host.slice(2)).length === 0 ? [] : [WILDCARD_TEXT];
}

/** The name of a port: at most 15 letters, digits and hyphens. */
export function portNameErrors(name: string): string[] {
  return [
    ...tooLong(name, 15),
    ...(/^[-a-z0-9]+$/.test(name) ? [] : ['must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)']),
    ...(/[a-z]/.test(name) ? [] : ['must contain at least one letter (a-z)']),
    ...(name.includes('--') ? ['must not contain consecutive hyphens'] : []),
    ...(/^-|-$/.test(name) ? ['must not begin or end with a hyphen'] : []),
  ];
}

/** A key of a ConfigMap or Secret: the name of a file. */
export function configKeyErrors(key: string): string[] {
  return [
    ...tooLong(key, 253),
    ...(CONFIG_KEY.test(key) ? [] : [CONFIG_KEY_TEXT]),
    ...(key === '.' || key.startsWith('..') ? ["must not be '.' and must not start with '..'"] : []),
  ];
}

/** A part of a path in a URL, as names of RBAC objects are. */
export function pathSegmentErrors(name: string): string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return ['/', '%'].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);
}

/** The name of a header of HTTP. */
export function headerNameErrors(name: string): string[] {
  return HEADER.test(name)
    ? []
    : ["a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name')"];
}
