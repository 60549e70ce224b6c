import type { RehearsedCell } from '../../core/rehearsal-result';

/** The steps of a bar within one character. */
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A share as a bar with a number of characters. */
export function bar(share: number, width: number, ascii: boolean): string {
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * width * 8);
  const full = Math.floor(eighths / 8);
  // A share above zero is always visible.
  const rest = ascii ? (share > 0 && full === 0 ? '-' : '') : EIGHTHS[eighths === 0 && share > 0 ? 1 : eighths % 8]!;
  const empty = ascii ? '.' : '·';
  return ((ascii ? '#' : '█').repeat(full) + rest).padEnd(width, empty);
}

/** The share of the canary in a cell, or another result of the requests, in a few characters. */
export function cellText({ shares, answer }: RehearsedCell): string {
  if (answer.kind === 'unknown') return 'not known';
  if (shares.failed > 0) {
    const status = answer.kind === 'fixed-response' ? answer.statusCode : 'error';
    return shares.failed >= 1 ? status : `${percent(shares.failed)} error`;
  }
  if (shares.other >= 1) {
    if (answer.kind === 'fixed-response') return answer.statusCode;
    if (answer.kind === 'redirect') return 'redirect';
    return 'other';
  }
  return percent(shares.canary);
}

/** `20%`, `33.3%` */
export function percent(share: number): string {
  return `${Math.round(share * 1000) / 10}%`;
}

/** Whether the share of the canary applies to a cell. */
export function hasShare({ shares, answer }: RehearsedCell): boolean {
  return answer.kind !== 'unknown' && shares.failed === 0 && shares.other < 1;
}
