/** A variable of a shell or of a pipeline that nobody has replaced: `$NAME`, `${NAME}` or `${NAME:-default}`. */
export function variableIn(text: string): string | undefined {
  return /\$(?:[A-Z_][A-Z0-9_]*|\{[A-Za-z_][^{}]*\})/.exec(text)?.[0];
}
