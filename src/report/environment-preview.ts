import type { EnvironmentPreview, PreviewCell } from '../core/environment-preview';
import { escapeHtml, escapeTerminalLine } from './escape';

/** A preview of environments in one format. */
export type PreviewReporter = (previews: readonly EnvironmentPreview[]) => string;

const NO_HEADER = 'no header';

const REASONS = [
  'exact    the environment has pods of its own here',
  'parent   its nearest parent has',
  'default  no route matches; the default environment answers',
  'any      pods of any environment answer',
];

/**
 * As tables for a terminal.
 * @example environmentPreviewText(previewEnvironments(world))
 */
export const environmentPreviewText: PreviewReporter = (previews) =>
  previews.map((preview) => `${textOf(preview).join('\n')}\n`).join('\n');

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
    ...REASONS.map((reason) => `  ${reason}`),
  ];
}

function cellText(cell: PreviewCell): string {
  if (cell.reason === 'error') return cell.statusCode ?? 'nobody';
  return `${cell.workloads.join(', ') || '?'} (${cell.reason})`;
}

/** As a page of its own. */
export const environmentPreviewHtml: PreviewReporter = (previews) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Virtual environments</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem; color: #1c2330; background: #fff }
table { border-collapse: collapse }
th, td { border: 1px solid #c8ced8; padding: .4rem .7rem; text-align: left; vertical-align: top }
td small { display: block; color: #566070 }
.exact { background: #e3f4e6 } .parent { background: #e4eefb } .default { background: #f4f4f4 }
.any { background: #fdf1d6 } .error { background: #fbdfdc }
@media (prefers-color-scheme: dark) {
body { color: #e4e8ef; background: #14181f } td small { color: #a7b0bf } th, td { border-color: #3a4454 }
.exact { background: #17371f } .parent { background: #172c47 } .default { background: #232832 }
.any { background: #43350f } .error { background: #4a1d19 }
}
</style>
</head>
<body>
<h1>Virtual environments</h1>
${previews.map(sectionOf).join('\n')}
</body>
</html>
`;

function sectionOf({ namespace, virtualEnvironment, header, environments, rows }: EnvironmentPreview): string {
  const head = environments.map((one) => `<th scope="col">${escapeHtml(one ?? NO_HEADER)}</th>`).join('');
  const body = rows.map(({ service, port, cells }) => {
    const columns = cells.map(
      (cell) => `<td class="${cell.reason}">${escapeHtml(cellText(cell))}<small>${escapeHtml(cell.why)}</small></td>`,
    );
    return `<tr><th scope="row">${escapeHtml(`${service}:${port}`)}</th>${columns.join('')}</tr>`;
  });
  return `<section>
<h2>${escapeHtml(namespace)}</h2>
<p>VirtualEnvironment ${escapeHtml(virtualEnvironment)}, header ${escapeHtml(header)}</p>
<table>
<thead><tr><th scope="col">Service</th>${head}</tr></thead>
<tbody>
${body.join('\n')}
</tbody>
</table>
</section>`;
}
