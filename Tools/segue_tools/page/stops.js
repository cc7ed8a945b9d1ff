// The elements that Tab should reach, in reading order; focuses the first one.
(() => {
  const all = [...document.querySelectorAll('a[href], button, input, select, [tabindex]')].filter(one =>
    one.tabIndex >= 0 && !one.disabled && one.checkVisibility() && !one.closest('[inert]') && !one.matches('[type=hidden]'));
  if (document.activeElement !== document.body) all[0].focus();
  const every = [...document.querySelectorAll('*')];
  return all.map(one => every.indexOf(one));
})()
