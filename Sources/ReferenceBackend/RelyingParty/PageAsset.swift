// SPDX-License-Identifier: Apache-2.0

/// The files that the pages load. They are few and small, so they live in the code.
enum PageAsset: CaseIterable {
    case styleSheet, script, logo

    /// Below the origin, without the leading slash.
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
            body { font: 1.25rem/1.5 sans-serif; max-width: 36rem; margin: 2rem auto; padding: 0 1rem; color: #111; }
            h1 { font-size: 1.75rem; }
            #qr { display: block; width: 100%; max-width: 24rem; margin: 1rem auto; image-rendering: pixelated; }
            #code { user-select: all; overflow-wrap: anywhere; font-size: 1.5rem; }
            #status { min-height: 3em; font-weight: bold; }
            button { font: inherit; padding: 0.5rem 1.5rem; }
            table { border-collapse: collapse; }
            th, td { text-align: left; vertical-align: top; }
            th, td { padding: 0.25rem 0.75rem 0.25rem 0; overflow-wrap: anywhere; }
            li { overflow-wrap: anywhere; margin-bottom: 1rem; }

            """
        case .script:
            // It polls, never overlaps two polls, and touches the page only through textContent.
            """
            'use strict';
            const { root, next } = document.currentScript.dataset;
            const line = document.getElementById('status');
            let sawCode = false;
            function show(state, user) {
              if (state === 'expired' && sawCode) { location.reload(); return true; }
              if (state === 'authenticated') { location.assign(next); return true; }
              if (state !== 'expired') { sawCode = true; }
              line.textContent = {
                new: 'Hold this code to the camera of the kiosk.',
                scanned: 'The kiosk has read the code.',
                user: 'Type the PIN on the kiosk' + (user ? ' for ' + user : '') + '.',
                expired: 'No session. Are cookies allowed for this page?'
              }[state] || '';
              return false;
            }
            async function poll() {
              let done = false;
              try {
                const reply = await fetch(root + 'session', { cache: 'no-store' });
                if (reply.ok) {
                  const session = await reply.json();
                  done = show(session.state, session.user);
                }
              } catch (failure) {
                line.textContent = 'The site does not answer. Trying again.';
              }
              if (!done) { setTimeout(poll, 1000); }
            }
            if (line) { poll(); }

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
