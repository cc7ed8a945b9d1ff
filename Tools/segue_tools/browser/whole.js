// Clipped words; names of titles may be clipped at the end of a row or card.
(() => {
  const wrong = [];
  const modal = [...document.querySelectorAll('dialog:modal')].at(-1);
  const all = [...document.querySelectorAll('button:not(.name), h1, h2, legend, label span, #kinds a, dt, dd, p, .saved, .sent i, .chapters button, .brand, select, .time')]
    .filter(element => element.checkVisibility({ visibilityProperty: true }) && !element.closest('.hidden, .skip, [inert]') && !element.matches('.hidden') && (!modal || modal.contains(element)) && element.textContent.trim());
  for (const element of all) {
    const box = element.getBoundingClientRect();
    const isInScroller = element.closest('#kinds, .strip ul');
    const isOutside = !isInScroller && box.width && (box.left < -1 || box.right > document.documentElement.clientWidth + 1);
    if (isOutside || (element.scrollWidth > element.clientWidth + 1 && element.clientWidth && getComputedStyle(element).display !== 'inline')) wrong.push([element.outerHTML.slice(0, 90), element.scrollWidth, element.clientWidth]);
  }
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) wrong.push(['the page', scrollWidth, innerWidth]);
  return { count: all.length, wrong };
})()
