// The little that pages do by themselves: follow the server, and change without jumping.
// Everything works without it too: links are links and forms are forms.
//
//   <main data-events="/table/x/events" data-moment="41-0">  is fetched anew when the moment changes
//   <a data-swap>, <form data-swap>   change the page in place; the address follows for links and GET
//   <form data-swap="replace" data-into="found">   changes only that part; no step back is kept for it
//   <button data-copy="id">           copies the text of an element
//   <form data-submit>                is sent when a file is chosen in it, a choice changes, or
//                                     somebody stops typing in a search field

"use strict";

const main = () => document.getElementById("main");
let source = null;
let latest = 0;
let sending = 0;  // forms on their way: what comes back is newer than what was heard meanwhile
let heard = "";

function keep(root) {
  // What somebody was about to do must survive a change of the page around it.
  const kept = { inputs: new Map(), focus: document.activeElement && document.activeElement.id, open: [] };
  for (const input of root.querySelectorAll("input[id], textarea[id], select[id]")) {
    if (input.type !== "hidden" && input.type !== "file") kept.inputs.set(input.id, [input.value, input.checked]);
  }
  for (const one of root.querySelectorAll("details[id]")) if (one.open) kept.open.push(one.id);
  for (const one of root.querySelectorAll("[popover][id]")) if (one.matches(":popover-open")) kept.popover = one.id;
  for (const one of root.querySelectorAll("[data-keep-scroll][id]")) (kept.scroll ||= new Map()).set(one.id, [one.scrollLeft, one.scrollTop]);
  return kept;
}

function restore(root, kept, values) {
  if (values) {
    for (const [id, [value, checked]] of kept.inputs) {
      const input = document.getElementById(id);
      if (!input) continue;
      if (input.type === "checkbox" || input.type === "radio") input.checked = checked;
      else input.value = value;
    }
    const popover = values === true && kept.popover && document.getElementById(kept.popover);
    if (popover && popover.showPopover) popover.showPopover();
  }
  for (const id of kept.open) document.getElementById(id)?.setAttribute("open", "");
  for (const [id, [left, top]] of kept.scroll || []) document.getElementById(id)?.scrollTo(left, top);
  let focus = kept.focus ? document.getElementById(kept.focus) : null;
  if (kept.popover && (!focus || focus.closest("[popover]:not(:popover-open)"))) {  // it is closed now
    focus = document.querySelector(`[popovertarget="${CSS.escape(kept.popover)}"]`);
  }
  focus?.focus({ preventScroll: true });
}

function show(text, values, into) {
  const page = new DOMParser().parseFromString(text, "text/html");
  const part = (into && document.getElementById(into) && page.getElementById(into)) ? into : "main";
  const fresh = page.getElementById(part);
  if (!fresh) return false;
  const kept = keep(document);
  document.title = page.title;
  document.body.className = page.body.className;
  document.getElementById(part).replaceWith(document.adoptNode(fresh));
  restore(main(), kept, values);
  const parts = [...main().querySelectorAll("[data-error]"), ...main().querySelectorAll("[data-say]")];
  const status = parts.map((one) => one.textContent.trim().replace(/\s+/g, " ")).join(" ");
  const said = document.getElementById("said");
  if (status && said.textContent !== status) said.textContent = status;
  for (const to of page.querySelectorAll(".languages input[name=to]")) {
    for (const input of document.querySelectorAll(".languages input[name=to]")) input.value = to.value;
  }
  document.dispatchEvent(new CustomEvent("coatl:shown"));
  listen();
  return true;
}

async function load(url, options, values, into) {
  const turn = ++latest;
  document.documentElement.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(url, { ...options, headers: { "X-Coatl": "part" } });
    const type = answer.headers.get("content-type") || "";
    const text = await answer.text();
    if (turn !== latest) return null;
    return type.startsWith("text/html") && show(text, values || (!answer.ok && "typed"), into) ? answer : null;
  } finally {
    if (turn === latest) document.documentElement.removeAttribute("aria-busy");
  }
}

// Following the server.

function listen() {
  const wanted = main().dataset.events || "";
  if (source && source.wanted === wanted) return;
  if (source) source.close();
  source = null;
  if (!wanted) return;
  source = new EventSource(wanted);
  source.wanted = wanted;
  source.onmessage = (event) => {
    document.body.classList.remove("lost");
    heard = event.data;
    catchUp();
  };
  source.onerror = () => {
    document.body.classList.add("lost");
    if (source && source.readyState === EventSource.CLOSED) {  // refused, not only cut off: try again
      source = null;
      setTimeout(() => load(location.href, {}, true).then((shown) => shown || listen(), listen), 2000);
    }
  };
}

function catchUp() {
  const moment = main().dataset.moment;
  if (!sending && source && moment && heard && heard !== moment) load(location.href, {}, true).catch(() => {});
}

// Changing in place.

document.addEventListener("click", async (event) => {
  const copy = event.target.closest("[data-copy]");
  if (copy) return copyText(copy);
  const link = event.target.closest("a[data-swap]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  if (following) waiting.push(link.id);  // of a page that is about to go: the next one has it too
  else await follow(link);
});

let following = false;
const waiting = [];

async function follow(link) {
  following = true;
  const shown = await load(link.href, {}, false).catch(() => null);
  following = false;
  if (!shown) { waiting.length = 0; location.href = link.href; return; }
  if (link.dataset.swap === "replace") history.replaceState({}, "", shown.url);
  else history.pushState({}, "", shown.url);
  const next = waiting.shift();
  const there = next && document.getElementById(next);
  if (there) await follow(there);
}

let sent = 0;
document.addEventListener("submit", async (event) => {
  const form = event.target;
  const question = form.dataset.ask || (event.submitter && event.submitter.dataset.ask);
  if (question && !confirm(question)) return event.preventDefault();
  if (!form.matches("[data-swap]")) return;
  event.preventDefault();
  const post = form.method === "post";
  if (post && sending) return;  // a second tap means the same
  const turn = ++sent;
  const data = new FormData(form, event.submitter);
  let url = form.action, options = {};
  if (post) {
    const files = [...data.values()].some((value) => value instanceof File);
    options = { method: "POST", body: files ? data : new URLSearchParams(data) };
  } else {
    const asked = new URLSearchParams([...data].filter(([, value]) => value !== "")).toString();
    url = url.split("?")[0] + (asked && `?${asked}`);
  }
  if (post) { sending += 1; heard = ""; }
  const shown = await load(url, options, false, form.dataset.into).catch(() => undefined);
  if (post) { sending -= 1; setTimeout(catchUp, 50); }
  if (shown === undefined && main().dataset.events) return document.body.classList.add("lost");  // it comes back
  if (!shown) {
    if (turn !== sent) return;  // somebody typed on: the newer answer is the one to show
    if (post) location.reload(); else location.href = url;
    return;
  }
  if (!shown.ok || shown.url === location.href) return;
  if (form.dataset.swap === "replace") history.replaceState({}, "", shown.url);
  else history.pushState({}, "", shown.url);
});

document.addEventListener("change", (event) => {
  const form = event.target.form;
  if (event.target.type !== "search" && form && form.matches("[data-submit]")) form.requestSubmit();
});

let typing = 0;
document.addEventListener("input", (event) => {
  const form = event.target.form;
  if (event.target.type !== "search" || !form || !form.matches("[data-submit]")) return;
  clearTimeout(typing);
  typing = setTimeout(() => { if (form.isConnected) form.requestSubmit(); }, 250);
});

addEventListener("popstate", () => load(location.href, {}, false).catch(() => location.reload()));
addEventListener("pageshow", listen);
addEventListener("pagehide", () => { if (source) source.close(); source = null; });

async function copyText(button) {
  const from = document.getElementById(button.dataset.copy);
  const text = from.value ?? from.textContent;
  const share = button.dataset.share !== undefined && navigator.share;
  try {
    if (share) await navigator.share({ text });
    else if (navigator.clipboard) await navigator.clipboard.writeText(text);
    else { from.select(); document.execCommand("copy"); }  // where pages come without a certificate
  } catch (error) {
    if (error.name === "AbortError") return;
    from.select && from.select();
  }
  if (button.dataset.done && !share) {
    const before = button.textContent;
    button.textContent = button.dataset.done;
    setTimeout(() => { button.textContent = before; }, 2000);
  }
}
