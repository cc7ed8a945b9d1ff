// The milliseconds until the table of a report is usable.
new Promise((ready, late) => { const end = Date.now() + 60000, look = () =>
    document.documentElement.dataset.ready ? ready(Number(document.documentElement.dataset.ready))
    : Date.now() > end ? late(new Error("the table does not come")) : requestAnimationFrame(look); look(); })
