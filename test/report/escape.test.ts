import fc from 'fast-check';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { describe, expect, it } from 'vitest';
import {
  escapeCommands,
  escapeGithubMessage,
  escapeGithubProperty,
  escapeHtml,
  escapeJson,
  escapeMarkdown,
  escapeTap,
  escapeTerminal,
  escapeTerminalLine,
  escapeXmlAttribute,
  escapeXmlText,
  githubCommand,
  markdownCode,
} from '../../src/report/escape';
import { HOSTILE } from '../hardness/hostile-texts';
import { ANY_TEXT, UNSAFE } from './findings';

const property = (check: (text: string) => void) => fc.assert(fc.property(ANY_TEXT, check), { seed: 6, numRuns: 500 });

describe('escapes', () => {
  it.each([
    ['\u001b[31mred\u0007', '\\x1b[31mred\\x07'],
    ['a\tb\nc\r\n', 'a\tb\nc\\r\n'],
    ['\u202eabc\u200b', '\\u{202e}abc\\u{200b}'],
    ['é 日本 🎉 \u0301', 'é 日本 🎉 \u0301'],
    ['\ud83c', '\\u{d83c}'],
  ])('%j on a terminal is %j', (text, escaped) => {
    expect(escapeTerminal(text)).toBe(escaped);
  });

  it('leave no control characters on a terminal', () => {
    property((text) => {
      expect(escapeTerminal(text)).not.toMatch(UNSAFE);
      expect(escapeTerminalLine(text)).not.toMatch(/[\n\t]/);
      expect(escapeTap(text)).not.toMatch(/\n|(^|[^\\])#/);
    });
  });

  it('let no line be a command of a CI system', () => {
    expect(escapeCommands('::a\n \t::b\n##[c]\nd ::e\n#f :g')).toBe('\\::a\n \t\\::b\n\\##[c]\nd ::e\n#f :g');
    property((text) => {
      expect(escapeCommands(text)).not.toMatch(/^[^\S\n]*(::|##)/m);
    });
  });

  it('keep JSON the same data', () => {
    property((text) => {
      const json = escapeJson(JSON.stringify({ text }));
      expect(json).not.toMatch(UNSAFE);
      expect(JSON.parse(json)).toEqual({ text });
    });
  });

  it('keep XML well-formed', () => {
    property((text) => {
      expect(escapeXmlText(text)).not.toMatch(/[<>\r]|&(?!(amp|lt|gt|#\d+);)|[\u0000-\u0008\u000b\u000c\u000e-\u001f]/);
      expect(escapeXmlAttribute(text)).not.toMatch(/[<>"'\r\n\t]|&(?!(amp|lt|gt|quot|apos|#\d+);)/);
      expect(escapeXmlText(text)).not.toMatch(UNSAFE);
      expect(escapeXmlAttribute(text)).not.toMatch(UNSAFE);
    });
    expect(escapeXmlText('a\u0000<b> & ]]>\r')).toBe('a\ufffd&lt;b&gt; &amp; ]]&gt;&#13;');
    expect(escapeXmlText('\u009b\u202e')).toBe('&#155;&#8238;');
    expect(escapeXmlText('a\n ::error::b\n##[c]\n#d:')).toBe('a\n &#58;:error::b\n&#35;#[c]\n#d:');
    expect(escapeXmlAttribute('"\n\t')).toBe('&quot;&#10;&#9;');
  });

  it('keep HTML in one piece', () => {
    property((text) => {
      expect(escapeHtml(text)).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/);
      expect(escapeHtml(text)).not.toMatch(UNSAFE);
    });
    expect(escapeHtml('</script>\u202e "&\n')).toBe('&lt;/script&gt;\\u{202e} &quot;&amp;\n');
  });

  it('let no value start a command of GitHub', () => {
    expect(githubCommand('error', { file: 'a,b:c%.yaml', line: 3, title: undefined }, '50%\n::set-env name=x::y')).toBe(
      '::error file=a%2Cb%3Ac%25.yaml,line=3::50%25%0A::set-env name=x::y',
    );
    property((text) => {
      expect(escapeGithubMessage(text)).not.toMatch(/[\r\n]|%(?!25|0A|0D)/);
      expect(escapeGithubProperty(text)).not.toMatch(/[\r\n:,]|%(?!25|0A|0D|3A|2C)/);
      expect(githubCommand('error', { file: text }, text)).not.toMatch(UNSAFE);
      expect(githubCommand('error', { file: text }, text)).not.toContain('\n');
    });
  });

  it('make Markdown that becomes no link, picture, heading, table or mention where it is shown', () => {
    const shown = (text: string) =>
      micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true });
    // The reader makes links of addresses, so the escapes are needed.
    expect(shown('https://example.com')).toContain('<a href');
    const isPlain = (text: string) => {
      const html = shown(`a ${escapeMarkdown(text)}`);
      expect(html.replace(/<\/?p>|<br \/>/g, ''), JSON.stringify(text)).not.toMatch(/<(?!!-- -->)|@\w|#\d/);
    };
    for (const text of HOSTILE) isPlain(text);
    property(isPlain);
  });

  it('make Markdown plain text', () => {
    expect(escapeMarkdown('<b>*a*</b> | [x](y) @team')).toBe('\\<b\\>\\*a\\*\\</b\\> \\| \\[x\\]\\(y\\) @<!-- -->team');
    expect(escapeMarkdown('::a b::c')).toBe('\\::a b::c');
    expect(escapeMarkdown('see https://example.com, www.example.com')).toBe(
      'see https:<!-- -->//example.com, www<!-- -->.example.com',
    );
    expect(markdownCode('a')).toBe('`a`');
    expect(markdownCode('`a``b`')).toBe('``` `a``b` ```');
    expect(markdownCode('')).toBe('');
  });
});
