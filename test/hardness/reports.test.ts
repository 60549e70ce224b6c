/** No report lets a text of a manifest do anything but be read, whichever format it is written in. */
import { describe, expect, it } from 'vitest';
import { UNSAFE } from '../report/findings';
import { HOSTILE_REPORTS } from './hostile-reports';
import { COMMANDS, HOSTILE } from './hostile-texts';
import { htmlProblems, xmlProblems } from './markup';

const OUR_COLOURS = /\u001b\[\d+m/g;

function reports(...formats: readonly string[]) {
  return HOSTILE_REPORTS.filter(({ format }) => formats.length === 0 || formats.includes(format));
}

describe('a terminal', () => {
  it.each(reports())('is not moved by $name', ({ write }) => {
    for (const text of HOSTILE) {
      expect(UNSAFE.exec(write(text))?.[0], JSON.stringify(text)).toBeUndefined();
    }
  });

  it.each(reports('pretty'))('gets no colour from others in $name', ({ write }) => {
    for (const text of HOSTILE) {
      const report = write(text, { color: true });
      expect(report.replace(OUR_COLOURS, ''), JSON.stringify(text)).not.toMatch(/\u001b/);
      // Colours of ours are switched off again, so that what follows has none.
      const codes = [...report.matchAll(/\u001b\[(\d+)m/g)].map(([, code]) => Number(code));
      expect(codes.filter((code) => code < 22 || (code > 29 && code !== 39)).length).toBe(
        codes.filter((code) => code === 22 || code === 39).length,
      );
    }
  });
});

describe('a CI system', () => {
  it.each(reports('pretty', 'json', 'sarif', 'junit', 'markdown'))('finds no command in $name', ({ name, write }) => {
    // What a script printed is shown as it was; for GitHub there is a format that pauses commands meanwhile.
    if (name === 'tests of scripts as pretty') return;
    for (const text of COMMANDS) {
      expect(commandsOf(write(text)), JSON.stringify(text)).toEqual([]);
    }
  });

  it.each(reports('github'))('finds only our commands in $name', ({ write }) => {
    for (const text of HOSTILE) {
      // What another system takes for a command is none for GitHub.
      const commands = commandsOf(write(text)).filter((line) => !line.startsWith('##teamcity'));
      for (const command of commands) {
        expect(command, JSON.stringify(text)).toMatch(/^::(error|warning|notice)( [^:]*)?::/);
        expect(command).not.toMatch(/\r/);
      }
    }
  });

  it('has as many annotations as there are findings and suppressed ones, whatever they say', () => {
    const { write } = HOSTILE_REPORTS.find(({ name }) => name === 'findings as github')!;
    for (const text of HOSTILE) expect(commandsOf(write(text))).toHaveLength(4);
  });

  it('counts only our points in TAP', () => {
    const [{ write }] = reports('tap') as [(typeof HOSTILE_REPORTS)[number]];
    const points = (text: string) => text.split('\n').filter((line) => /^(not )?ok\b/.test(line));
    const expected = points(write('harmless')).map((line) => /^(not )?ok \d+/.exec(line)![0]);
    for (const text of HOSTILE) {
      const found = points(write(text));
      expect(
        found.map((line) => /^(not )?ok \d+/.exec(line)![0]),
        JSON.stringify(text),
      ).toEqual(expected);
      // Of our own two directives, and none of others.
      expect(found.filter((line) => /[^\\]# (SKIP|TODO)/i.test(line)).length).toBeLessThanOrEqual(1);
    }
  });
});

/** Lines that a runner takes for commands, but for a pause and what is said in it. */
function commandsOf(report: string): string[] {
  const commands: string[] = [];
  let paused: string | undefined;
  for (const line of report.split(/\r\n|[\r\n]/).map((each) => each.trimStart())) {
    if (paused !== undefined) {
      if (line === `::${paused}::`) paused = undefined;
    } else if (line.startsWith('::stop-commands::')) {
      paused = line.slice('::stop-commands::'.length);
    } else if (/^(::|##\[|##teamcity)/.test(line)) {
      commands.push(line);
    }
  }
  return commands;
}

describe('a browser', () => {
  it.each(reports('html'))('finds no tag of others in $name', ({ write }) => {
    const harmless = ['x', 'harmless', 'a text that is so long that it is written in two lines', 'with `code`'].map(
      (each) => write(each),
    );
    for (const text of HOSTILE) expect(htmlProblems(write(text), ...harmless), JSON.stringify(text)).toEqual([]);
  });

  it('would be warned of a tag, an attribute or an address', () => {
    const page = '<p title="a">b</p>';
    expect(htmlProblems('<p title="b">c</p>', page)).toEqual([]);
    expect(htmlProblems('<p title="a">b<b></b></p>', page)).toEqual(['<b>', '</b>']);
    expect(htmlProblems('<p title="a" onclick="x">b</p>', page)).toEqual(['<p title onclick>']);
    expect(htmlProblems('<p href="javascript:x">b</p>', '<p href="a">b</p>')).toEqual(['leads to javascript:x']);
    expect(htmlProblems('<p title="a">b < c</p>', page)).toEqual(['no tag: < c</p>']);
  });
});

describe('a reader of the format', () => {
  it.each(reports('json', 'sarif'))('can parse $name', ({ write }) => {
    for (const text of HOSTILE) expect(JSON.parse(write(text)), JSON.stringify(text)).toBeTypeOf('object');
  });

  it.each(reports('junit'))('can parse $name', ({ write }) => {
    const structure = (report: string) => report.match(/<\/?[a-z-]+/g);
    for (const text of HOSTILE) {
      const report = write(text);
      expect(xmlProblems(report), JSON.stringify(text)).toEqual([]);
      expect(structure(report), JSON.stringify(text)).toEqual(structure(write('harmless')));
    }
    expect(xmlProblems('<a b="<">')).not.toEqual([]);
  });

  it.each(reports('markdown'))('sees nothing but text in $name', ({ write }) => {
    for (const text of HOSTILE) {
      const report = write(text);
      // Outside of code and of what is escaped.
      const plain = report.replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, 'code').replace(/\\[\s\S]/g, '');
      expect(plain, JSON.stringify(text)).not.toMatch(/<(?!br>|!-- -->)[a-z!/]/i);
      expect(plain, JSON.stringify(text)).not.toMatch(/!\[|\]\(/);
      expect(plain, JSON.stringify(text)).not.toMatch(/@(?!<!-- -->)\w/);
      expect(report.split('\n').length, JSON.stringify(text)).toBe(write('harmless').split('\n').length);
    }
  });
});
