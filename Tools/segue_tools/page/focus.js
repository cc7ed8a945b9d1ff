// The focused element: its place, whether it has an outline, and whether another element covers it.
(() => {
  const one = document.activeElement, box = (one.closest('label') ?? one).getBoundingClientRect();
  const style = getComputedStyle(one.matches('fieldset input') ? one.nextElementSibling : one), hit = document.elementFromPoint(box.x + box.width / 2, box.y + Math.min(box.height / 2, 40));
  return {
    what: one === document.body ? 'body' : (one.getAttribute('aria-label') ?? one.textContent.trim() ?? one.tagName).slice(0, 40) || one.name || one.tagName, key: [...document.querySelectorAll('*')].indexOf(one),
    isShown: one === document.body || (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2),
    isSeen: one === document.body || (box.bottom > 0 && box.top < innerHeight && (one.contains(hit) || hit?.contains(one))),
  };
})()
