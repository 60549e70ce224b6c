/**
 * Whether an App is being synthesised that has validated itself already. A synth validates the whole App once for itself
 * and then once more for every chart, and nothing changes in between.
 */
export function isLaterPassOfSynth(): boolean {
  const stack = new Error().stack ?? '';
  return stack.includes('at App.synth ') && stack.includes('_synthChart ');
}
