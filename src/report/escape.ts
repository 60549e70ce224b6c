/**
 * Escapes text of manifests and scripts, with one function for each output. Such text may be hostile: no report may let it
 * move a cursor, forge a line of another format or run a command of the CI system.
 */

/**
 * C0 without tab and line feed, DEL, C1, line and paragraph separators, the marks that reorder text, and what is drawn as
 * nothing: fillers, selectors of variants, tags.
 */
const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2800\ufff9-\ufffb\p{Default_Ignorable_Code_Point}\p{Surrogate}]/gu;

/** Characters that XML 1.0 does not allow, even as a character reference. */
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\p{Surrogate}]/gu;

function visible(character: string): string {
  if (character === '\r') return '\\r';
  const code = character.codePointAt(0)!;
  return code <= 0xff ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
}

/**
 * Text for a terminal. It keeps lines and tabs; every other control or invisible character becomes visible.
 * @example escapeTerminal('\u001b[31mred') // '\\x1b[31mred'
 */
export function escapeTerminal(text: string): string {
  return text.replace(INVISIBLE, visible);
}

/** Like `escapeTerminal`, for text that must stay on one line. */
export function escapeTerminalLine(text: string): string {
  return escapeTerminal(text).replace(/\n/g, '\\n').replace(/\t/g, '\\t');
}

/**
 * Text of several lines that a CI system never reads as commands (`::error::`, `##[group]`). CI systems look for commands
 * in the output of every format, also after spaces at the start of a line.
 * @example escapeCommands('a\n  ::error::b') // 'a\n  \\::error::b'
 */
export function escapeCommands(text: string): string {
  return text.replace(/^([^\S\n]*)(?=::|##)/gm, '$1\\');
}

/** JSON text that is safe on a terminal: it escapes the same characters as `escapeTerminal`, in JSON notation. */
export function escapeJson(json: string): string {
  return json.replace(INVISIBLE, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

const XML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
};

/** Escaped for XML, and safe on a terminal. */
function reference(character: string): string {
  return `&#${character.codePointAt(0)};`;
}

/** Text between two tags of an XML document, without CI commands. Characters that XML does not allow become U+FFFD. */
export function escapeXmlText(text: string): string {
  return text
    .replace(NOT_XML, '\ufffd')
    .replace(/[&<>\r]/g, (character) => XML_ENTITIES[character]!)
    .replace(INVISIBLE, reference)
    .replace(
      /^([^\S\n]*)([:#])(?=\2)/gm,
      (_, space: string, character: string) => `${space}&#${character.charCodeAt(0)};`,
    );
}

/** Text of an XML attribute in quotes. Line feeds and tabs are escaped, because a parser turns them into spaces. */
export function escapeXmlAttribute(text: string): string {
  return text
    .replace(NOT_XML, '\ufffd')
    .replace(/[&<>"'\r\n\t]/g, (character) => XML_ENTITIES[character]!)
    .replace(INVISIBLE, reference);
}

const GITHUB_ESCAPES: Readonly<Record<string, string>> = {
  '%': '%25',
  '\r': '%0D',
  '\n': '%0A',
  ':': '%3A',
  ',': '%2C',
};

/** The message of a GitHub workflow command. An unescaped line feed could start another command. */
export function escapeGithubMessage(text: string): string {
  return text.replace(/[%\r\n]/g, (character) => GITHUB_ESCAPES[character]!);
}

/** The value of a property (`file=…`, `title=…`) of a GitHub workflow command. */
export function escapeGithubProperty(text: string): string {
  return text.replace(/[%\r\n:,]/g, (character) => GITHUB_ESCAPES[character]!);
}

/**
 * A complete GitHub workflow command on one line. Properties without a value are left out.
 * @example githubCommand('error', { file: 'a.yaml', line: 3 }, 'no such Service') // '::error file=a.yaml,line=3::no such Service'
 */
export function githubCommand(
  command: 'error' | 'warning' | 'notice',
  properties: Readonly<Record<string, string | number | undefined>>,
  message: string,
): string {
  const listed = Object.entries(properties)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${name}=${escapeGithubProperty(escapeTerminal(String(value)))}`)
    .join(',');
  return `::${command}${listed === '' ? '' : ` ${listed}`}::${escapeGithubMessage(escapeTerminal(message))}`;
}

/** Text of a Markdown paragraph or table cell, on one line, without mentions, tags, links or emphasis. */
export function escapeMarkdown(text: string): string {
  return escapeTerminalLine(text)
    .replace(/[\\`*_{}[\]<>()#+!|~$&-]|^\s*:(?=:)/g, (mark) => mark.replace(/\S$/, '\\$&'))
    .replace(AUTOMATIC_LINK, '$&<!-- -->');
}

/** Where GitHub and GitLab make a link by themselves: addresses, mentions, numbers of issues. A comment divides the text. */
const AUTOMATIC_LINK = /@|#(?=\d)|[a-z]+:(?=\/\/)|\b(?:mailto|xmpp|tel):|\bwww(?=\.)/gi;

/** A Markdown code span for any text, including backticks. */
export function markdownCode(text: string): string {
  const line = escapeTerminalLine(text);
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const padding = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return line === '' ? '' : `${fence}${padding}${line}${padding}${fence}`;
}

/** The description of a TAP test point: one line, in which `#` does not start a directive. */
export function escapeTap(text: string): string {
  return escapeTerminalLine(text).replace(/\\/g, '\\\\').replace(/#/g, '\\#');
}

const HTML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Text between two tags of an HTML document, or of an attribute in quotes. It keeps lines and tabs; characters that hide or
 * reorder text become visible, as on a terminal.
 * @example escapeHtml('</script>') // '&lt;/script&gt;'
 */
export function escapeHtml(text: string): string {
  return escapeTerminal(text).replace(/[&<>"']/g, (character) => HTML_ENTITIES[character]!);
}
