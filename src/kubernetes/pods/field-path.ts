/** Splits `metadata.labels['app']` into the map and its key; leaves a path without a key unchanged. */
export function splitSubscript(path: string): { readonly base: string; readonly key?: string } {
  const at = path.indexOf("['");
  if (!path.endsWith("']") || at <= 0 || at + 2 > path.length - 2) return { base: path };
  return { base: path.slice(0, at), key: path.slice(at + 2, -2) };
}
