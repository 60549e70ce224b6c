/**
 * A text of any length, such as an error that quotes what a user wrote, as it fits into a message: its start and its end.
 * @example shortened('a'.repeat(10), 4) // 'aa … aa'
 */
export function shortened(text: string, most: number): string {
  const half = Math.floor(most / 2);
  return text.length <= most ? text : `${text.slice(0, half)} … ${text.slice(-half)}`;
}
