/** The style sheet of the playground. Colours stand in one place; text keeps a contrast of 4.5 to its ground. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f4f6f8; --surface: #ffffff; --sunken: #f0f3f6; --line: #d5dce3; --strong-line: #77828f;
  --text: #1b222a; --quiet: #55606d; --link: #0b57a4; --focus: #0b57a4; --main: #245d8f; --on-main: #ffffff;
  --error: #a8172a; --warning: #7c4a00; --note: #0b57a4; --good: #156c2f;
  --error-ground: #fdecee; --warning-ground: #fdf3df; --note-ground: #e9f1fa; --good-ground: #e7f5eb;
  --error-line: #d2293d; --warning-line: #c98a00; --note-line: #3f8ad0;
  --mono: ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0f1419; --surface: #171d24; --sunken: #1e252e; --line: #313b46; --strong-line: #7a8694;
    --text: #e5eaf0; --quiet: #a0acb9; --link: #84bdf5; --focus: #84bdf5; --main: #84bdf5; --on-main: #0f1419;
    --error: #ff969f; --warning: #f0bd5c; --note: #84bdf5; --good: #6fd08c;
    --error-ground: #341a1f; --warning-ground: #30260f; --note-ground: #16263a; --good-ground: #14291c;
    --error-line: #ff6b78; --warning-line: #f2c14b; --note-line: #5c96cf;
  }
}
* { box-sizing: border-box; }
html { height: 100%; }
body {
  margin: 0; min-height: 100%; background: var(--ground); color: var(--text); display: flex; flex-direction: column;
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif;
}
h1, h2, p, ol, pre { margin: 0; padding: 0; }
ol { list-style: none; }
h1 { font-size: 1.2rem; line-height: 1.3; }
h2 { font-size: 1rem; line-height: 1.4; }
h2 label { font-weight: inherit; }
button, select, input, textarea { font: inherit; color: inherit; }
button, select, input {
  min-height: 2.4rem; padding: .3rem .8rem; border: 1px solid var(--strong-line); border-radius: 7px; background: var(--surface);
}
button { cursor: pointer; }
button:hover { background: var(--sunken); }
button.main { background: var(--main); border-color: var(--main); color: var(--on-main); font-weight: 600; }
button.main:hover { filter: brightness(1.08); }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 7px; }
code, pre { font-family: var(--mono); font-size: .86em; }
.unseen { position: absolute; width: 1px; height: 1px; min-height: 0; margin: -1px; padding: 0; border: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 1rem; top: -4rem; padding: .5rem 1rem; background: var(--surface); border-radius: 0 0 7px 7px; z-index: 3; }
.skip:focus { top: 0; }
[hidden] { display: none !important; }
.quiet { color: var(--quiet); font-size: .87rem; }

header { display: flex; flex-wrap: wrap; gap: .6rem 1.5rem; align-items: center; padding: .75rem 1.25rem; background: var(--surface); border-bottom: 1px solid var(--line); }
.name { flex: 1 1 20rem; }
.name p { color: var(--quiet); font-size: .9rem; }
.site { display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
.site a { color: var(--link); padding: .25rem 0; }
.tools { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
.tools label { color: var(--quiet); font-size: .9rem; }
.shared { flex: 1 1 100%; display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: center; }
.shared input { flex: 1 1 16rem; font-family: var(--mono); font-size: .8rem; min-width: 0; }
.shared p { color: var(--quiet); font-size: .9rem; }
.told { flex: 1 1 100%; padding: .5rem .9rem; border-left: 4px solid var(--error-line); background: var(--error-ground); border-radius: 0 7px 7px 0; overflow-wrap: anywhere; }

main { flex: 1; display: grid; gap: 1.25rem; grid-template-columns: minmax(0, 1fr); padding: 1rem 1.25rem; align-items: start; }
.write, .see { display: flex; flex-direction: column; gap: .6rem; min-width: 0; }
.bar { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; justify-content: space-between; min-height: 2rem; }
.status { font-size: .9rem; padding: .1rem .7rem; border-radius: 99px; background: var(--sunken); color: var(--quiet); }
.status[data-state="good"] { background: var(--good-ground); color: var(--good); }
.status[data-state="error"] { background: var(--error-ground); color: var(--error); }
.status[data-state="warning"] { background: var(--warning-ground); color: var(--warning); }

.editor { display: flex; height: 24rem; border: 1px solid var(--strong-line); border-radius: 9px; background: var(--surface); overflow: hidden; }
.editor:focus-within { outline: 3px solid var(--focus); outline-offset: 1px; }
.editor.over { outline: 3px dashed var(--focus); }
.editor textarea:focus-visible { outline: none; }
.numbers, .marks, .editor textarea { font: 13px/20px var(--mono); tab-size: 2; font-variant-ligatures: none; }
.numbers { flex: none; padding: .6rem .6rem .6rem .8rem; min-width: 3rem; text-align: right; white-space: pre; color: var(--quiet); background: var(--sunken); border-right: 1px solid var(--line); overflow: hidden; user-select: none; }
.field { position: relative; flex: 1; min-width: 0; overflow: hidden; }
/* The field cuts off what is scrolled out of it; these move with its text. */
.marks { position: absolute; inset: 0; pointer-events: none; color: transparent; white-space: pre; }
.marks > div { position: absolute; left: 0; height: 20px; padding-left: .75rem; }
.marks u { text-decoration: none; border-radius: 2px; }
.marks .error u { background: var(--error-ground); border-bottom: 2px solid var(--error-line); }
.marks .warning u { background: var(--warning-ground); border-bottom: 2px dashed var(--warning-line); }
.marks .note u { border-bottom: 2px dotted var(--note-line); }
.editor textarea { position: absolute; inset: 0; width: 100%; height: 100%; padding: .6rem .75rem; border: 0; margin: 0; resize: none; background: transparent; white-space: pre; overflow: auto; }
.editor textarea::placeholder { color: var(--quiet); white-space: normal; }

.findings { display: flex; flex-direction: column; gap: .6rem; }
.findings li { border: 1px solid var(--line); border-left: 4px solid var(--note-line); border-radius: 0 8px 8px 0; background: var(--surface); padding: .55rem .8rem; overflow-wrap: anywhere; }
.findings li.error { border-left-color: var(--error-line); }
.findings li.warning { border-left-color: var(--warning-line); }
.findings .message { font-weight: 600; }
.findings .head { display: flex; flex-wrap: wrap; gap: .15rem .6rem; align-items: baseline; font-size: .87rem; }
.findings .word { font-weight: 700; color: var(--note); }
.findings .error .word { color: var(--error); }
.findings .warning .word { color: var(--warning); }
.findings code { color: var(--quiet); }
.findings button { min-height: 0; padding: 0 .5rem; margin-left: auto; color: var(--link); border-color: var(--line); font-size: .85rem; }
.findings p + p { margin-top: .2rem; }
.findings .because { color: var(--quiet); font-size: .92rem; }
.findings .fix { font-size: .92rem; }
.findings .none { border: 1px dashed var(--line); border-radius: 8px; color: var(--quiet); }

.choices { display: flex; gap: .35rem; }
.choices button { min-height: 2rem; padding: .1rem .7rem; }
.choices button[aria-pressed="true"] { background: var(--note-ground); border-color: var(--link); color: var(--link); font-weight: 600; }
.pictures { position: relative; height: 36rem; border: 1px solid var(--line); border-radius: 9px; background: var(--surface); overflow: hidden; }
.pictures iframe { position: absolute; inset: 0; width: 100%; height: 100%; border: 0; }
.pictures iframe.coming { visibility: hidden; }
.empty { padding: 3rem 2rem; text-align: center; color: var(--quiet); }
.ask { display: flex; gap: .5rem; }
.ask input { flex: 1; min-width: 0; font-family: var(--mono); font-size: .87rem; }
.answers { display: flex; flex-direction: column; gap: .6rem; }
.answers li { display: flex; gap: .5rem; align-items: start; justify-content: space-between; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); padding: .5rem .8rem; }
.answers pre { min-width: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.answers li.bad pre { color: var(--error); }
.answers button { min-height: 0; padding: 0 .55rem; border-color: var(--line); font-size: .85rem; }
footer { padding: .5rem 1.25rem 1rem; color: var(--quiet); font-size: .82rem; }

@media (min-width: 1000px) {
  main { grid-template-columns: minmax(26rem, 5fr) minmax(0, 7fr); }
  .editor { height: max(24rem, calc(100vh - 20rem)); }
  .pictures { height: max(32rem, calc(100vh - 16rem)); }
}
@media (max-width: 600px) {
  header, main, footer { padding-left: .8rem; padding-right: .8rem; }
  .tools { width: 100%; }
  .tools label { flex: 1 1 100%; margin-bottom: -.4rem; }
  .tools select { flex: 1 1 12rem; min-width: 0; }
  .tools button { flex: 1; }
  .editor { height: 20rem; }
  .numbers, .marks, .editor textarea { font-size: 12px; }
  /* Phones zoom into a field with smaller letters. */
  .ask input { font-size: 16px; }
}
@media (prefers-reduced-motion: no-preference) {
  button { transition: background .12s; }
}
@media (forced-colors: active) {
  .marks u { border-bottom-color: Highlight; }
}
`;
