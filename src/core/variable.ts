/** What to do about a variable of a shell or of a pipeline that nobody has replaced: `$NAME`, `${NAME}` or `${NAME:-default}`. */
export function variableFix(text: string): { readonly fix: string } | undefined {
  const variable = /\$(?:[A-Z_][A-Z0-9_]*|\{[A-Za-z_][^{}]*\})/.exec(text)?.[0];
  return variable === undefined
    ? undefined
    : { fix: `${variable} looks like a variable: replace it first, for example with envsubst` };
}
