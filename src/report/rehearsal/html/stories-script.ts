import { MAKE } from './script-parts';

/**
 * What a browser adds to stories: tabs, and a slider over the moments of each story. The address in the browser names
 * the story and the moment. Pages without stories do not have this script.
 */
export const STORIES_SCRIPT = `'use strict';
(() => {
  const spoken = document.getElementById('spoken');

${MAKE}
  function remember(id) {
    try {
      history.replaceState(null, '', '#' + id);
    } catch {
      // Some viewers allow no address of their own; the moment is shown all the same.
    }
  }

  // The file holds the same content once; here every moment gets its own.
  function complete(scene) {
    for (const pointer of scene.querySelectorAll('[data-from]')) {
      const part = document.getElementById(pointer.dataset.from).querySelector(pointer.dataset.part);
      if (part) pointer.replaceWith(part.cloneNode(true));
    }
  }

  function moments(story) {
    const scenes = [...story.querySelectorAll('.scene')];
    const slider = make('input', { type: 'range', min: 1, max: scenes.length, step: 1, value: 1 });
    const label = make('label', { className: 'slider' }, make('span', { textContent: 'Moment' }), make('span', { className: 'rail' }, slider));
    const back = make('button', { type: 'button', textContent: '← Before' });
    const forth = make('button', { type: 'button', textContent: 'Next →' });
    const count = make('span', { className: 'quiet' });
    const stepper = make('div', { className: 'stepper' }, back, forth, count);
    stepper.setAttribute('role', 'group');
    stepper.setAttribute('aria-label', 'Moment');
    story.insertBefore(label, scenes[0]);
    story.insertBefore(stepper, scenes[0]);
    label.hidden = scenes.length < 2;
    // The thumb stands below the column of its moment.
    slider.style.marginLeft = 'calc(' + 50 / scenes.length + '% - 8px)';
    slider.style.width = 'calc(' + 100 * (scenes.length - 1) / scenes.length + '% + 16px)';
    let chosen = 0;

    function choose(index) {
      chosen = Math.max(0, Math.min(scenes.length - 1, index));
      scenes.forEach((scene, at) => { scene.hidden = at !== chosen; });
      complete(scenes[chosen]);
      slider.value = chosen + 1;
      count.textContent = (chosen + 1) + ' of ' + scenes.length;
      slider.setAttribute('aria-valuetext', scenes[chosen].querySelector('h5').textContent);
      back.setAttribute('aria-disabled', String(chosen === 0));
      forth.setAttribute('aria-disabled', String(chosen === scenes.length - 1));
    }
    function go(index, aloud) {
      choose(index);
      remember(scenes[chosen].id);
      if (aloud) spoken.textContent = scenes[chosen].querySelector('h5').textContent;
    }
    slider.addEventListener('input', () => go(slider.value - 1, false));
    back.addEventListener('click', () => go(chosen - 1, true));
    forth.addEventListener('click', () => go(chosen + 1, true));
    for (const film of story.querySelectorAll('svg.film')) {
      film.addEventListener('click', (event) => {
        const { left, width } = film.getBoundingClientRect();
        go(Math.floor((event.clientX - left) / width * scenes.length), true);
      });
    }
    choose(0);
    return { choose, current: () => scenes[chosen].id, indexOf: (id) => scenes.findIndex((scene) => scene.id === id) };
  }

  function tabs(section, number) {
    const list = section.querySelector('.tabs');
    const stories = [...section.querySelectorAll('.story')];
    const links = [...list.querySelectorAll('a')];
    if (stories.length === 0) return;
    const steppers = stories.map(moments);
    section.classList.add('one');
    list.setAttribute('role', 'tablist');
    links.forEach((link, at) => {
      link.parentElement.setAttribute('role', 'presentation');
      link.setAttribute('role', 'tab');
      link.id = 'tab-' + number + '-' + at;
      link.setAttribute('aria-controls', stories[at].id);
      stories[at].setAttribute('role', 'tabpanel');
      stories[at].setAttribute('aria-labelledby', link.id);
    });

    function choose(index) {
      links.forEach((link, at) => {
        link.setAttribute('aria-selected', String(at === index));
        link.tabIndex = at === index ? 0 : -1;
        stories[at].hidden = at !== index;
      });
      const { offsetLeft, offsetWidth } = links[index].parentElement;
      if (offsetLeft < list.scrollLeft || offsetLeft + offsetWidth > list.scrollLeft + list.clientWidth) list.scrollLeft = offsetLeft - 16;
    }
    function go(index) {
      choose(index);
      remember(steppers[index].current());
    }
    links.forEach((link, at) => link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      go(at);
    }));
    list.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      const from = links.indexOf(event.target);
      if (from < 0) return;
      const last = links.length - 1;
      const to = {
        ArrowRight: from === last ? 0 : from + 1, ArrowDown: from === last ? 0 : from + 1,
        ArrowLeft: from === 0 ? last : from - 1, ArrowUp: from === 0 ? last : from - 1, Home: 0, End: last, ' ': from,
      }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      go(to);
      links[to].focus();
    });
    choose(0);
    // Returns whether the address is one of this section.
    function follow(id) {
      const index = stories.findIndex((story) => id === story.id || id.startsWith(story.id + '/'));
      if (index < 0) return false;
      choose(index);
      const moment = steppers[index].indexOf(id);
      if (moment >= 0) steppers[index].choose(moment);
      return true;
    }
    return { follow, reset: () => { choose(0); steppers[0].choose(0); } };
  }

  const sections = [...document.querySelectorAll('.stories')].map(tabs).filter(Boolean);
  function plain(text) {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  }
  function follow() {
    const hash = location.hash.slice(1);
    const ids = [...document.querySelectorAll('.story, .scene')].map(({ id }) => id);
    // Mail and chat programs encode more of an address than is necessary.
    const id = ids.includes(hash) ? hash : ids.find((each) => plain(each) === plain(hash)) ?? hash;
    const known = sections.some((section) => section.follow(id));
    if (!known && !document.getElementById(hash)) for (const section of sections) section.reset();
  }
  addEventListener('hashchange', follow);
  follow();
})();
`;
