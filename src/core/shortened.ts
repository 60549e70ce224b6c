/**
 * Shortens a text of any length to its start and its end, so that it fits into a message.
 * @example shortened('a'.repeat(10), 4) // 'aa … aa'
 */
export function shortened(text: string, most: number): string {
  const half = Math.floor(most / 2);
  return text.length <= most ? text : `${text.slice(0, half)} … ${text.slice(-half)}`;
}
