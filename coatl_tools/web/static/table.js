// What is asked now comes into sight. A.D.A.M.'s turn, one step after the other, with the things that a step is about lit up.
// Without it, all steps stand there at once.

"use strict";

const stepped = { moment: "", at: 0 };

function steps() {
  const list = document.querySelector("[data-steps]");
  const next = document.querySelector("[data-next-step]");
  if (!list || !next) return;
  if (stepped.moment !== list.dataset.steps) { stepped.moment = list.dataset.steps; stepped.at = 0; }
  show(list, next);
  next.onclick = () => { stepped.at += 1; show(list, next); };

  function show(list, next) {
    const all = [...list.children];
    const at = Math.min(stepped.at, all.length - 1);
    all.forEach((one, place) => { one.hidden = place > at; one.classList.toggle("now", place === at); });
    next.hidden = at === all.length - 1;
    const done = document.querySelector("[data-after-steps]");
    if (done) done.hidden = !next.hidden;
    const lights = (all[at].dataset.lights || "").split(" ");
    for (const thing of document.querySelectorAll("[data-thing]")) thing.classList.toggle("lit", lights.includes(thing.dataset.thing));
    list.setAttribute("aria-live", "polite");
  }
}

let asked = "";

function attend() {
  const panel = document.querySelector("[data-attention]");
  const now = panel ? panel.dataset.attention : "";
  if (panel && now !== asked) panel.scrollIntoView({ block: "start" });
  asked = now;
}

document.addEventListener("coatl:shown", () => { steps(); attend(); });
document.addEventListener("DOMContentLoaded", steps);
if (document.readyState !== "loading") steps();
