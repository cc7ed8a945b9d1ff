// All that Tab should come to, in the order of reading; the first has the focus.
(() => {
  const all = [...document.querySelectorAll('a[href], button, input, select, [tabindex]')].filter(one =>
    one.tabIndex >= 0 && !one.disabled && one.checkVisibility() && !one.closest('[inert]') && !one.matches('[type=hidden]'));
  if (document.activeElement !== document.body) all[0].focus();
  const every = [...document.querySelectorAll('*')];
  return all.map(one => every.indexOf(one));
})()
