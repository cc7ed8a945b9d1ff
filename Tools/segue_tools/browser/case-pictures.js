// Opens the timelines of the first failed cases; returns the number of cases with one, and duplicate ids.
(async () => {
    location.hash = "#verdict=fail";
    await new Promise(next => setTimeout(next, 0));
    const links = [...document.querySelectorAll("#list .entry")].slice(0, 12).map(link => new URLSearchParams(new URL(link.href).hash.slice(1)).get("case"));
    location.hash = "#" + new URLSearchParams([["verdict", "fail"], ...links.map(key => ["keep", key])]);
    const end = Date.now() + 20000;
    while (document.querySelectorAll("#kept .picture > *").length < links.length && Date.now() < end) await new Promise(requestAnimationFrame);
    const ids = [...document.querySelectorAll("[id]")].map(one => one.id);
    return {failed: links.length, pictures: document.querySelectorAll("#kept .picture > svg").length,
        ids: ids.length, twice: ids.filter((id, place) => ids.indexOf(id) < place), title: document.title,
        found: document.querySelectorAll("ol.causes > li").length};
})()
