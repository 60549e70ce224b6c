/** Small readers of HTML and XML that know no mercy: what they do not understand is a problem. */

const TAG = /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-zA-Z:-]+(?:="[^"<>]*")?)*)\s*(\/?)>/;
const ATTRIBUTE = /\s+([a-zA-Z:-]+)(?:="([^"<>]*)")?/g;

/** Each tag with the names of its attributes, in order, and what is neither a tag nor text. */
function tagsOf(page: string): { readonly tags: string[]; readonly problems: string[] } {
  const [tags, problems]: [string[], string[]] = [[], []];
  // What we wrote ourselves into these two holds nothing of a manifest, and ends at the first end tag.
  let rest = page.replace(/<!doctype html>/i, '').replace(/<(style|script)>[\s\S]*?<\/\1>/g, '<$1></$1>');
  for (let at = rest.indexOf('<'); at >= 0; at = rest.indexOf('<')) {
    rest = rest.slice(at);
    const tag = TAG.exec(rest);
    if (tag?.index !== 0) {
      problems.push(`no tag: ${rest.slice(0, 60)}`);
      rest = rest.slice(1);
      continue;
    }
    const attributes = [...tag[3]!.matchAll(ATTRIBUTE)];
    tags.push(`<${tag[1]}${[tag[2], ...attributes.map(([, name]) => name)].join(' ')}>`);
    for (const [, name, value = ''] of attributes) {
      if (/^(href|src|action|formaction|srcdoc)$/.test(name!) && !/^(#|data:|a$)/.test(value))
        problems.push(`leads to ${value}`);
    }
    rest = rest.slice(tag[0].length);
  }
  return { tags, problems };
}

/** What a page holds that pages of harmless texts do not. */
export function htmlProblems(page: string, ...harmless: readonly string[]): string[] {
  const known = new Set(harmless.flatMap((each) => tagsOf(each).tags));
  const { tags, problems } = tagsOf(page);
  return [...problems, ...new Set(tags.filter((tag) => !known.has(tag)))];
}

/** What keeps a text from being a well-formed document of XML 1.0. */
export function xmlProblems(text: string): string[] {
  const problems: string[] = [];
  const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.exec(text);
  if (forbidden) problems.push(`character ${forbidden[0].codePointAt(0)!.toString(16)}`);
  const open: string[] = [];
  const body = text.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '');
  const parts = body.split(/(<[^>]*>)/);
  for (const [index, part] of parts.entries()) {
    if (index % 2 === 0) {
      if (/<|\]\]>/.test(part)) problems.push(`text: ${part.slice(0, 40)}`);
    } else {
      const tag = /^<(\/?)([a-z-]+)((?: [a-z]+="[^"<]*")*)(\/?)>$/.exec(part);
      if (tag === null) problems.push(`tag: ${part.slice(0, 60)}`);
      else if (tag[1] === '/') {
        if (open.pop() !== tag[2]) problems.push(`end: ${tag[2]}`);
      } else if (tag[4] !== '/') open.push(tag[2]!);
    }
  }
  if (/&(?!(amp|lt|gt|quot|apos|#\d+);)/.test(body)) problems.push('an entity');
  for (const [, code] of body.matchAll(/&#(\d+);/g)) {
    if (Number(code) < 32 && ![9, 10, 13].includes(Number(code))) problems.push(`reference ${code}`);
  }
  return [...problems, ...open.map((name) => `not ended: ${name}`)];
}
