// Contrast of text with its background (WCAG 2.2, 1.4.3): 4.5, or 3 for large text and icons of controls (1.4.11).
(() => {
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
  const modal = [...document.querySelectorAll('dialog:modal')].at(-1);
  const look = (element, needed) => {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return;
    if (element.closest('.hidden, .skip, [inert], :disabled, script, style, option, noscript, .cue') || (modal && !modal.contains(element))) return;
    const style = getComputedStyle(element), back = behind(element);
    if (!back) return;
    const ink = over(colour(style.color), back), [one, two] = [light(ink), light(back)].sort((a, b) => b - a);
    const ratio = (one + 0.05) / (two + 0.05);
    count += 1;
    least = Math.min(least, ratio);
    if (ratio < needed(style)) wrong.set(`${element.tagName}.${element.getAttribute('class')} ${ratio.toFixed(2)}`, (element.closest('button, a') ?? element).outerHTML.slice(0, 80));
  };
  const ofText = style => {
    const size = parseFloat(style.fontSize);
    return size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) if (walker.currentNode.data.trim()) look(walker.currentNode.parentElement, ofText);
  for (const icon of document.querySelectorAll('button svg, a svg:not(.tile svg)')) look(icon, () => 3);
  return { count, least, wrong: [...wrong] };
})()
