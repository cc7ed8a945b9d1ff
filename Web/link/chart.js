'use strict';
// Draws the last minute of a value, in both directions, on a canvas.

const SPAN_SECONDS = 60;

function drawChart(canvas, series, unit, floor) {
  const scale = devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
  const pen = canvas.getContext('2d');
  canvas.width = width * scale;
  canvas.height = height * scale;
  pen.scale(scale, scale);
  const style = getComputedStyle(document.documentElement), color = name => style.getPropertyValue(name).trim();
  const maximum = Math.max(floor, ...series.flatMap(one => one.points.map(point => point.value)));
  const now = performance.now(), bottom = height - 16, top = 6;
  const x = at => width - (now - at) / 1000 / SPAN_SECONDS * width;
  const y = value => bottom - value / maximum / 1.12 * (bottom - top);
  pen.font = '11px system-ui, "DejaVu Sans", sans-serif';
  pen.fillStyle = color('--soft');
  pen.strokeStyle = color('--line');
  pen.lineWidth = 1;
  for (const part of [0, 0.5, 1]) {
    const level = Math.round(y(maximum * part)) + 0.5;
    pen.beginPath();
    pen.moveTo(0, level);
    pen.lineTo(width, level);
    pen.stroke();
    if (part) pen.fillText(unit(maximum * part), 3, level - 3);
  }
  for (const seconds of [60, 40, 20]) {
    pen.fillText('−' + seconds + ' s', Math.max(2, x(now - seconds * 1000) - 14), height - 3);
  }
  pen.fillText('now', width - 24, height - 3);
  pen.lineWidth = 2;
  pen.lineJoin = 'round';
  for (const { points, name } of series.filter(one => one.points.length > 1)) {
    pen.strokeStyle = pen.fillStyle = color(name);
    pen.beginPath();
    for (const point of points) pen.lineTo(x(point.at), y(point.value));
    pen.stroke();
    pen.lineTo(x(points[points.length - 1].at), bottom);
    pen.lineTo(x(points[0].at), bottom);
    pen.globalAlpha = 0.12;
    pen.fill();
    pen.globalAlpha = 1;
  }
}
