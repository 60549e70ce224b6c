const IPV4 = /^(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$/;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

/** The string formats that the API server checks and the known CRDs use. The API server ignores other formats. */
const FORMATS: { readonly [format: string]: (text: string) => boolean } = {
  'date-time': isDateTime,
  date: isDate,
  byte: (text) => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text),
  ipv4: (text) => IPV4.test(text),
  uuid: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text),
};

/** Whether a string has the format; true for an unknown format. */
export function hasFormat(text: string, format: string): boolean {
  return Object.hasOwn(FORMATS, format) ? FORMATS[format]!(text) : true;
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function isDateTime(text: string): boolean {
  const found = DATE_TIME.exec(text);
  return found !== null && isDate(found[1]!) && Number(found[2]) < 24 && Number(found[3]) < 60 && Number(found[4]) < 61;
}
