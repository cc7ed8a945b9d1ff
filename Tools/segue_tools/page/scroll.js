// Scrolls the list, and measures the frame rate and the number of cards.
new Promise(resolve => {
  const times = [], began = performance.now();
  let last = began, most = 0;
  const step = now => {
    times.push(now - last);
    last = now;
    scrollBy(0, 60);
    most = Math.max(most, document.querySelectorAll('#list li').length);
    if (now - began < 4000) return requestAnimationFrame(step);
    times.sort((one, two) => one - two);
    resolve({ rate: 1000 * times.length / (now - began), late: times[Math.floor(times.length * 0.99)], most });
  };
  requestAnimationFrame(step);
})
