/** What the page of a difference needs besides the style sheet of rehearsals. */
export const DIFF_STYLE = `
header .lead { margin-bottom: 1.25rem; }
.effects li, .remarks li { border-left: 4px solid var(--stable); padding: .15rem 0 .15rem .9rem; margin-top: .8rem; }
.effects li.warning, .remarks li.worse { border-left-color: var(--failed); }
.remarks li { margin-top: .45rem; }
.remarks li.better { border-left-color: var(--good); }
.effects p { margin-top: .15rem; }
.sides { min-width: 100%; margin-top: .5rem; }
.sides thead th { min-width: 11rem; max-width: 20rem; font-weight: 500; }
.sides thead code { display: block; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: .6rem; min-width: 10rem; }
.pair .quiet { font-size: .8rem; }
td.differs { background: var(--warning-ground); }
.only { font-size: .8rem; font-weight: 600; padding: .05rem .5rem; border-radius: 1rem; border: 1px solid currentColor; white-space: nowrap; }
.yaml { width: 100%; table-layout: fixed; font-family: var(--mono); font-size: .8rem; margin-top: .6rem; }
.yaml th, .yaml td { padding: .05rem .5rem; border: 0; }
.yaml td { white-space: pre-wrap; }
.yaml .removed { background: var(--removed); }
.yaml .added { background: var(--added); }
.yaml .gap { color: var(--quiet); }
details { margin-top: 1rem; }
summary { cursor: pointer; font-weight: 600; }
.section { background: var(--surface); border: 1px solid var(--line); border-radius: 12px; padding: 1.35rem 1.5rem 1.6rem; margin-bottom: 1.5rem; }
@media (max-width: 600px) {
  .section { padding: 1rem; border-radius: 0; margin-left: -1.25rem; margin-right: -1.25rem; }
  .yaml thead { display: none; }
  .yaml td { display: block; }
  .yaml td:empty, .yaml td.same + td.same { display: none; }
  .sides thead th { min-width: 9rem; }
}
`;
