import type { EnvironmentPreview, PreviewCell, PreviewReason } from '../core/environment-preview';
import { escapeCommands, escapeTerminalLine } from './escape';

/** A preview of environments in one format. */
export type PreviewReporter = (previews: readonly EnvironmentPreview[]) => string;

/** The column of requests without an environment. */
export const NO_HEADER = 'no header';

/** The meaning of the reasons in the cells. */
export const REASONS: readonly (readonly [reason: PreviewReason, words: string])[] = [
  ['exact', 'the environment has its own pods here'],
  ['parent', 'its nearest parent has pods here'],
  ['default', 'no route matches; the default environment answers'],
  ['any', 'pods of any environment answer'],
];

/**
 * As tables for a terminal.
 * @example environmentPreviewText(previewEnvironments(world))
 */
export const environmentPreviewText: PreviewReporter = (previews) =>
  escapeCommands(previews.map((preview) => `${textOf(preview).join('\n')}\n`).join('\n'));

function textOf(preview: EnvironmentPreview): string[] {
  const { namespace, virtualEnvironment, header, environments, rows } = preview;
  const title = `namespace ${namespace}: VirtualEnvironment ${virtualEnvironment}, header ${header}`;
  if (rows.length === 0) return [escapeTerminalLine(title), '', '  no Service has workloads of an environment'];
  const table = [
    ['SERVICE', ...environments.map((environment) => environment ?? NO_HEADER)],
    ...rows.map(({ service, port, cells }) => [`${service}:${port}`, ...cells.map(cellText)]),
  ].map((line) => line.map(escapeTerminalLine));
  const widths = table[0]!.map((_, column) => Math.max(...table.map((line) => line[column]!.length)));
  const lines = table.map((line) =>
    `  ${line.map((text, column) => text.padEnd(widths[column]!)).join('  ')}`.trimEnd(),
  );
  const errors = rows.flatMap(({ service, port, cells }) =>
    cells.flatMap(({ reason, why }, column) =>
      reason === 'error' ? [`  ${service}:${port}, ${environments[column] ?? NO_HEADER}: ${why}`] : [],
    ),
  );
  return [
    escapeTerminalLine(title),
    '',
    ...lines,
    ...(errors.length === 0 ? [] : ['', ...errors.map(escapeTerminalLine)]),
    '',
    ...REASONS.map(([reason, words]) => `  ${reason.padEnd(7)}  ${words}`),
  ];
}

/** A cell in a few words. */
export function cellText(cell: PreviewCell): string {
  if (cell.reason === 'error') return cell.statusCode ?? 'nobody';
  return `${cell.workloads.join(', ') || '?'} (${cell.reason})`;
}
