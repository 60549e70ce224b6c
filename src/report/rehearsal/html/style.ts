/**
 * The style sheet. Colours stand in one place, for light and for dark; every state that has a colour has a sign or a
 * word too. Text keeps a contrast of 4.5 to its ground, bars and edges one of 3.
 */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f4f6f8; --surface: #ffffff; --sunken: #f0f3f6; --line: #d5dce3; --strong-line: #8b96a3;
  --text: #1b222a; --quiet: #55606d; --link: #0b57a4; --focus: #0b57a4;
  --canary: #b57e00; --abandoned: #8250a8; --stable: #3f74a8; --failed: #c62434; --other: #7b8490;
  --good: #156c2f; --bad: #a8172a; --warning: #7c4a00;
  --good-ground: #e7f5eb; --bad-ground: #fdecee; --warning-ground: #fdf3df; --note-ground: #e9f1fa;
  --added: #e3f6e8; --removed: #fdebed; --added-mark: #a9e2b8; --removed-mark: #f6bfc6;
  --mono: ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0f1419; --surface: #171d24; --sunken: #1e252e; --line: #313b46; --strong-line: #6d7987;
    --text: #e5eaf0; --quiet: #a0acb9; --link: #84bdf5; --focus: #84bdf5;
    --canary: #f2c14b; --abandoned: #b98ddc; --stable: #5c96cf; --failed: #f4717c; --other: #8a95a2;
    --good: #6fd08c; --bad: #ff969f; --warning: #f0bd5c;
    --good-ground: #14291c; --bad-ground: #341a1f; --warning-ground: #30260f; --note-ground: #16263a;
    --added: #14301d; --removed: #3a1c21; --added-mark: #24613a; --removed-mark: #7a2f39;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--ground); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif;
  overflow-wrap: anywhere;
}
h1, h2, h3, h4, h5, p, dl, dd, ol, ul, pre { margin: 0; padding: 0; }
ol, ul { list-style: none; }
h1 { font-size: 1.6rem; line-height: 1.25; }
h2 { font-size: 1.3rem; line-height: 1.3; display: flex; flex-wrap: wrap; gap: .35rem .75rem; align-items: center; }
h3 { font-size: 1.05rem; margin: 2rem 0 .65rem; }
h4 { font-size: 1.05rem; line-height: 1.4; }
h5 { font-size: .95rem; margin: 1.4rem 0 .5rem; }
a { color: var(--link); text-underline-offset: .15em; }
code, pre, .flow { font-family: var(--mono); }
code { font-size: .87em; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
[tabindex="-1"]:focus { outline: none; }
.quiet { color: var(--quiet); }
.good { color: var(--good); }
.bad { color: var(--bad); }
.unseen { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 1rem; top: -4rem; padding: .5rem 1rem; background: var(--surface); border-radius: 0 0 6px 6px; z-index: 3; }
.skip:focus { top: 0; }

header, .page, footer { max-width: 1200px; margin: 0 auto; padding: 0 1.25rem; }
.page.several, .page.several ~ footer { max-width: 1500px; }
header { padding-top: 2rem; }
.lead { margin-top: .35rem; color: var(--quiet); max-width: 50rem; }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.5rem; margin: .9rem 0 1.25rem; color: var(--quiet); font-size: .87rem; }
.legend li { display: flex; align-items: center; gap: .5rem; }
.legend .bar { width: 1.6rem; margin: 0; }
footer { padding-top: 1.5rem; padding-bottom: 2.5rem; color: var(--quiet); font-size: .87rem; }

nav { margin-bottom: 1.25rem; }
nav h2 { font-size: 1.05rem; margin-bottom: .6rem; }
nav li { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 .6rem; padding: .35rem 0; border-top: 1px solid var(--line); font-size: .9rem; }
nav .status { font-size: .75rem; }
.filter { display: grid; gap: .35rem; margin-bottom: .75rem; font-size: .87rem; }
.filter input[type=search] { font: inherit; color: inherit; background: var(--surface); border: 1px solid var(--strong-line); border-radius: 6px; padding: .35rem .55rem; width: 100%; }
@media (min-width: 1100px) {
  .page.several { display: grid; grid-template-columns: 17rem minmax(0, 1fr); gap: 1.5rem; }
  .several nav { position: sticky; top: 0; max-height: 100vh; overflow-y: auto; padding: 1rem .25rem 1rem 0; margin: -1rem 0 0; }
}

.rollout { background: var(--surface); border: 1px solid var(--line); border-radius: 12px; padding: 1.35rem 1.5rem 1.6rem; margin-bottom: 1.5rem; }
.status { font-size: .84rem; font-weight: 600; padding: .1rem .6rem; border-radius: 1rem; white-space: nowrap; border: 1px solid currentColor; }
.status.good { background: var(--good-ground); }
.status.error { color: var(--bad); background: var(--bad-ground); }
.status.warning { color: var(--warning); background: var(--warning-ground); }
.facts { display: flex; flex-wrap: wrap; gap: .5rem 2.25rem; margin-top: .75rem; font-size: .9rem; }
.facts dt { color: var(--quiet); font-size: .82rem; }
.stopped { margin-top: 1rem; padding: .75rem 1rem; border-left: 4px solid var(--failed); background: var(--bad-ground); border-radius: 0 6px 6px 0; }

.finding { border: 1px solid var(--line); border-left: 5px solid var(--stable); border-radius: 6px; padding: .8rem 1rem .9rem; margin-bottom: .7rem; background: var(--surface); }
.finding.error { border-left-color: var(--failed); }
.finding.warning { border-left-color: var(--canary); }
.rollout > .findings { margin-top: 1rem; }
.finding h3, .finding h4 { font-size: 1.05rem; line-height: 1.4; margin: 0; }
.finding:target { box-shadow: 0 0 0 2px var(--focus); }
.severity { font-size: .8rem; padding: .05rem .5rem; border-radius: 1rem; border: 1px solid currentColor; margin-right: .3rem; white-space: nowrap; background: var(--note-ground); }
.error .severity { color: var(--bad); background: var(--bad-ground); }
.warning .severity { color: var(--warning); background: var(--warning-ground); }
.finding dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .3rem 1rem; margin-top: .55rem; font-size: .92rem; }
.finding dt { color: var(--quiet); }
.finding dd { white-space: pre-line; }
.place { display: block; color: var(--quiet); }
.excerpt { background: var(--sunken); border-radius: 6px; padding: .45rem .75rem; margin-top: .3rem; overflow-x: auto; font-size: .8rem; line-height: 1.4; }
.excerpt b { color: var(--bad); }
@media (max-width: 600px) {
  .finding dl { grid-template-columns: minmax(0, 1fr); gap: .1rem; }
  .finding dt { margin-top: .4rem; }
  .rollout { padding: 1rem; border-radius: 0; margin-left: -1.25rem; margin-right: -1.25rem; }
}
/* Beside a heading, and not a part of its name. */
:is(h3, h4):has(+ .anchor) { display: inline; }
.anchor::before { content: "#"; }
.anchor { color: var(--quiet); font-weight: 400; text-decoration: none; padding: 0 .5rem; }
.anchor:hover, .anchor:focus { color: var(--link); text-decoration: underline; }
.hint { display: none; color: var(--quiet); font-size: .82rem; margin-bottom: .4rem; }
@media (max-width: 900px) { .hint { display: block; } }

.scroll {
  position: relative; overflow-x: auto; max-width: 100%; border-radius: 6px;
  /* A shadow at each edge behind which there is more: what moves along covers it at the end. */
  background:
    linear-gradient(to right, var(--surface) 40%, transparent) left / 2rem 100% no-repeat local,
    linear-gradient(to left, var(--surface) 40%, transparent) right / 2rem 100% no-repeat local,
    linear-gradient(to right, var(--line), transparent) left / 1rem 100% no-repeat scroll,
    linear-gradient(to left, var(--line), transparent) right / 1rem 100% no-repeat scroll;
}
table { border-collapse: collapse; font-size: .87rem; }
caption { text-align: left; color: var(--quiet); padding-bottom: .4rem; font-size: .87rem; }
th, td { text-align: left; vertical-align: top; padding: .5rem .7rem; border-bottom: 1px solid var(--line); }
thead th { font-weight: 600; vertical-align: bottom; }
tbody tr:last-child > * { border-bottom: 0; }
th[scope=row] { font-weight: 500; }
.bar { display: block; width: 100%; min-width: 3.5rem; height: 8px; margin-top: .25rem; border-radius: 2px; background: var(--sunken); forced-color-adjust: none; }
.bar .canary, .strip .canary { fill: var(--canary); }
.bar .stable, .strip .stable { fill: var(--stable); }
.bar .failed, .strip .failed { fill: var(--failed); }
.bar .other, .strip .other { fill: var(--other); }
.mark { font-weight: 600; }
.sign { font-weight: 700; }
td .sign { margin-right: .3em; }
thead a { font-weight: 500; }

.timeline { min-width: 100%; }
.timeline thead th { min-width: 5.5rem; max-width: 10rem; }
.timeline thead .quiet { display: block; font-weight: 400; font-size: .78rem; line-height: 1.3; }
.timeline th:first-child { position: sticky; left: 0; background: var(--surface); z-index: 1; min-width: 11rem; max-width: 18rem; }
.timeline tbody th { padding-left: 1.9rem; }
.timeline tbody th::before { content: ""; position: absolute; left: .68rem; top: 0; bottom: -1px; border-left: 2px solid var(--line); }
.timeline tbody tr:first-child th::before { top: 1.1rem; }
.timeline tbody tr:last-child th::before { bottom: calc(100% - 1.1rem); }
.timeline tbody th::after { content: ""; position: absolute; left: .32rem; top: .78rem; width: .84rem; height: .84rem; border-radius: 50%; background: var(--surface); border: 3px solid var(--stable); }
.timeline .step th::after { border-color: var(--canary); }
.timeline .abort th::after { border-radius: 2px; border-color: var(--other); }
.timeline tbody th .mark { display: block; font-size: .8rem; }
.timeline tbody th .mark.good { display: inline; }
.timeline td.wrong { background: var(--bad-ground); }
.timeline td .quiet { display: block; font-size: .78rem; margin-top: .15rem; color: var(--text); }
.timeline tr.chosen > * { background: var(--note-ground); }
.timeline tr.chosen > td.wrong { background: var(--bad-ground); }
.timeline tr.chosen th::after { background: currentColor; }
.timeline tr.chosen th a { font-weight: 700; }

.moment { border-top: 1px solid var(--line); padding-top: 1.1rem; margin-top: 1.5rem; }
.moments > h3 + .moment, .moments > .stepper + .moment { border-top: 0; padding-top: 0; margin-top: 0; }
.moments.one { border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.1rem 1.2rem; margin-top: 1.5rem; }
.moments.one > h3 { display: none; }
.moments.one .moment { border: 0; padding: 0; margin: 0; }
.stepper { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .75rem; margin-bottom: .9rem; font-size: .87rem; }
button { font: inherit; color: var(--link); background: var(--surface); border: 1px solid var(--strong-line); border-radius: 6px; padding: .3rem .8rem; cursor: pointer; }
button[aria-disabled=true] { color: var(--quiet); border-color: var(--line); cursor: default; }
.summary { font-weight: 500; margin: .2rem 0 .8rem; }
.routes { width: 100%; margin-top: .4rem; }
.routes th, .routes td { min-width: 7rem; }
.routes th[scope=row], .routes td:last-child { min-width: 12rem; }
.routes tr.wrong > * { background: var(--bad-ground); }
.routes th:nth-child(4) { width: 38%; }
.routes th:nth-child(2), .routes th:nth-child(3) { width: 13%; }
.reason { display: block; font-size: .82rem; margin-top: .3rem; }

.flow { display: block; max-width: 100%; min-width: 800px; height: auto; margin: 0 auto; font-size: 12.5px; }
.flow text { fill: var(--text); white-space: pre; }
.flow .head { font-weight: 600; fill: var(--quiet); }
.flow rect { rx: 6px; fill: var(--sunken); stroke: var(--strong-line); }
.flow .strong { font-weight: 600; }
.flow .quiet { fill: var(--quiet); }
.flow .bad { fill: var(--bad); font-weight: 600; }
.flow .wrong rect { stroke: var(--failed); stroke-width: 2; fill: var(--bad-ground); }
.flow .none rect { stroke-dasharray: 4 3; }
.flow .answer.canary rect { stroke: var(--canary); stroke-width: 2.5; }
.flow .answer.stable rect, .flow .answer.both rect { stroke: var(--stable); stroke-width: 2.5; }
.flow .answer.failed rect { stroke: var(--failed); stroke-width: 2.5; stroke-dasharray: 6 3; fill: var(--bad-ground); }
.flow .edge { fill: none; stroke-linejoin: round; stroke: var(--strong-line); }
.flow .edge.canary { stroke: var(--canary); }
.flow .edge.stable, .flow .edge.both { stroke: var(--stable); }
.flow .edge.failed, .flow .edge.wrong { stroke: var(--failed); }
.flow .edge.failed { stroke-dasharray: 7 4; }
.flow .edge.other { stroke: var(--other); }
.flow .edge.none { stroke-dasharray: 2 4; }
.flow .edge:not([stroke-width]) { stroke-width: 1.75; }
.flow .share { font-weight: 600; paint-order: stroke; stroke: var(--surface); stroke-width: 4px; stroke-linejoin: round; }

.changes li { margin-bottom: .6rem; }
summary { cursor: pointer; padding: .25rem 0; }
.action { display: inline-block; font-size: .8rem; font-weight: 600; min-width: 4.8rem; padding: 0 .5rem; text-align: center; border-radius: 1rem; border: 1px solid currentColor; }
.action.created { color: var(--good); }
.action.deleted { color: var(--bad); }
.action.changed { color: var(--warning); }
.diff { margin-top: .3rem; padding: .6rem 0; background: var(--sunken); border-radius: 6px; overflow-x: auto; font-size: .8rem; line-height: 1.45; white-space: pre-wrap; tab-size: 2; padding-left: .75rem; padding-right: .75rem; }
.diff ins, .diff del { display: block; text-decoration: none; margin: 0 -.75rem; padding: 0 .75rem; }
.diff ins { background: var(--added); }
.diff del { background: var(--removed); }
.diff mark { color: inherit; border-radius: 2px; }
.diff ins mark { background: var(--added-mark); }
.diff del mark { background: var(--removed-mark); }
.diff .gap { color: var(--quiet); }
.requests tr:target, .requests tr:focus { background: var(--note-ground); }
.requests code { white-space: pre-wrap; }
@media screen and (max-width: 600px) {
  .timeline th:first-child { min-width: 8.5rem; max-width: 10rem; }
  .timeline thead th { min-width: 4.5rem; }
  .timeline th, .timeline td { padding: .45rem .4rem; }
  .moments.one { padding: .9rem .75rem; }
}
/* On narrow screens and on paper, each row of a table of text becomes a list. */
@media (max-width: 900px) {
  .routes, .routes caption, .routes tbody, .routes tr > * { display: block; width: auto; min-width: 0; max-width: none; }
  .routes thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .routes tr { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); padding: .6rem 0; border-bottom: 1px solid var(--line); }
  .routes tr > * { border: 0; padding: .15rem .25rem; }
  .routes tr > th[scope=row] { grid-column: 1 / -1; min-width: 0; }
  .routes td::before { content: attr(data-term); display: block; color: var(--quiet); font-size: .82rem; }
}
@media screen and (max-width: 600px) {
  .requests, .requests caption, .requests tbody, .requests tr, .requests tr > * { display: block; width: auto; }
  .requests thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .requests tr { padding: .6rem 0; border-bottom: 1px solid var(--line); }
  .requests tr > * { border: 0; padding: .15rem .25rem; }
  .requests td::before { content: attr(data-term); display: block; color: var(--quiet); font-size: .82rem; }
  .requests th[scope=row] { font-weight: 600; }
}
[hidden] { display: none !important; }

@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
@media print {
  :root { --ground: #fff; }
  body { font-size: 10.5pt; }
  nav, .skip, .stepper, .anchor, .hint { display: none; }
  .moment[hidden] { display: block !important; }
  .moments.one { border: 0; padding: 0; }
  .moments.one .moment { margin-top: 1.5rem; }
  .rollout { border: 0; padding: 0; break-before: page; }
  main > .rollout:first-of-type { break-before: auto; }
  .finding, .flow, tr { break-inside: avoid; }
  .scroll, .diff, .excerpt { overflow: visible; }
  .scroll { background: none; }
  .flow { min-width: 0; }
  a { color: inherit; text-decoration: none; }
  .bar, .strip, .status, .action, .diff ins, .diff del, .diff mark, td.wrong { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
