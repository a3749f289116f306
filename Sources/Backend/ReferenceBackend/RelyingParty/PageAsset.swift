// SPDX-License-Identifier: Apache-2.0

/// The files that the pages load. They are small, so they are part of the code.
enum PageAsset: CaseIterable {
    case styleSheet, script, logo

    /// The path below the origin, without the leading slash.
    var path: String {
        switch self {
        case .styleSheet: "page.css"
        case .script: "page.js"
        case .logo: "logo.svg"
        }
    }

    var type: String {
        switch self {
        case .styleSheet: "text/css; charset=UTF-8"
        case .script: "text/javascript; charset=UTF-8"
        case .logo: "image/svg+xml"
        }
    }

    var text: String {
        switch self {
        case .styleSheet:
            """
            :root { color-scheme: light dark; --text: #111; --back: #fff; --link: #0645ad; }
            @media (prefers-color-scheme: dark) { :root { --text: #eee; --back: #16181d; --link: #9cc2ff; } }
            body { font: 1.25rem/1.5 sans-serif; max-width: 36rem; margin: 1rem auto; padding: 0 1rem; }
            body { color: var(--text); background: var(--back); }
            a { color: var(--link); }
            h1 { font-size: 1.75rem; margin: 0.5rem 0; }
            #site { margin: 0; }
            /* Cameras read dark modules on a bright margin, in the dark, too. */
            #qr { display: block; width: 100%; max-width: min(24rem, max(12rem, 100vh - 23rem)); margin: 0.5rem auto; background: #fff; }
            #qr { image-rendering: pixelated; }
            #code { user-select: all; overflow-wrap: anywhere; font-size: 1.5rem; }
            #status { min-height: 3em; font-weight: bold; }
            button { font: inherit; padding: 0.5rem 1.5rem; }
            table { border-collapse: collapse; }
            th, td { text-align: left; vertical-align: top; }
            th, td { padding: 0.25rem 0.75rem 0.25rem 0; overflow-wrap: anywhere; }
            li { overflow-wrap: anywhere; margin-bottom: 1rem; }

            """
        case .script:
            // One poll at a time, which names the answer that the page has. The backend holds it until there is
            // another answer, and after that the script asks at once: steps of a login follow each other within
            // milliseconds. After an answer without news, as from a proxy that does not hold a request, it asks once a
            // second. The script changes the page only through textContent and the picture's src.
            """
            'use strict';
            const { root, next } = document.currentScript.dataset;
            const line = document.getElementById('status');
            const picture = document.getElementById('qr');
            const code = document.getElementById('code');
            let sawCode = false;
            // The page says its sentences in the person's language.
            const words = line.dataset;
            function show(state, user, declined) {
              if (state === 'expired' && sawCode) { location.reload(); return true; }
              if (state === 'authenticated') { location.assign(next); return true; }
              if (state !== 'expired') { sawCode = true; }
              const sentence = words[declined ? 'declined' : state] || '';
              line.textContent = state === 'user' && user ? user + ': ' + sentence : sentence;
              return false;
            }
            // A code that nobody scans changes.
            function renew(session) {
              const address = root + 'qr.png?' + session.picture;
              if (session.picture && picture.getAttribute('src') !== address) { picture.setAttribute('src', address); }
              // In groups of four, as the kiosk shows what is typed.
              const text = (session.code || '').replace(/.{4}(?=.)/g, '$& ');
              if (text && code && code.textContent !== text) { code.textContent = text; }
            }
            let known = '';
            async function ask() {
              const began = performance.now();
              const question = new AbortController();
              const limit = setTimeout(() => question.abort(), 40000);
              let [done, pause] = [false, 1000];
              try {
                const reply = await fetch(root + 'session?after=' + known, { cache: 'no-store', signal: question.signal });
                if (reply.ok) {
                  const session = await reply.json();
                  renew(session);
                  done = show(session.state, session.user, session.declined);
                  pause = session.version === known ? pause - (performance.now() - began) : 0;
                  known = session.version;
                }
              } catch (failure) {
                line.textContent = words.silent;
                known = '';
              }
              clearTimeout(limit);
              if (!done) { setTimeout(ask, pause); }
            }
            if (line) { ask(); }

            """
        case .logo:
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64">
            <rect width="64" height="64" rx="12" fill="#1d4e89"/>
            <circle cx="24" cy="32" r="10" fill="none" stroke="#fff" stroke-width="5"/>
            <path d="M34 32h18m-6 0v8" fill="none" stroke="#fff" stroke-width="5"/>
            </svg>

            """
        }
    }
}
