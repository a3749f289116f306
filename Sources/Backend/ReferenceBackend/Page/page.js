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
