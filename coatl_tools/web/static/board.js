// Marking the spaces of a board in its photo: with a tap, or with the arrow keys and Enter.
// Without it, places are typed in the form below the photo.

"use strict";

const SLOW = 0.005, FAST = 0.04;  // of the photo's width: how far an arrow key moves the cross
const taps = [];  // that came while the page with the one before was under way
let marking = false;
let cross = null, byKeys = false;  // where it was last, in pixels of the photo; whether keys moved it

const marked = () => document.querySelector("[data-marks]");

async function mark(x, y) {
  taps.push([Math.round(x), Math.round(y)]);
  showTap(x, y);
  if (marking) return;
  marking = true;
  while (taps.length) {
    const photo = marked(), [left, top] = taps.shift();
    if (!photo) break;  // all spaces are marked
    const before = photo.dataset.marks;
    const url = `${before}${before.includes("?") ? "&" : "?"}at=${left},${top}`;
    const shown = await load(url, {}, false).catch(() => null);
    if (!shown) { location.href = url; break; }
    if (shown.ok) history.pushState({}, "", shown.url);
    else taps.length = 0;  // what is wrong stands there now
  }
  taps.length = 0;
  marking = false;
}

function showTap(x, y) {
  // The mark is seen at once; its number comes with the page.
  const tap = document.getElementById("cross").cloneNode(true);
  tap.removeAttribute("id");
  tap.removeAttribute("hidden");
  tap.classList.add("sent");
  tap.querySelector("path").remove();
  tap.setAttribute("transform", `translate(${x} ${y})`);
  marked().querySelector("svg").append(tap);
}

function moveCross(photo, x, y) {
  const { width, height } = photo.querySelector("svg").viewBox.baseVal;
  byKeys = true;
  cross = [Math.min(Math.max(x, 0), width - 1), Math.min(Math.max(y, 0), height - 1)];
  const drawn = document.getElementById("cross");
  drawn.removeAttribute("hidden");
  drawn.setAttribute("transform", `translate(${cross[0]} ${cross[1]})`);
  drawn.scrollIntoView({ block: "nearest", inline: "nearest" });
}

document.addEventListener("click", (event) => {
  const photo = event.target.closest("[data-marks]"), svg = event.target.closest("svg");
  if (!photo || !svg) return;
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  [cross, byKeys] = [[point.x, point.y], false];
  mark(point.x, point.y);
});

document.addEventListener("keydown", (event) => {
  const photo = event.target.closest?.("[data-marks]");
  if (!photo || event.ctrlKey || event.metaKey || event.altKey) return;
  const { width, height } = photo.querySelector("svg").viewBox.baseVal;
  const [x, y] = cross || [width / 2, height / 2];
  const step = width * (event.shiftKey ? FAST : SLOW);
  const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (way) moveCross(photo, x + way[0] * step, y + way[1] * step);
  else if (event.key === "Enter") mark(x, y);
  else if (event.key === "Backspace") document.getElementById("undo")?.click();
  else return;
  event.preventDefault();
});

document.addEventListener("coatl:shown", () => {
  const photo = marked();
  if (photo && byKeys && document.activeElement === photo) moveCross(photo, ...cross);
});
