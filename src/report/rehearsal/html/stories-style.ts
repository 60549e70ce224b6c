/** The styles of stories, with the colours of the style sheet. Pages without stories do not have them. */
export const STORIES_STYLE = `
h6 { font-size: .92rem; margin: 1.2rem 0 .4rem; }
.status.neutral { color: var(--text); background: var(--note-ground); }
.tabs { display: flex; flex-wrap: wrap; gap: .4rem; margin: .8rem 0 1rem; padding: .25rem; }
.tabs a { display: inline-flex; align-items: center; gap: .5rem; padding: .3rem .6rem; border: 1px solid var(--line); border-radius: 8px; text-decoration: none; color: var(--text); background: var(--surface); font-size: .87rem; }
.tabs a:hover { border-color: var(--strong-line); }
.tabs a[aria-selected=true] { border-color: var(--focus); box-shadow: inset 0 0 0 1px var(--focus); background: var(--note-ground); font-weight: 700; }
.tabs .status { font-size: .74rem; padding: 0 .45rem; }
.story { border-top: 1px solid var(--line); padding-top: 1.1rem; margin-top: 1.5rem; }
.stories.one .story { border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.1rem 1.2rem; margin: 0; }
.story > h4 { display: flex; flex-wrap: wrap; gap: .3rem .75rem; align-items: center; margin-bottom: .4rem; }
.films, .slider { display: grid; grid-template-columns: 9rem minmax(0, 1fr); gap: .3rem 1rem; align-items: center; }
.films { margin-top: .9rem; font-size: .82rem; }
svg.film { display: block; width: 100%; height: 30px; border-radius: 3px; background: var(--sunken); forced-color-adjust: none; }
.stories.one svg.film { cursor: pointer; }
.film .canary, .pods .canary { fill: var(--canary); }
.pods .abandoned { fill: var(--abandoned); }
.film .stable, .pods .stable { fill: var(--stable); }
.film .failed { fill: var(--failed); }
.film .other { fill: var(--other); }
.slider { margin: .35rem 0 .8rem; font-size: .87rem; font-weight: 600; }
.slider input { display: block; height: 24px; margin-top: 0; margin-bottom: 0; appearance: none; background: none; cursor: pointer; }
.slider input::-webkit-slider-runnable-track { height: 4px; border-radius: 2px; background: var(--strong-line); }
.slider input::-moz-range-track { height: 4px; border-radius: 2px; background: var(--strong-line); }
.slider input::-webkit-slider-thumb { appearance: none; width: 16px; height: 16px; margin-top: -6px; border-radius: 50%; background: var(--focus); }
.slider input::-moz-range-thumb { width: 16px; height: 16px; border: 0; border-radius: 50%; background: var(--focus); }
.scene { border-top: 1px dashed var(--line); padding-top: .8rem; margin-top: 1.2rem; }
.stories.one .scene { border: 0; padding: 0; margin: 0; scroll-margin-top: 17rem; }
.scene h5 { font-size: 1.02rem; margin: 0 0 .3rem; }
.state { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: .4rem 2rem; margin-top: .8rem; align-items: start; }
.gets { width: 100%; table-layout: fixed; }
.gets th { width: 9.5rem; padding-left: 0; }
.gets .bar { height: 14px; }
.gets .bar rect { height: 14px; }
.pods { display: block; max-width: 100%; margin-top: .3rem; forced-color-adjust: none; }
.against { display: block; margin-top: .3rem; font-size: .82rem; color: var(--quiet); }
.capacity { grid-column: 1 / -1; font-size: .87rem; }
@media (max-width: 720px) {
  .state, .films, .slider { grid-template-columns: minmax(0, 1fr); }
  .stories.one .tabs { flex-wrap: nowrap; overflow-x: auto; position: relative; }
  .tabs a { white-space: nowrap; }
  .gets th { width: 35%; }
}
@media print {
  .story[hidden], .scene[hidden] { display: block !important; }
  .slider { display: none; }
  .film, .pods { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
