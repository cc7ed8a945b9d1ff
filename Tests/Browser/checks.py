"""What a page owes to people who do not see it well, or not at all; looked for in the browser."""

# Each finding is a rule, and the elements that break it.
ACCESSIBLE = """(() => {
  const found = [];
  const shown = element => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !element.closest('[inert]');
  const name = element => {
    const by = element.getAttribute('aria-labelledby')?.split(' ').map(id => document.getElementById(id)?.textContent ?? '').join(' ');
    const label = element.labels?.length ? [...element.labels].map(one => one.textContent).join(' ') : '';
    const pictures = [...element.querySelectorAll('img[alt]')].map(one => one.alt).join(' ');
    return (by || element.getAttribute('aria-label') || label || element.getAttribute('alt') || element.textContent + pictures || element.title || '').trim();
  };
  const say = element => element.outerHTML.slice(0, 90);
  const check = (rule, selector, isWrong) => {
    const wrong = [...document.querySelectorAll(selector)].filter(shown).filter(isWrong);
    if (wrong.length) found.push([rule, wrong.length, say(wrong[0])]);
  };
  check('a control has a name', 'button, a[href], input:not([type=hidden]), select, [role=menuitem], dialog, [role=dialog]', element => !name(element));
  check('a picture has alt', 'img', element => !element.hasAttribute('alt'));
  check('no number in the order of focus', '[tabindex]', element => element.tabIndex > 0);
  check('a control lies in no other', 'a a, a button, button a, button button', () => true);
  check('a list holds items alone', 'ul > :not(li), ol > :not(li)', () => true);
  check('an id occurs once', '[id]', element => document.querySelectorAll('#' + CSS.escape(element.id)).length > 1);
  check('what is pressed says so', '[aria-pressed]', element => !['true', 'false'].includes(element.getAttribute('aria-pressed')));
  check('a part that is not read has no focus', '[aria-hidden=true] button, [aria-hidden=true] a[href]', () => true);
  if (!document.documentElement.lang) found.push(['the page has a language', 1, 'html']);
  if (document.querySelectorAll('main').length !== 1) found.push(['there is one main part', 1, 'main']);
  if (![...document.querySelectorAll('h1')].some(shown) && !document.querySelector('.is-large, dialog')) found.push(['there is a heading', 1, 'h1']);
  return found;
})()"""

# Text against what lies behind it (WCAG 2.2, 1.4.3): 4.5, or 3 for large text.
CONTRAST = """(() => {
  const canvas = new OffscreenCanvas(1, 1), pen = canvas.getContext('2d', { willReadFrequently: true });
  const colour = text => { pen.clearRect(0, 0, 1, 1); pen.fillStyle = text; pen.fillRect(0, 0, 1, 1); const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data; return [r, g, b, a / 255]; };
  const over = (one, two) => [0, 1, 2].map(index => one[index] * one[3] + two[index] * (1 - one[3])).concat(1);
  const light = ([r, g, b]) => [r, g, b].map(value => { const part = value / 255; return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4; })
    .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  const behind = element => {
    const layers = [];
    for (let one = element; one; one = one.parentElement) {
      const style = getComputedStyle(one);
      if (style.backgroundImage !== 'none' && !one.matches('.tile')) return null;
      layers.push(colour(style.backgroundColor));
      if (layers.at(-1)[3] === 1) break;
    }
    return layers.reverse().reduce((under, layer) => over(layer, under), colour('Canvas'));
  };
  const wrong = new Map();
  let count = 0, least = 21;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (element.closest('.hidden, [inert], :disabled, script, style, option, noscript, .cue')) continue;
    const style = getComputedStyle(element), back = behind(element);
    if (!back) continue;
    const ink = over(colour(style.color), back), [one, two] = [light(ink), light(back)].sort((a, b) => b - a);
    const ratio = (one + 0.05) / (two + 0.05), size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    count += 1;
    least = Math.min(least, ratio);
    if (ratio < (isLarge ? 3 : 4.5)) wrong.set(`${element.tagName}.${element.className} ${ratio.toFixed(2)}`, element.textContent.trim().slice(0, 30));
  }
  return { count, least, wrong: [...wrong] };
})()"""
