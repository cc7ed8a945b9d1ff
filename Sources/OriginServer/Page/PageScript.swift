/// The web page's script.
enum PageScript {
    /// JavaScript: plays on a click, keeps the position when the sound is taken alone, searches while one types.
    static let text = #"""
        'use strict';
        const find = id => document.getElementById(id);
        const video = find('video'), player = find('player'), audioOnly = find('audio-only'), notice = find('notice');
        const playsHLS = video.canPlayType('application/vnd.apple.mpegurl') !== '';
        let current = null, loads = 0, container = '';

        const items = () => [...document.querySelectorAll('.item')];
        const mark = () => items().forEach(item => item.parentElement.classList.toggle('playing', current !== null && item.dataset.id === current.id));

        function start(position) {
          const load = ++loads;
          const base = audioOnly.checked ? current.background : current.play;
          const wishes = [];
          if (container) wishes.push('container=' + container);
          if (position > 0) wishes.push('offset=' + position.toFixed(3));
          const url = playsHLS && base ? base + (wishes.length ? (base.includes('?') ? '&' : '?') + wishes.join('&') : '') : current.original;
          if (!playsHLS) notice.textContent = 'This browser does not play HLS by itself, so it gets the file as it is.';
          player.classList.toggle('sound', audioOnly.checked || !current.picture);
          video.src = url;
          video.addEventListener('loadedmetadata', () => {
            if (load === loads && position > 0 && Math.abs(video.currentTime - position) > 0.3) video.currentTime = position;
          }, { once: true });
          video.play().catch(() => {});
          window.setTimeout(() => {
            if (load === loads && video.currentTime > position + 1 && video.webkitAudioDecodedByteCount === 0 && current.background) {
              notice.textContent = 'This browser does not decode the sound.';
            }
          }, 4000);
        }

        async function problem(url) {
          try {
            const answer = await fetch(url);
            return answer.ok ? null : (await answer.json()).error;
          } catch { return { code: 'unreachable', message: 'The server does not answer.' }; }
        }

        video.addEventListener('error', async () => {
          const load = loads, source = video.currentSrc || video.src, position = video.currentTime || 0;
          if (!current || !source) return;
          const why = await problem(source);
          if (load !== loads) return;
          if (why && why.code === 'videoNeedsTranscoding' && !audioOnly.checked && current.background) {
            audioOnly.checked = true;
            notice.textContent = 'The picture cannot be sent yet, so here is the sound. ' + why.message;
            describe(current.id);
            start(0);
            return;
          }
          if (!why && playsHLS && container === '') {
            // Some browsers take in a transport stream what they do not take in MP4.
            container = 'ts';
            describe(current.id);
            start(position);
            return;
          }
          notice.textContent = why ? why.message : 'This browser cannot play it: ' + ((video.error && video.error.message) || 'unknown format');
        });
        async function describe(id) {
          find('sent').textContent = '';
          try {
            const item = await (await fetch('/api/items/' + id)).json();
            if (!current || current.id !== id) return;
            const rendition = (item.renditions || {})[audioOnly.checked ? 'background' : 'full'] || {};
            const chosen = Object.entries(rendition).find(([name, it]) => container ? name === container : it.isPreferred);
            if (!chosen || !chosen[1].tracks) return;
            const tracks = chosen[1].tracks.map(track => track.kind + ' ' + track.codec + (track.treatment === 'copy' ? ' as it is' : ' transcoded'));
            find('sent').textContent = 'Sent as ' + (chosen[0] === 'ts' ? 'MPEG-TS' : 'fMP4') + ': ' + tracks.join(', ') + ', about ' + Math.round(chosen[1].averageBandwidth / 1000) + ' kbit/s';
          } catch { /* Only a remark is missing then. */ }
        }

        function play(item) {
          container = '';
          current = { ...item.dataset, picture: !item.parentElement.classList.contains('music') };
          notice.textContent = '';
          find('now').textContent = current.title;
          find('sub').textContent = current.sub;
          audioOnly.disabled = !current.background || !current.picture;
          if (!current.picture) audioOnly.checked = false;
          const sleeve = find('sleeve');
          sleeve.parentElement.classList.toggle('pictured', current.artwork !== '');
          if (current.artwork) sleeve.src = current.artwork; else sleeve.removeAttribute('src');
          player.hidden = false;
          if ('mediaSession' in navigator) {
            navigator.mediaSession.metadata = new MediaMetadata({ title: current.title, artist: current.sub, artwork: current.artwork ? [{ src: current.artwork }] : [] });
          }
          history.replaceState(null, '', location.pathname + location.search + '#' + current.id);
          mark();
          start(0);
          describe(current.id);
        }

        video.addEventListener('timeupdate', () => { player.dataset.position = Math.floor(video.currentTime); });
        audioOnly.addEventListener('change', () => {
          if (!current) return;
          notice.textContent = '';
          start(video.currentTime);
          describe(current.id);
        });
        video.addEventListener('ended', () => {
          const all = items(), next = all[all.findIndex(item => item.dataset.id === current.id) + 1];
          if (next && (next.dataset.play || next.dataset.background)) play(next);
        });
        document.addEventListener('click', event => {
          const item = event.target.closest('.item');
          if (!item || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
          event.preventDefault();
          if (item.dataset.play || item.dataset.background) play(item);
        });

        let shown = location.href, refreshing = 0, typing = 0;
        async function refresh(url) {
          const turn = ++refreshing;
          try {
            const answer = await fetch(url);
            if (!answer.ok) return;
            const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
            if (turn !== refreshing) return;
            shown = url;
            find('list').replaceWith(page.getElementById('list'));
            mark();
          } catch { /* The list stays as it is. */ }
          follow();
        }
        function follow() {
          if (Number(find('list').dataset.pending) > 0) window.setTimeout(() => refresh(shown), 1500);
        }
        const search = document.querySelector('input[type=search]');
        search.addEventListener('input', () => {
          window.clearTimeout(typing);
          typing = window.setTimeout(() => {
            const url = search.value ? '/?q=' + encodeURIComponent(search.value) : '/';
            history.replaceState(null, '', url + location.hash);
            refresh(url);
          }, 200);
        });
        search.form.addEventListener('submit', event => event.preventDefault());
        const linked = items().find(item => '#' + item.dataset.id === location.hash);
        if (linked && (linked.dataset.play || linked.dataset.background)) play(linked);
        follow();

        """#
}
