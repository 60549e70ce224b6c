/** Findings with all that their rules do not say themselves, each as one line. */
import { rolloutRules } from '../../../src/kruise/rules';
import { findings } from './stack';

/** `severity rule path: message | fix | because | related (Kind name) | step 1 | absent Kind name` */
export function full(...args: Parameters<typeof findings>): string[] {
  return findings(...args)
    .filter(({ severity }) => severity !== 'note')
    .map(({ severity, rule, path, message, fix, because, related, step, absent }) => {
      const own = rolloutRules[rule as keyof typeof rolloutRules];
      return [
        `${severity} ${rule}${path === undefined ? '' : ` ${path}`}: ${message}`,
        ...(fix === own.fix ? [] : [fix]),
        ...(because === own.because ? [] : [`because ${because}`]),
        ...(related === undefined ? [] : [`${related.message} (${related.object?.kind} ${related.object?.name})`]),
        ...(step === undefined ? [] : [`step ${step}`]),
        ...(absent ?? []).map(({ kind, name }) => `absent ${kind} ${name}`),
      ].join(' | ');
    });
}
