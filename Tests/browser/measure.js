// SPDX-License-Identifier: Apache-2.0
// Shows views on the kiosk's page, one after the other, and returns what is wrong with each: what is cut off, overlaps, is
// beyond an edge, is torn, too small or too pale.
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
    if (element.clientWidth > 0 && (element.scrollWidth > element.clientWidth + 2 || element.scrollHeight > element.clientHeight + .2 * unit)) found.push("cut off: " + name(element));
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
    // A page of a document has sixty columns.
    if (!element.closest("#document") && size / unit < least[0]) least = [size / unit, name(element)];
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

for (const [name, view, picture] of views) {
  show(view);
  if (picture) page.preview.src = picture;
  for (const fault of faults()) wrong.push(name + ": " + fault);
}
return wrong;
