// The point of an element, %s, that no other element covers.
(() => {
  const one = %s;
  // A list that is about to be replaced is not clicked.
  if (!one || one.closest('[aria-busy=true]')) return null;
  const isCovered = ({ x, y, width, height }) => !one.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  if (isCovered(one.getBoundingClientRect())) one.scrollIntoView({ block: 'center', inline: 'nearest' });
  const box = one.getBoundingClientRect();
  return !one.disabled && !isCovered(box) && { x: box.x + box.width / 2, y: box.y + box.height / 2 };
})()
