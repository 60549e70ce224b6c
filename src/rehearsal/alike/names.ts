/** Names that stand for those of any application. */

/** No name of a user's looks like the stand-ins, and no text of this library. */
const MARK = 'zqj';
const STAND_INS = new RegExp(`${MARK}(?:\\d+|group)q[hz](?:\\.example)?`, 'g');
const GROUP = `${MARK}groupqz`;

/** Neither so short that it is found in other words, nor so long that it comes near any limit. */
const NAME = /^[a-z][-a-z0-9]{1,38}[a-z0-9]$/;
const TOKEN = /[A-Za-z0-9-]+/g;

/** The names of an application, each with one that stands for it, and back. */
export class Names {
  /** Undefined where a name could be mistaken for something else. */
  static of(names: readonly string[], hosts: readonly string[], group: string | undefined): Names | undefined {
    const all = [...new Set(names)];
    const isPlain = (name: string) => NAME.test(name) && !/canary|stable/.test(name) && !name.includes(MARK);
    if (!all.every(isPlain)) return undefined;
    if (hosts.some((host) => host.includes(MARK) || host.endsWith('.example.org') || host === 'any.example.com')) {
      return undefined;
    }
    return new Names(all, [...new Set(hosts)], group);
  }

  private readonly tokens: ReadonlyMap<string, string>;
  private readonly hosts: ReadonlyMap<string, string>;
  private readonly originals: ReadonlyMap<string, string>;

  private constructor(names: readonly string[], hosts: readonly string[], group: string | undefined) {
    this.tokens = new Map(names.map((name, index) => [name, `${MARK}${index}qz`]));
    this.hosts = new Map(hosts.map((host, index) => [host, `${MARK}${index}qh.example`]));
    this.originals = new Map([
      ...[...this.tokens, ...this.hosts].map(([name, standIn]) => [standIn, name] as const),
      ...(group === undefined ? [] : [[GROUP, group] as const]),
    ]);
  }

  /** What stands for the group. */
  get group(): string {
    return GROUP;
  }

  /** What stands for a host; one that is unknown stays. */
  host(host: string): string {
    return this.hosts.get(host) ?? host;
  }

  /** A text with stand-ins for the words in it that are names. */
  standIn(text: string): string {
    return text.replace(TOKEN, (token) => this.tokens.get(token) ?? token);
  }

  /** Whether nothing in a text with stand-ins is like a name any more. */
  isFree(text: string): boolean {
    for (const name of this.tokens.keys()) if (text.includes(name)) return false;
    for (const host of this.hosts.keys()) if (text.includes(host)) return false;
    return true;
  }

  /** A text with the names again. */
  restore(text: string): string {
    return text.includes(MARK) ? text.replace(STAND_INS, (standIn) => this.originals.get(standIn) ?? standIn) : text;
  }
}
