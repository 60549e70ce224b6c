import { MAKE } from './script-parts';

/**
 * What a browser adds to the page: one moment at a time, with keys and buttons to move between them, and a filter where
 * there are many Rollouts. It makes elements and sets their text; it never parses markup, which the page's policy
 * forbids anyway.
 */
export const SCRIPT = `'use strict';
(() => {
  const MANY = 8;
  const spoken = document.getElementById('spoken');

${MAKE}
  function steps(rollout) {
    const links = [...rollout.querySelectorAll('a[data-moment]')];
    const frame = rollout.querySelector('.moments');
    if (!frame) return;
    const panels = links.map((link) => document.getElementById(link.hash.slice(1)));
    const back = make('button', { type: 'button', textContent: '← Previous' });
    const forth = make('button', { type: 'button', textContent: 'Next →' });
    const count = make('span', { className: 'quiet' });
    const stepper = make('div', { className: 'stepper' }, back, forth, count);
    stepper.setAttribute('role', 'group');
    stepper.setAttribute('aria-label', 'Moment');
    frame.insertBefore(stepper, frame.querySelector('.moment'));
    frame.classList.add('one');
    let chosen = -1;

    // The file holds each picture once; here every moment gets its own.
    function complete(panel) {
      const pointer = panel.querySelector('[data-traffic]');
      if (!pointer) return;
      const copy = document.getElementById(pointer.dataset.traffic).querySelector('.traffic').cloneNode(true);
      for (const element of copy.querySelectorAll('[id]')) element.removeAttribute('id');
      pointer.replaceWith(copy);
    }

    function choose(index, aloud) {
      const next = Math.max(0, Math.min(links.length - 1, index));
      if (next === chosen) return;
      chosen = next;
      links.forEach((link, at) => {
        const row = link.closest('tr');
        row.classList.toggle('chosen', at === chosen);
        if (at === chosen) link.setAttribute('aria-current', 'step');
        else link.removeAttribute('aria-current');
        panels[at].hidden = at !== chosen;
      });
      complete(panels[chosen]);
      back.setAttribute('aria-disabled', String(chosen === 0));
      forth.setAttribute('aria-disabled', String(chosen === links.length - 1));
      count.textContent = (chosen + 1) + ' of ' + links.length;
      if (!aloud) return;
      const title = links[chosen].textContent;
      spoken.textContent = title + '. ' + panels[chosen].querySelector('.summary').textContent;
      try {
        history.replaceState(null, '', links[chosen].hash);
      } catch {
        // Some viewers allow no address of their own; the moment is shown all the same.
      }
    }

    links.forEach((link, at) => {
      link.addEventListener('click', (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        choose(at, true);
      });
    });
    back.addEventListener('click', () => choose(chosen - 1, true));
    forth.addEventListener('click', () => choose(chosen + 1, true));

    rollout.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      const onLink = links.includes(event.target);
      if (!onLink && event.target !== back && event.target !== forth) return;
      const from = onLink ? links.indexOf(event.target) : chosen;
      const to = {
        ArrowDown: from + 1, ArrowRight: from + 1, ArrowUp: from - 1, ArrowLeft: from - 1, Home: 0, End: links.length - 1,
      }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      choose(to, true);
      if (onLink) links[chosen].focus();
    });

    panels.forEach((panel, at) => panel.addEventListener('reveal', () => choose(at, false)));
    const wrong = panels.findIndex((panel) => panel.querySelector('.summary.bad'));
    const step = links.findIndex((link) => link.closest('tr').classList.contains('step'));
    choose(Math.max(0, wrong >= 0 ? wrong : step), false);
  }

  function filter(contents, rollouts) {
    const entries = [...contents.querySelectorAll('li')].map((item, at) => ({
      item,
      rollout: rollouts[at],
      name: item.querySelector('a').textContent.toLowerCase(),
      clean: item.querySelector('.status.good') !== null,
    }));
    const text = make('input', { type: 'search', id: 'filter-text', autocomplete: 'off' });
    const label = make('label', { htmlFor: 'filter-text', textContent: 'Show Rollouts whose name has' });
    const box = make('input', { type: 'checkbox' });
    const wrongOnly = make('label', {}, box, ' only those that do not go as declared');
    contents.insertBefore(make('div', { className: 'filter' }, label, text, wrongOnly), contents.querySelector('ol'));

    function apply() {
      const wanted = text.value.trim().toLowerCase();
      let shown = 0;
      for (const { item, rollout, name, clean } of entries) {
        const hide = !name.includes(wanted) || (box.checked && clean);
        item.hidden = hide;
        rollout.hidden = hide;
        if (!hide) shown++;
      }
      spoken.textContent = shown + ' of ' + entries.length + ' Rollouts are shown';
    }
    text.addEventListener('input', apply);
    box.addEventListener('change', apply);
  }

  function reveal() {
    const target = document.getElementById(location.hash.slice(1));
    if (!target) return;
    const moment = target.closest('.moment');
    if (moment) moment.dispatchEvent(new Event('reveal'));
    const rollout = target.closest('.rollout');
    if (rollout) rollout.hidden = false;
    target.scrollIntoView();
    if (target.hasAttribute('tabindex')) target.focus({ preventScroll: true });
  }

  const rollouts = [...document.querySelectorAll('.rollout')];
  rollouts.forEach(steps);
  const contents = document.querySelector('nav');
  if (contents && rollouts.length >= MANY) filter(contents, rollouts);
  addEventListener('hashchange', reveal);
  addEventListener('beforeprint', () => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
  reveal();
})();
`;
