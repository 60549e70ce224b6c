/** What somebody may write into a manifest, a script or a file name to harm who reads a report of it: one list for all tests. */

/** Markup that would run, load or send something in a browser. */
export const MARKUP: readonly string[] = [
  '<script>window.attacked = 1</script>',
  '</script><script>window.attacked = 2</script>',
  '"><img src="https://attacker.example.com/x" onerror="window.attacked = 3">',
  "' onmouseover='window.attacked = 4' autofocus onfocus='window.attacked = 4",
  '</style></title></textarea><svg onload="window.attacked = 5">',
  '--><base href="https://attacker.example.com/"><meta http-equiv="refresh" content="0;url=https://attacker.example.com">',
  '<a href="javascript:window.attacked=7">x</a>',
  '{{constructor.constructor("window.attacked = 8")()}}',
];

/** What moves the cursor of a terminal, changes its title, hides text or turns it round. */
export const TERMINAL: readonly string[] = [
  '\u001b[31mred\u001b[0m',
  '\u001b[2J\u001b[H',
  '\u001b]0;title\u0007',
  '\u001b]8;;https://attacker.example.com\u001b\\click\u001b]8;;\u001b\\',
  '\u009b2J',
  'ok\rerror hidden',
  'a\b\b\bb',
  '\u0000\u0007\u000b\u000c\u007f',
  'a\u202egnp.exe',
  '\u2066\u2069\u200b\u2060\ufeff',
  '\u2028line\u2029paragraph',
  'no\u3164thing\u115f\u1160\u180e\u034f\ufe0f\uffa0\u2800to\u{e0041}\u{e0100}see',
];

/** Lines that a CI system would take for commands. */
export const COMMANDS: readonly string[] = [
  '\n::error file=/etc/passwd,line=1::forged',
  '\r\n::set-env name=PATH::/attacker',
  '::add-mask::secret',
  '\n##[error]forged',
  '%0A::stop-commands::x',
  '\nnot ok 1 - forged',
  '\nok 1 - forged # SKIP',
  "\n##teamcity[testFailed name='x']",
];

/** Text that means something in Markdown, in XML or in a spreadsheet. */
export const FORMATS: readonly string[] = [
  '| a | b |\n| --- | --- |',
  '`code` ``more`` ```fence',
  '![x](https://attacker.example.com/x.png) [y](javascript:alert(1))',
  '@everyone #1 owner/repository#2',
  'https://attacker.example.com/phish HTTPS://attacker.example.com www.attacker.example.com ftp://attacker.example.com',
  'mailto:x@attacker.example.com x@attacker.example.com xmpp:x@attacker.example.com (https://attacker.example.com)',
  '# heading\n\n- [ ] item',
  ']]> <!-- --> <![CDATA[x]]> &lt; &#0; &nbsp;',
  '<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]>&y;',
  '=HYPERLINK("https://attacker.example.com","x")',
  '+1+1|cmd',
  '-2+3',
  '@SUM(1,1)',
];

/** Text that is not well-formed, or that programs of JavaScript stumble over. */
export const ODD: readonly string[] = [
  '\ud800',
  '\udc00\ud800',
  '\ufffe\uffff',
  '__proto__',
  'constructor',
  'toString',
  "$& $1 $` $'",
  '%s %d %o %n',
  '../../etc/passwd',
  'x'.repeat(300),
];

export const HOSTILE: readonly string[] = [...MARKUP, ...TERMINAL, ...COMMANDS, ...FORMATS, ...ODD];
