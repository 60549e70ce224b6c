import type { Finding, SourceLocation } from '../../../core/finding';
import { type FindingDetails, findingOf } from '../../../core/rule';
import type { LuaScript } from '../../../lua';
import type { Position } from '../../../lua/syntax';
import type { KruiseRolloutVersion } from '../../version';
import type { ScriptTarget } from '../library';
import { type ScriptRuleId, scriptRules } from '../rules';
import type { Testdata } from '../testdata';
import type { Stage } from './stage';
import type { ScriptTree } from './tree';
import { Trial } from './trial';

/** The position of a finding: a node, or a line, which means its first character. */
export type Place = Pick<Position, 'line' | 'column'> | { readonly line: number };

/** Looks for one kind of defect and yields a finding for each place that has it. */
export type Check = (script: CheckedScript) => Iterable<Finding>;

/** A script that parses, with everything that checks need: its tree, the inputs to try, and their outcomes. */
export class CheckedScript {
  readonly trial: Trial;
  private readonly lines: readonly string[];

  constructor(
    readonly source: string,
    readonly file: string,
    readonly target: ScriptTarget,
    readonly version: KruiseRolloutVersion,
    readonly tree: ScriptTree,
    compiled: LuaScript,
    /** The objects to try the script on. */
    readonly stages: readonly Stage[],
    /** Undefined if no testdata was given; empty if the script has none. */
    readonly testdata: readonly Testdata[] | undefined,
  ) {
    this.lines = source.split('\n');
    this.trial = new Trial(compiled, version.facts.emptyTable);
  }

  /** A finding of a rule at a place in the script. */
  finding(rule: ScriptRuleId, place: Place, message: string, more: Partial<FindingDetails> = {}): Finding {
    return findingOf(scriptRules[rule], { ...more, message, source: this.at(place) });
  }

  /** The position in the user's file. */
  at(place: Place): SourceLocation {
    const line = Math.min(Math.max(1, place.line), this.lines.length);
    const column = 'column' in place ? place.column : firstColumn(this.lines[line - 1] ?? '');
    return { file: this.file, line, column: Math.max(1, column) };
  }

  /** The first read of a field in `obj`: `obj.matches`, `obj.matches[].headers`. The start of the script if there is none. */
  firstRead(...paths: readonly string[]): Place {
    for (const path of paths) {
      const node = this.tree.all('Index').find((index) => this.tree.pathOf(index) === path);
      if (node) return node;
    }
    const field = paths[0]?.replace(/^.*\./, '').replace('[]', '');
    const byName = this.tree.all('Index').find((index) => index.key.kind === 'String' && index.key.text === field);
    return byName ?? this.tree.chunk.body[0] ?? { line: 1, column: 1 };
  }

  /**
   * The literal with a text, such as the key of an annotation; else the longest literal that is part of the text, but not
   * only a prefix such as `example.com/`.
   */
  literal(text: string): Place {
    const candidates = this.tree
      .all('String')
      .map((node) => ({ node, part: node.text.replace(/%s$/, '') }))
      .filter(({ part }) => part.length > 3 && !part.endsWith('/') && text.includes(part));
    const longest = Math.max(0, ...candidates.map(({ part }) => part.length));
    return candidates.find(({ part }) => part.length === longest)?.node ?? this.lastReturn();
  }

  /** The last `return` at the top level of the script. */
  lastReturn(): Place {
    return this.returns().at(-1) ?? this.tree.chunk.body.at(-1) ?? { line: 1, column: 1 };
  }

  /** Every `return` at the top level of the script, without those of its functions. */
  returns() {
    return this.tree.all('Return').filter((node) => {
      for (const outer of this.tree.around(node)) if (outer.kind === 'Function') return false;
      return true;
    });
  }

  /** The `return` on a line that the VM reported, or the line itself. */
  returnAt(line: number | undefined): Place {
    if (line === undefined) return this.lastReturn();
    return this.returns().find((node) => node.line <= line && line <= node.endLine) ?? { line };
  }
}

function firstColumn(line: string): number {
  return line.length - line.trimStart().length + 1;
}
