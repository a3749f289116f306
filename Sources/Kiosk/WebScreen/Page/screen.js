// SPDX-License-Identifier: Apache-2.0
"use strict";

// Shows what the kiosk says. Every word comes from the server as text and is put in as text.
const page = Object.fromEntries([...document.querySelectorAll("[id]")].map((element) => [element.id, element]));
// Only the file with which the kiosk leads a browser here has it; without it there are no keys, and no other user's
// browser sees anything.
const token = location.hash.slice(1);
const headers = token ? { "X-Kiosk-Token": token } : {};
const hasKeys = token !== "" && document.body.dataset.keys === "on";
// The page's own keys, and short names of a keyboard's.
const caps = { enter: "✓", clear: "C", back: "‹", menu: "≡" };
const signs = { Enter: "⏎", Backspace: "⌫", Tab: "⇥" };
const icons = { scan: "code", consent: "question", identityChoice: "person", identityEntry: "person", identityDetails: "person",
  cardOffer: "person", emailConfirmation: "mail", newPIN: "lock", newPINAgain: "lock", pin: "lock" };
const tones = { ready: "code", working: "work", ask: "question", success: "success", failure: "failure", trouble: "trouble" };
const padStages = ["pin", "newPIN", "newPINAgain", "identityChoice", "serviceChoice", "documentChoice"];
const textStages = ["identityEntry", "codeEntry", "activationEntry"];
// How long the kiosk may be silent before the page says so.
const patience = 2000;

let view = null;
let ends = null;
let lost = null;

function make(name, className, text) {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

function press(key) {
  fetch("key", { method: "POST", headers, body: key }).catch(() => {});
}

function button(className, key, text) {
  const element = make("button", className, text);
  element.type = "button";
  element.addEventListener("click", () => press(key));
  return element;
}

// An address, or a word with a hyphen, stays in one piece as long as it fits; else an address breaks behind its signs.
function words(text) {
  return text.split(/(\s+)/).map((word) => {
    const parts = word.split(/(?<=[@.:/])(?=.)/);
    if (parts.length === 1 && !word.includes("-")) return word;
    const address = make("span", "address");
    address.append(...parts.flatMap((part, place) => place ? [document.createElement("wbr"), part] : [part]));
    return address;
  });
}

function put(element, text) {
  element.hidden = !text;
  element.replaceChildren(...words(text ?? ""));
}

function line(item) {
  const paragraph = make("p", item.label ? "fact" : "");
  paragraph.dataset.key = item.key;
  if (item.label) {
    const value = make("b", "");
    value.append(...words(item.text));
    paragraph.append(make("span", "", item.label), value);
  } else paragraph.append(...words(item.text));
  return paragraph;
}

// Each stretch by itself: letters that are written from right to left must not pull their neighbours along.
function row(item) {
  const element = make("div", "");
  element.append(...item.pieces.map((piece) => make(piece.isMark ? "mark" : "bdi", "", piece.text)));
  return element;
}

function key(action) {
  const element = hasKeys ? button("key", action.key) : make("div", "key");
  element.classList.add(action.key);
  if (action.meaning) element.classList.add(action.meaning);
  element.append(make("kbd", "", hasKeys ? caps[action.key] ?? action.key : signs[action.cap] ?? action.cap),
    make("span", "", action.label));
  return element;
}

function dots(count, capacity) {
  return Array.from({ length: Math.max(count, capacity) }, (_, place) => make("i", place < count ? "full" : ""));
}

// A QR code, as sharp as the screen is.
function picture(code) {
  const element = (name, values) => {
    const made = document.createElementNS(page.icon.namespaceURI, name);
    for (const [key, value] of Object.entries(values)) made.setAttribute(key, value);
    return made;
  };
  const made = element("svg", { viewBox: "0 0 " + code.side + " " + code.side, "shape-rendering": "crispEdges" });
  made.append(element("rect", { width: code.side, height: code.side, fill: "#fff" }), element("path", { d: code.path }));
  return made;
}

// Makes letters smaller until they fit their place; what does not even then may be broken.
function fit(element, isFine) {
  for (const isBroken of [false, true]) {
    element.classList.toggle("broken", isBroken);
    for (const scale of [1, .94, .88, .82, .76, .7, .64, .58]) {
      element.style.setProperty("--fit", scale);
      if (isFine()) return;
    }
  }
}

function fitAll() {
  const keys = [...page.keys.children];
  const isFair = () => !["consent", "signQuestion", "setupQuestion"].includes(view?.stage) || keys[0]?.offsetWidth === keys[1]?.offsetWidth;
  const end = (element) => element.offsetLeft + element.offsetWidth;
  // The margin on the right is that on the left.
  fit(page.keys, () => keys.length === 0 || (end(keys.at(-1)) <= page.keys.clientWidth - keys[0].offsetLeft && isFair()));
  fit(page.text, () => page.text.offsetHeight <= .93 * page.main.clientHeight
    && page.text.scrollWidth <= page.text.clientWidth && page.document.scrollWidth <= page.document.clientWidth);
  const hint = page["camera-hint"];
  fit(hint, () => hint.offsetHeight <= page.camera.clientHeight / 2 && hint.scrollWidth <= hint.clientWidth);
}

function show(next) {
  view = next;
  document.documentElement.lang = view.language;
  document.body.dataset.tone = view.tone;
  document.body.dataset.stage = view.stage;
  const isTrouble = view.tone === "trouble";
  const hasPad = hasKeys && padStages.includes(view.stage);
  const icon = view.isBusy && view.tone === "working" ? "work" : (!isTrouble && icons[view.stage]) || tones[view.tone];
  page.icon.firstElementChild.setAttribute("href", "#icon-" + icon);
  const hasLetters = hasKeys && textStages.includes(view.stage);
  page.figure.hidden = hasLetters || Boolean(view.document);
  page.icon.toggleAttribute("hidden", view.showsPreview || hasPad);
  page.camera.hidden = !view.showsPreview;
  if (!view.showsPreview) page.preview.removeAttribute("src");
  page.pad.hidden = !hasPad;
  page.letters.hidden = !hasLetters;

  page.title.replaceChildren(...words(view.title));
  page.lines.replaceChildren(...view.lines.map(line));
  page.document.hidden = !view.document;
  page.document.replaceChildren(...(view.document ?? []).map(row));
  put(page["camera-hint"], view.showsPreview ? view.hint : null);
  put(page.hint, view.showsPreview ? null : view.hint);
  const entry = view.entry;
  page.entry.hidden = !entry;
  page.entry.className = entry?.path !== undefined ? "code" : entry?.text === undefined ? "dots" : "text";
  if (entry?.path !== undefined) page.entry.replaceChildren(picture(entry));
  else if (entry?.text !== undefined) page.entry.replaceChildren(...words(entry.text));
  else page.entry.replaceChildren(...dots(entry?.count ?? 0, entry?.capacity ?? 0));
  page.keys.replaceChildren(...view.keys.map(key));

  fitAll();
  document.body.classList.toggle("rest", view.restStep !== undefined);
  if (view.restStep !== undefined) {
    document.body.style.setProperty("--shift-x", [0, 1.2, 2.4, 1.2, 0, -1, -1.6][view.restStep % 7] + "rem");
    document.body.style.setProperty("--shift-y", [0, .8, 0, -.8, .5][view.restStep % 5] + "rem");
  }
  ends = view.countdown === undefined ? null : performance.now() + 1000 * view.countdown;
  page.time.hidden = ends === null;
  tick();
}

function tick() {
  if (ends === null) return;
  const left = Math.max(0, (ends - performance.now()) / 1000);
  page.bar.style.transform = "scaleX(" + left / Math.max(view.countdown, .001) + ")";
  page.seconds.textContent = left <= 10 ? Math.ceil(left) : "";
}

// One event of the stream: lines of "name: value", of which data is one.
function take(event) {
  const fields = Object.fromEntries(event.split("\n").map((text) => text.split(/: (.*)/s, 2)));
  if (fields.event === "view") {
    show(JSON.parse(fields.data));
    if (performance.getEntriesByName("ready").length === 0) performance.mark("ready");
  } else if (fields.event === "preview" && view?.showsPreview) {
    page.preview.src = "data:image/jpeg;base64," + fields.data;
  }
}

// An EventSource would read the same stream, but can send no header.
async function read(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = "";;) {
    const { value, done } = await reader.read();
    if (done) return;
    const events = (text + value).split("\n\n");
    text = events.pop();
    events.forEach(take);
  }
}

async function listen() {
  try {
    const answer = await fetch("events", { headers, cache: "no-store" });
    if (answer.status === 403) return show(await answer.json());
    clearTimeout(lost);
    lost = null;
    await read(answer.body);
  } catch {}
  lost ??= setTimeout(sayLost, patience);
  setTimeout(listen, 500);
}

function sayLost() {
  show({ language: view?.language ?? "en", stage: "stopped", tone: "trouble", title: view?.farewell ?? "login-kiosk",
    lines: [], keys: [], isBusy: false, showsPreview: false, farewell: view?.farewell });
}

if (hasKeys) {
  document.body.classList.add("touch");
  page.pad.append(...["1", "2", "3", "4", "5", "6", "7", "8", "9", "clear", "0", "back"].map((name) =>
    button("", name, caps[name] ?? name)));
  page.letters.append(...[..."1234567890@abcdefghijklmnopqrstuvwxyz.-_+"].map((letter) => button("", letter, letter)));
}
addEventListener("resize", fitAll);
setInterval(tick, 200);
listen();
