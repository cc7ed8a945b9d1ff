// Simulates a server that has scanned nothing until `known()` is called.
{
  const real = window.fetch, known = new Promise(resolve => { window.known = resolve; });
  window.fetch = async (address, options) => {
    const url = new URL(address, document.baseURI);
    if (!url.pathname.endsWith('/api/items')) return real(address, options);
    const answer = await (await real(address, options)).json(), isAtOnce = url.searchParams.get('wait') === '0';
    if (isAtOnce) {
      answer.pending = answer.items.length;
      answer.items = answer.items.map(({ duration, ...item }) => ({ ...item, state: 'pending' }));
    } else await known;
    return new Response(JSON.stringify(answer));
  };
}
