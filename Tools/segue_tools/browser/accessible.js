// The accessibility rules that the page violates, each with the number of violations and the first one.
(() => {
  const wrong = [];
  // A hidden control is represented by its label.
  const shown = element => (element.closest('label:has(input)') ?? element).checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !element.closest('[inert]');
  // An open dialog makes everything behind it inert.
  const modal = [...document.querySelectorAll('dialog:modal')].at(-1);
  const reached = element => shown(element) && (!modal || modal.contains(element));
  const text = element => element.textContent.replace(/\s+/g, ' ').trim();
  const name = element => {
    const by = element.getAttribute('aria-labelledby')?.split(' ').map(id => document.getElementById(id)?.textContent ?? '').join(' ');
    const label = element.labels?.length ? [...element.labels].map(text).join(' ') : '';
    const pictures = [...element.querySelectorAll('img[alt]')].map(one => one.alt).join(' ');
    return (by || element.getAttribute('aria-label') || label || element.getAttribute('alt') || text(element) + pictures || element.title || '').trim();
  };
  const say = element => element.outerHTML.slice(0, 110);
  const found = (rule, elements) => { if (elements.length) wrong.push([rule, elements.length, say(elements[0])]); };
  const check = (rule, selector, isWrong = () => true) => found(rule, [...document.querySelectorAll(selector)].filter(shown).filter(isWrong));
  const isOf = (...values) => value => !values.includes(value);

  const controls = [...document.querySelectorAll('button, a[href], input:not([type=hidden]), select, [role^=menuitem], summary')].filter(reached);
  found('a control has a name', controls.filter(element => !name(element)));
  check('a dialog, a part, a menu has a name', 'dialog, aside, nav, section, [role=dialog], [role=menu]', element => !name(element) && !element.querySelector('h2'));
  found('what is read of a control holds what is seen of it', controls.filter(element => element.hasAttribute('aria-label') && text(element)
    && ![...element.querySelectorAll('b, small, span')].concat(element).filter(one => !one.children.length && text(one)).every(one => name(element).includes(text(one)))));
  check('a picture has alt', 'img', element => !element.hasAttribute('alt'));
  check('no number in the order of focus', '[tabindex]', element => element.tabIndex > 0);
  check('a control lies in no other', 'a a, a button, button a, button button, a input, button input');
  check('a list holds items alone', ':is(ul, ol):not([role]) > :not(li), [role=list] > :not(li, [role=listitem])');
  check('an item lies in a list', 'li', element => !element.parentElement.matches('ul, ol'));
  check('a menu holds its items alone', '[role=menu] > *', element => !/^menuitem/.test(element.getAttribute('role')));
  check('an item of a menu lies in one', '[role^=menuitem]', element => !element.closest('[role=menu]'));
  check('an id occurs once', '[id]', element => document.querySelectorAll('#' + CSS.escape(element.id)).length > 1);
  check('what is named by an id is there', '[aria-labelledby], [aria-controls], [aria-describedby]', element =>
    ['aria-labelledby', 'aria-controls', 'aria-describedby'].some(key => element.getAttribute(key)?.split(' ').some(id => !document.getElementById(id))));
  for (const state of ['pressed', 'expanded', 'checked']) {
    check(`aria-${state} is true or false`, `[aria-${state}]`, element => isOf('true', 'false')(element.getAttribute(`aria-${state}`)));
  }
  check('aria-current says what it is', '[aria-current]', element => isOf('page', 'true', 'location', 'step')(element.getAttribute('aria-current')));
  check('a part that is not read has no focus', '[aria-hidden=true] :is(button, a[href], input), button[aria-hidden=true]');
  check('a term and what it means lie in a list of terms', 'dt, dd', element => !element.closest('dl'));
  check('choices of one kind have a name together', 'input[type=radio]', element => !element.closest('fieldset')?.querySelector('legend'));
  check('progress has a name', 'progress', element => !name(element));

  // Headings: one h1, and no skipped levels.
  const levels = [...document.querySelectorAll('h1, h2, h3, h4')].filter(reached).map(element => [Number(element.tagName[1]), element]);
  if (!levels.length && !document.querySelector('[role=menu]')) wrong.push(['there is a heading', 1, '']);
  found('no level of heading is left out', levels.filter(([level], index) => level > (index ? levels[index - 1][0] : modal ? 2 : 2) + 1).map(([, element]) => element));

  // Landmarks: one main, and nothing outside of all landmarks.
  if (document.querySelectorAll('main').length !== 1) wrong.push(['there is one main part', 1, 'main']);
  const parts = 'main, header, nav, aside, section, dialog, footer, [role=status], [role=alert], [role=menu], .skip, noscript, script, style';
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), outside = [];
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (walker.currentNode.data.trim() && shown(element) && !element.closest(parts)) outside.push(element);
  }
  found('all text lies in a part of the page', outside);
  const kinds = new Map();
  for (const element of [...document.querySelectorAll('nav, aside, section[aria-label], [role=search]')].filter(shown)) {
    const key = `${element.tagName} ${name(element)}`;
    kinds.set(key, [...(kinds.get(key) ?? []), element]);
  }
  found('two parts of a kind have two names', [...kinds.values()].filter(all => all.length > 1).map(all => all[1]));

  // The page itself.
  const isLanguage = tag => { try { return Intl.getCanonicalLocales(tag).length === 1; } catch { return false; } };
  if (!isLanguage(document.documentElement.lang)) wrong.push(['the page has a language', 1, 'html']);
  check('a language is one', '[lang]', element => !isLanguage(element.lang));
  if (!document.title.trim()) wrong.push(['the page has a title', 1, 'title']);
  if (/user-scalable\s*=\s*no|maximum-scale/.test(document.querySelector('meta[name=viewport]')?.content)) wrong.push(['the page can be made larger', 1, 'meta']);
  if (globalThis.segue && !document.querySelector('[role=status][aria-live=polite]')) wrong.push(['what changes is said', 1, '']);

  // Touch targets: 24 by 24 pixels, or that much space around the center (WCAG 2.2, 2.5.8).
  const target = element => (element.matches('fieldset input') || element.matches('.check input') ? element.closest('label') : element);
  const places = controls.filter(element => !element.matches('.skip') && !element.closest('p:not(.crumbs)')).map(element => [target(element), target(element).getBoundingClientRect()]).filter(([, box]) => box.width && box.height);
  const small = places.filter(([, box]) => Math.min(box.width, box.height) < 23.5);
  const middle = box => [box.x + box.width / 2, box.y + box.height / 2];
  found('a place to touch is large enough', small.filter(([element, box]) => {
    const [x, y] = middle(box);
    return places.some(([other, there]) => other !== element && !other.contains(element)
      && Math.hypot(x - Math.min(Math.max(x, there.left), there.right), y - Math.min(Math.max(y, there.top), there.bottom)) < 12);
  }).map(([element]) => element));
  return { wrong, controls: controls.length, smallest: Math.min(99, ...places.map(([, box]) => Math.min(box.width, box.height))) };
})()
