// SPDX-License-Identifier: Apache-2.0
// Shows views on the kiosk's page, one after the other, and returns what is wrong with each: what is cut off, overlaps, is
// beyond an edge, is torn, too small or too pale, stands in unequal cells or not where it stood on the screen before.
const [views, leastLetters] = arguments;
const wrong = [];
const unit = Math.min(innerWidth, innerHeight) / 24;
const shown = (element) => !element.closest("[hidden]") && element.getClientRects().length > 0
  && getComputedStyle(element).visibility !== "hidden";
const overlap = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
  && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;

function light(colour) {
  const [red, green, blue] = colour.map((part) => part / 255).map((part) =>
    part <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4);
  return .2126 * red + .7152 * green + .0722 * blue;
}

const parts = (colour) => {
  const [red, green, blue, alpha = 1] = colour.match(/[\d.]+/g).map(Number);
  return { colour: [red, green, blue], alpha };
};

// Of the grounds from the text outwards, as far as one that hides the others.
function ground(element) {
  const layers = [];
  for (let at = element; at; at = at.parentElement) {
    layers.push(parts(getComputedStyle(at).backgroundColor));
    if (layers.at(-1).alpha === 1) break;
  }
  return layers.reduceRight((below, { colour, alpha }) => colour.map((part, index) => alpha * part + (1 - alpha) * below[index]), [0, 0, 0]);
}

function contrast(element) {
  const [dark, bright] = [light(parts(getComputedStyle(element).color).colour), light(ground(element))].sort((a, b) => a - b);
  return (bright + .05) / (dark + .05);
}

function faults() {
  const found = [];
  const boxes = [...document.querySelectorAll("h1, #icon, #seconds, #lines p, #document, #hint, #entry, #camera, #code, .key, #pad button")]
    .filter(shown).map((element) => [element, element.getBoundingClientRect()]);
  const name = (element) => (element.id || element.className || element.tagName) + " \"" + element.textContent.slice(0, 50) + "\"";
  for (const [place, [element, box]] of boxes.entries()) {
    if (box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1) found.push("beyond the edge: " + name(element));
    const letter = parseFloat(getComputedStyle(element).fontSize);
    if (element.clientWidth > 0 && (element.scrollWidth > element.clientWidth + 2 || element.scrollHeight > element.clientHeight + .2 * letter)) found.push("cut off: " + name(element));
    for (const [other, its] of boxes.slice(place + 1)) if (overlap(box, its)) found.push("overlap: " + name(element) + ", " + name(other));
    if (element.matches(".key, #pad button") && box.height < 3.19 * unit && !(innerWidth < innerHeight)) found.push("low key: " + name(element));
  }
  const text = document.querySelector("#text");
  if (text.scrollHeight > text.clientHeight + 1 || text.scrollWidth > text.clientWidth + 1) found.push("cut off: the text");
  // Beside a page of a document are quiet facts.
  let least = [Math.min(leastLetters, view.document ? 1 : 9) - .005, ""];
  const pale = new Set();
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !shown(element)) continue;
    const size = parseFloat(getComputedStyle(element).fontSize);
    // A page of a document has sixty columns, and the label of a value is quiet.
    if (!element.closest("#document") && size * (element.matches(".fact > span") ? 1.2 : 1) / unit < least[0]) least = [size / unit, name(element)];
    const value = contrast(element);
    if (value < 7) pale.add(`contrast of ${value.toFixed(1)}: ` + name(element));
  }
  if (least[1]) found.push(`letters of ${least[0].toFixed(2)} units: ` + least[1]);
  found.push(...pale);
  for (const word of document.querySelectorAll(".address")) {
    if (!shown(word)) continue;
    const range = document.createRange();
    range.selectNodeContents(word);
    const rects = [...range.getClientRects()];
    const isTorn = rects.some((rect) => rect.top >= rects[0].bottom - 1);
    const place = word.closest("h1, #lines p, #hint, #entry");
    const line = place.clientWidth - 2 * parseFloat(getComputedStyle(place).paddingLeft);
    if (isTorn && rects.reduce((sum, rect) => sum + rect.width, 0) <= line) found.push("torn: " + word.textContent);
  }
  return found;
}

const near = (one, other) => Math.abs(one - other) <= 1.5;
const box = (element) => element.getBoundingClientRect();
const equal = (one, other) => ["left", "top", "width", "height"].every((side) => near(one[side], other[side]));

// Whether something stands where it stood on each screen of its kind.
window.places ??= {};
function moved(kind, elements) {
  const name = [kind, view.language, innerWidth, innerHeight, document.body.className, elements.length].join(" ");
  const now = elements.map(box);
  const before = window.places[name] ??= now;
  return !now.every((place, index) => equal(place, before[index]));
}

function unevenKeys() {
  const found = [];
  const keys = [...page.keys.querySelectorAll(".key")];
  const { layout } = document.body.dataset;
  const sizes = (some) => some.every((key) => near(box(key).width, box(some[0]).width) && near(box(key).height, box(some[0]).height));
  if (layout === "question" && keys.length > 1) {
    const [yes, no] = keys;
    if (!sizes([yes, no]) || box(yes).left > box(no).left) found.push("yes and no do not weigh the same");
    if (keys.some((key) => box(key).height > box(yes).height + 1)) found.push("a key is larger than yes and no");
    if (moved("question", keys)) found.push("the answers stand at another place than on another question");
  } else if (layout === "menu") {
    const entries = keys.filter((key) => !key.matches(".menu, .back"));
    if (entries.length && !sizes(entries)) found.push("unequal cells of the menu");
  } else {
    const rows = Map.groupBy(keys, (key) => Math.round(box(key).top));
    if (![...rows.values()].every(sizes) && !page.keys.classList.contains("tight")) found.push("unequal keys in a row");
  }
  if (layout === "pad") {
    // A remark goes with the first digit.
    const [whole, before] = [view, [...page.pad.children].map(box)];
    show({ ...whole, hint: whole.hint ? undefined : whole.title });
    if (![...page.pad.children].every((key, index) => equal(box(key), before[index]))) found.push("the pad moves with a remark");
    show(whole);
  }
  for (const key of keys) if (key.querySelector("[lang]") && !key.querySelector("svg")) found.push("a language without the globe");
  if (layout === "camera") {
    const [camera, rest] = [box(page.camera), innerHeight - (keys.length ? page.keys.clientHeight : 0)];
    const part = camera.width * camera.height / innerWidth / rest;
    // The owner of a card that was read is shown beside it, too.
    if (part < (view.lines.some((line) => line.label) ? .28 : view.hasLargeText ? .36 : .42)) found.push(`a picture of the camera on ${part.toFixed(2)} of the screen`);
  }
  if (!view.isBusy && document.getAnimations().some(({ effect }) => !effect.target.closest("#signs"))) found.push("something moves");
  return found;
}

for (const [name, view, picture] of views) {
  show(view);
  if (picture) page.preview.src = picture;
  for (const fault of [...faults(), ...unevenKeys()]) wrong.push(name + ": " + fault);
}
return wrong;
