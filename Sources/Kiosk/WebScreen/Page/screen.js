// SPDX-License-Identifier: Apache-2.0
"use strict";

// Shows what the kiosk says. Every word comes from the server as text and is put in as text.
const page = Object.fromEntries([...document.querySelectorAll("[id]")].map((element) => [element.id, element]));
// Only the file with which the kiosk leads a browser here has it; without it there are no keys, and no other user's
// browser sees anything.
const token = location.hash.slice(1);
const headers = token ? { "X-Kiosk-Token": token } : {};
const hasKeys = token !== "" && document.body.dataset.keys === "on";
// Short names of a keyboard's keys.
const signs = { Enter: "⏎", Backspace: "⌫", Tab: "⇥" };
const icons = { scan: "code", consent: "question", identityChoice: "person", identityEntry: "person", identityDetails: "person",
  cardOffer: "person", emailConfirmation: "mail", newPIN: "lock", newPINAgain: "lock", pin: "lock" };
const tones = { ready: "code", working: "work", ask: "question", success: "success", failure: "failure", trouble: "trouble" };
const questions = ["consent", "signQuestion", "setupQuestion", "resetQuestion", "cardOffer"];
// The time without a message from the kiosk after which the page says that it is gone.
const patience = 2000;
// A screen this young takes no key: the finger was on its way to the one before.
const settling = 250;
// A limit is shown when it is near.
const near = 15;

const contrast = matchMedia("(prefers-contrast: more)");

let view = null;
let ends = null;
let lost = null;
// The time at which another screen appeared, and what distinguishes it.
let changed = 0;
let shownScreen = "";
// Whether the person asked for letters where digits are usual.
let wantsLetters = false;

function make(name, className, text) {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

function icon(name) {
  const made = document.createElementNS(page.icon.namespaceURI, "svg");
  const use = document.createElementNS(page.icon.namespaceURI, "use");
  use.setAttribute("href", "#icon-" + name);
  made.setAttribute("aria-hidden", "true");
  made.append(use);
  return made;
}

function press(key) {
  if (performance.now() - changed < settling) return;
  return fetch("key", { method: "POST", headers, body: key }).catch(() => {});
}

function button(className, key, ...content) {
  const element = make("button", className);
  element.type = "button";
  element.dataset.key = key;
  element.append(...content);
  element.addEventListener("click", () => press(key));
  return element;
}

// An address stays in one piece as long as a line holds it, and then breaks behind its signs; a hyphen and a number never
// break.
function words(text) {
  return text.replace(/(?<=\d) (?=\d{4})/g, "\u00a0").split(/( +)/).map((word) => {
    const parts = word.split(/(?<=[\p{L}\p{N}/][@.:/])(?=[\p{L}\p{N}])/u);
    if (parts.length === 1) return word.replace(/(?<=\p{L})-(?=\p{L})/gu, "\u2011");
    const address = make("span", "address");
    address.append(...parts.flatMap((part, place) => place ? [document.createElement("wbr"), part] : [part]));
    return address;
  });
}

// Leaves what is shown already: a screen reader would read it again.
function replace(element, children) {
  const made = make("div", "");
  made.append(...children);
  if (element.innerHTML !== made.innerHTML) element.replaceChildren(...made.childNodes);
}

function put(element, text) {
  element.hidden = !text;
  replace(element, words(text ?? ""));
}

function line(item) {
  const paragraph = make("p", item.label ? "fact" : "");
  paragraph.dataset.key = item.key;
  if (item.label) {
    const value = make("b", "");
    value.append(...words(item.text));
    paragraph.append(make("span", "", item.label + " "), value);
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
  element.dataset.key = action.key;
  element.classList.add(action.key);
  if (action.meaning) element.classList.add(action.meaning);
  const cap = make("kbd", "", hasKeys ? action.key : signs[action.cap] ?? action.cap);
  if (hasKeys) cap.setAttribute("aria-hidden", "true");
  const label = make("span", "", action.sign ?? action.label);
  if (action.sign) {
    label.setAttribute("role", "img");
    label.setAttribute("aria-label", action.label);
  }
  if (action.language) label.lang = action.language;
  // Touched keys need no names, except the numbers of entries: people may say them.
  if (!hasKeys || /^\d$/.test(action.key)) element.append(cap);
  element.append(...action.language ? [icon("globe")] : [], label);
  return element;
}

// Puts keys in the place of others only if they differ, so that a screen that is drawn again keeps the focus.
function putKeys(place, keys) {
  const had = place.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  const old = [...place.children];
  if (old.length === keys.length && old.every((one, index) => one.isEqualNode(keys[index]))) return;
  place.replaceChildren(...keys);
  if (had !== undefined) (keys.find((one) => one.dataset.key === had) ?? page.title).focus();
}

// The digits of a pad, with BACK and OK; CLEAR and other keys stand apart.
function digitPad() {
  const cell = (name) => {
    const action = view.keys.find((one) => one.key === name);
    return action ? button(name, name, action.label) : make("i", "");
  };
  const digit = (name) => button("digit", name, name);
  return [..."123456789"].map(digit).concat(cell("back"), digit("0"), cell("enter"));
}

// Rows of keys in twenty columns. BACK takes a character away, and leads back where there is none. CLEAR and OK stand
// below the signs in portrait, beside them in landscape.
function letterPad({ rows, toDigits, domains = [] }) {
  const keys = [];
  const put = (element, row, first, last) => {
    element.style.gridArea = [row, first, row + 1, last].join(" / ");
    keys.push(element);
  };
  const label = (name) => view.keys.find((one) => one.key === name)?.label;
  const above = domains.length ? 1 : 0;
  page.pad.style.setProperty("--rows", rows.length + above);
  const edge = (place) => 1 + Math.round(20 * place / domains.length);
  domains.forEach((domain, place) => put(domainKey(domain), 1, edge(place), edge(place + 1)));
  rows.forEach((row, index) => {
    const width = index === 4 && isPortrait() ? 4 : 2;
    const indent = index === 4 ? 1 : index === 3 ? 4 : 11 - row.length;
    [...row].forEach((letter, place) =>
      put(button("digit", letter, letter), index + 1 + above, indent + width * place, indent + width * (place + 1)));
  });
  if (toDigits) put(switchPad("", toDigits), 4 + above, 1, 4);
  const isErasing = view.entry.text !== "";
  const back = button("back", "back", isErasing ? icon("erase") : label("back"));
  if (isErasing) {
    back.setAttribute("aria-label", label("back"));
    repeat(back);
  }
  put(back, 4 + above, 4 + 2 * rows[3].length, 21);
  if (!isPortrait()) {
    if (label("clear")) put(button("clear", "clear", label("clear")), 5 + above, 11, 16);
    put(button("enter", "enter", label("enter")), 5 + above, label("clear") ? 16 : 11, 21);
  }
  return keys;
}

// Types what is missing of a domain, one character after the other.
function domainKey(domain) {
  const element = make("button", "digit domain", "@" + domain);
  element.type = "button";
  element.dataset.key = "@" + domain;
  element.addEventListener("click", async () => {
    const typed = view.entry?.text ?? "";
    const begun = typed.includes("@") ? typed.slice(typed.indexOf("@")) : "";
    if (!("@" + domain).startsWith(begun)) return;
    for (const character of ("@" + domain).slice(begun.length)) await press(character);
  });
  return element;
}

// Shows letters in place of digits, or digits in place of letters.
function switchPad(className, label) {
  const element = make("button", className);
  element.append(make("span", "", label));
  element.type = "button";
  element.dataset.key = "switch";
  element.addEventListener("click", () => {
    wantsLetters = !wantsLetters;
    draw();
  });
  return element;
}

// Takes one character after the other away while the key is held, and never leaves the screen.
function repeat(element) {
  let timer = null;
  let text = null;
  const again = () => {
    const isShorter = text === null || view.entry?.text?.length < text;
    if (!element.isConnected || !view.entry?.text) return stop();
    if (isShorter) {
      text = view.entry.text.length;
      press("back");
    }
    timer = setTimeout(again, 120);
  };
  const stop = () => clearTimeout(timer);
  element.addEventListener("pointerdown", () => { timer = setTimeout(again, 500); });
  for (const end of ["pointerup", "pointerleave", "pointercancel"]) element.addEventListener(end, stop);
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
  const made = element("svg", { role: "img", "aria-label": view.title, viewBox: "0 0 " + code.side + " " + code.side, "shape-rendering": "crispEdges" });
  made.append(element("rect", { width: code.side, height: code.side, fill: "#fff" }), element("path", { d: code.path }));
  return made;
}

// Factors of letters: down to the least size, and then below it.
const scales = [1, .92, .84, .76];
const last = [.92, .84, .76, .68, .6, .5];
const isPortrait = () => innerWidth < innerHeight;
const isNarrow = (element) => element.scrollWidth <= element.clientWidth + 1;
const isWithin = (element) => isNarrow(element) && element.scrollHeight <= element.clientHeight + 1;

// Whether an address is in pieces that a line would hold, if need be in smaller letters.
function isTorn(address) {
  if (address.offsetHeight < 2 * parseFloat(getComputedStyle(address).fontSize)) return false;
  const range = document.createRange();
  range.selectNodeContents(address);
  const width = [...range.getClientRects()].reduce((sum, rect) => sum + rect.width, 0);
  return width < 1.3 * address.closest("h1, p").clientWidth;
}

// Sets the letters of a place to the largest of some sizes with which one of the wishes is met, the first that can be. For a
// wish without `keepsAll` explanations are left out, from the last. At the end letters get smaller than the least size, and
// words break.
function fit(place, suffix, wishes, explanations = [], sizes = scales) {
  const tries = (few, isEnough, least) => {
    const works = (scale) => {
      document.body.style.setProperty("--fit" + suffix, scale);
      document.body.style.setProperty("--least" + suffix, least ?? scale);
      return isEnough();
    };
    // Most fit as they are. What does not fit in the smallest letters fits in none.
    return works(few[0]) || works(few.at(-1)) && few.slice(1).some(works);
  };
  place.classList.remove("torn");
  for (const { isMet, keepsAll } of wishes) {
    for (let shown = explanations.length; shown >= (keepsAll ? explanations.length : 0); shown -= 1) {
      explanations.forEach((line, index) => line.hidden = index >= shown);
      if (tries(sizes, isMet, 1)) return true;
    }
  }
  for (const line of explanations) line.hidden = false;
  const { isMet } = wishes.at(-1);
  if (!tries(last, isMet)) {
    place.classList.add("torn");
    tries([...scales, ...last], isMet);
  }
  return false;
}

// Shows large letters if they have room, otherwise the usual ones.
function fitAll() {
  document.body.classList.toggle("large", view.hasLargeText === true);
  if (fitOnce() || !view.hasLargeText) return;
  document.body.classList.remove("large");
  fitOnce();
}

// Returns whether no letter is smaller than the least size.
function fitOnce() {
  const { style, dataset, classList } = document.body;
  const zoom = outerWidth / innerWidth;
  const isZoomed = zoom > 1.15;
  document.documentElement.style.setProperty("--zoom", isZoomed ? zoom : 1);
  classList.toggle("zoomed", isZoomed);
  const lines = [...page.lines.children];
  if (isZoomed) {
    page.lines.classList.remove("aligned");
    for (const name of ["fit", "least", "fit-key", "least-key", "fit-rows", "side"]) style.removeProperty("--" + name);
    for (const line of lines) line.hidden = false;
    return true;
  }
  const keysFit = [{ isMet: () => isWithin(page.keys) && [...page.keys.children].every((key) =>
    isNarrow(key) && isNarrow(key.lastElementChild) && key.lastElementChild.offsetHeight <= key.clientHeight) }];
  const explanations = ["question", "code"].includes(dataset.layout) ? [] : lines.filter((line) => /Help|cardEnds/.test(line.dataset.key));
  for (const line of explanations) line.hidden = false;
  page.keys.classList.remove("tight");
  let keysAreLarge = fit(page.keys, "-key", keysFit);
  if (!keysAreLarge) {
    if (dataset.layout === "menu") explanations.splice(0).forEach((line) => line.hidden = true);
    else page.keys.classList.add("tight");
    keysAreLarge = fit(page.keys, "-key", keysFit);
  }
  // The camera's picture and the pad need their room.
  const hasCamera = (part) => dataset.layout !== "camera" || page.camera.clientHeight >= part * page.main.clientHeight;
  const isFine = () => [page.title, page.hint, ...lines].every(isNarrow) && isWithin(page.text) && isWithin(page.pad) && hasCamera(.3)
    && page.main.scrollHeight <= page.main.clientHeight;
  const addresses = [...page.text.querySelectorAll(".address")];
  const isWhole = () => !addresses.some(isTorn);
  const areTwoLines = () => addresses.every((one) => one.offsetHeight < 3 * parseFloat(getComputedStyle(one).fontSize));
  // Letters grow where they have room, but not for a title of several lines.
  const isCalm = () => parseFloat(style.getPropertyValue("--fit")) <= 1
    || page.title.offsetHeight < 2 * parseFloat(getComputedStyle(page.title).fontSize);
  const wishes = [
    { isMet: () => isFine() && hasCamera(.48) && isWhole() && isCalm(), keepsAll: true },
    ...dataset.layout === "camera" ? [{ isMet: () => isFine() && hasCamera(.48) }] : [],
    { isMet: () => isFine() && areTwoLines() && isCalm() },
    { isMet: isFine },
  ];
  const [name, sizes] = {
    code: ["--side", ["22rem", "21rem", "20rem", "19rem", "18rem", "17rem", "16rem"]],
    document: ["--fit-rows", isPortrait() ? [1.18, 1.1, 1, .9, .8] : [1, .95, .9, .85, .8, .75]],
  }[dataset.layout] ?? ["--side", ["0"]];
  const isRoomy = ["question", "plain", "sign"].includes(dataset.layout);
  const canAlign = !isPortrait() && (isRoomy || dataset.layout === "pin");
  for (const isAligned of canAlign ? [true, false] : [false]) {
    page.lines.classList.toggle("aligned", isAligned);
    for (const size of sizes) {
      style.setProperty(name, size);
      // The words may have taken room from the keys of a menu.
      if (fit(page.text, "", isAligned ? wishes.slice(0, 1) : wishes, explanations, isRoomy ? [1.25, ...scales] : scales)) return keysAreLarge && keysFit[0].isMet();
    }
  }
  return false;
}

// The design for what the person does now.
function layout() {
  if (view.showsPreview) return "camera";
  if (view.entry?.path !== undefined) return "code";
  if (view.document) return "document";
  if (view.stage === "menu" || questions.includes(view.stage)) return view.stage === "menu" ? "menu" : "question";
  if (hasKeys && view.keyboard) {
    return view.keyboard.rows && (wantsLetters || !view.keyboard.toLetters) ? "letters" : "pad";
  }
  if (view.entry) return view.entry.text === undefined ? "pin" : "plain";
  return view.tone === "ask" || view.tone !== "working" && view.lines.filter((item) => item.label).length > 2 ? "plain" : "sign";
}

function show(next) {
  const screen = JSON.stringify([next.stage, next.title, next.document]);
  if (next.stage !== view?.stage) wantsLetters = false;
  view = next;
  draw();
  if (screen !== shownScreen) changed = performance.now();
  shownScreen = screen;
}

function draw() {
  const { dataset } = document.body;
  document.documentElement.lang = view.language;
  dataset.tone = view.tone;
  dataset.stage = view.stage;
  dataset.layout = layout();
  document.body.classList.toggle("high", view.hasHighContrast === true || contrast.matches);
  const hasPad = dataset.layout === "pad";
  const hasLetters = dataset.layout === "letters";
  const sign = view.isBusy && view.tone === "working" ? "work" : (view.tone !== "trouble" && icons[view.stage]) || tones[view.tone];
  page.icon.firstElementChild.setAttribute("href", "#icon-" + sign);
  // A wait is a progress without an end that is known.
  for (const [name, value] of [["role", "progressbar"], ["aria-label", view.title]]) {
    if (view.isBusy) page.icon.setAttribute(name, value);
    else page.icon.removeAttribute(name);
  }
  page.icon.toggleAttribute("aria-hidden", false);
  if (!view.isBusy) page.icon.setAttribute("aria-hidden", "true");
  const role = view.tone === "failure" || view.tone === "trouble" ? "alert" : "status";
  if (page.text.getAttribute("role") !== role) page.text.setAttribute("role", role);
  page.camera.hidden = !view.showsPreview;
  if (!view.showsPreview) {
    page.preview.removeAttribute("src");
    page.outline.setAttribute("points", "");
  }

  put(page.title, view.title);
  // In one piece, where an address would be read in several.
  page.title.setAttribute("aria-label", view.title);
  // Advice for the keys of a keypad.
  const isAdvice = (item) => ["tapHelp", "tapAddressHelp", "numLockHelp"].includes(item.key);
  const lines = view.lines.filter((item) => !(hasPad || hasLetters) || !isAdvice(item));
  for (const one of page.lines.children) one.hidden = false;
  replace(page.lines, lines.map(line));
  page.document.hidden = !view.document;
  replace(page.document, (view.document ?? []).map(row));
  put(page.hint, view.hint);
  putEntry(view.entry);

  const onPad = hasPad ? ["enter", "back"] : !hasLetters ? [] : isPortrait() ? ["back"] : ["enter", "back", "clear"];
  // The kiosk's MENU would make letters of a pad's digits.
  if (hasPad && view.keyboard.toLetters || hasLetters) onPad.push("menu");
  // Beside three keys the one that changes the look has no room: a keypad's 7 does the same.
  const isShown = (action) => !onPad.includes(action.key) && !(action.sign && view.keys.length > 3);
  const others = view.keys.filter(isShown);
  const entries = others.filter((one) => !["menu", "back"].includes(one.key)).length;
  page.keys.style.setProperty("--cells", entries);
  page.keys.style.setProperty("--pairs", Math.ceil(entries / 2));
  putKeys(page.keys, [...others.map(key), ...hasPad && view.keyboard.toLetters ? [switchPad("key", view.keyboard.toLetters)] : []]);
  page.pad.hidden = !hasPad && !hasLetters;
  putKeys(page.pad, hasPad ? digitPad() : hasLetters ? letterPad(view.keyboard) : []);
  document.body.classList.toggle("pin", view.entry?.count !== undefined);

  // Seconds have their place before they show, so that no title moves.
  page.seconds.hidden = view.countdown === undefined;
  fitAll();
  document.body.classList.toggle("rest", view.restStep !== undefined);
  if (view.restStep !== undefined) {
    document.body.style.setProperty("--shift-x", [0, .6, 1.2, .6, 0, -.6, -1.2][view.restStep % 7] + "rem");
    document.body.style.setProperty("--shift-y", [0, .4, 0, -.4, .3][view.restStep % 5] + "rem");
  }
  ends = view.countdown === undefined ? null : performance.now() + 1000 * view.countdown;
  tick();
}

function putEntry(entry) {
  const isCode = entry?.path !== undefined;
  page.entry.hidden = !entry || isCode;
  page.code.hidden = !isCode;
  page.code.replaceChildren(...isCode ? [picture(entry)] : []);
  page.entry.className = entry?.text === undefined ? "dots" : "text";
  if (entry?.text !== undefined) page.entry.replaceChildren(...words(entry.text));
  else page.entry.replaceChildren(...dots(entry?.count ?? 0, entry?.capacity ?? 0));
  // Of a PIN the count alone.
  const meter = entry?.count === undefined ? {} : { role: "meter", "aria-label": view.title, "aria-valuenow": entry.count,
    "aria-valuemin": 0, "aria-valuemax": entry.capacity, "aria-valuetext": entry.count + " / " + entry.capacity };
  for (const name of ["role", "aria-label", "aria-valuenow", "aria-valuemin", "aria-valuemax", "aria-valuetext"]) {
    if (name in meter) page.entry.setAttribute(name, meter[name]);
    else page.entry.removeAttribute(name);
  }
}

function tick() {
  const left = ends === null ? Infinity : Math.max(0, (ends - performance.now()) / 1000);
  page.seconds.style.visibility = left > near ? "hidden" : "";
  page.bar.hidden = left > near;
  if (left > near) return;
  page.bar.style.transform = "scaleX(" + left / Math.max(Math.min(view.countdown, near), .001) + ")";
  const text = String(Math.ceil(left));
  if (page.seconds.textContent === text) return;
  page.seconds.textContent = text;
  page.seconds.setAttribute("aria-label", view.timeLeft?.replace("{seconds}", text) ?? text);
}

// One event of the stream: lines of "name: value", of which data is one.
function take(event) {
  const fields = Object.fromEntries(event.split("\n").map((text) => text.split(/: (.*)/s, 2)));
  if (fields.event === "view") {
    show(JSON.parse(fields.data));
    if (performance.getEntriesByName("ready").length === 0) performance.mark("ready");
  } else if (fields.event === "preview" && view?.showsPreview) {
    const [jpeg, ...corners] = fields.data.split(" ");
    page.preview.src = "data:image/jpeg;base64," + jpeg;
    page.outline.setAttribute("points", corners.join(" "));
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

if (hasKeys) document.body.classList.add("touch");
addEventListener("resize", () => view && draw());
contrast.addEventListener("change", () => view && draw());
setInterval(tick, 200);
listen();
