/** How findings name shares and moments. */
import type { Moment } from './moment';

/** `20%`, `33.3%` */
export function percent(share: number): string {
  return `${Math.round(share * 1000) / 10}%`;
}

/** The moment for the middle of a sentence: `at steps[1]`. */
export function whenOf({ phase, step, event }: Pick<Moment, 'phase' | 'step' | 'event'>): string {
  const name = `steps[${step ?? 0}]`;
  switch (phase) {
    case 'before':
      return 'before the release';
    case 'prepare':
      return step === undefined ? `before the switch (${event})` : `before ${name} takes effect (${event})`;
    case 'step':
      return `at ${name}`;
    case 'finish':
      return `at the end of the release (${event})`;
    case 'abort':
      return step === undefined ? `on a rollback (${event})` : `on a rollback at ${name} (${event})`;
  }
}
