// Sending a photo with its progress, and shapes on a photo that open what stands below.
// Without it, forms are sent by their button, and shapes lead to the buttons below.

"use strict";

function sendPhoto(form) {
  const sending = form.querySelector("[data-sending]"), lost = form.querySelector("[data-not-sent]");
  const request = new XMLHttpRequest();
  const failed = () => { sending.hidden = true; lost.hidden = false; form.reset(); };
  request.open("POST", form.action);
  request.setRequestHeader("X-Coatl", "part");
  request.upload.onprogress = (event) => { sending.querySelector("progress").value = event.loaded / event.total; };
  request.onerror = failed;
  request.onload = () => {
    const html = (request.getResponseHeader("content-type") || "").startsWith("text/html");
    if (!html || !show(request.responseText, false)) return failed();
    if (request.status < 400) history.pushState({}, "", request.responseURL);
  };
  sending.hidden = false;
  lost.hidden = true;
  request.send(new FormData(form));
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("[data-upload]")) return;
  event.preventDefault();
  if ([...form.querySelectorAll("input[type=file]")].some((input) => input.files.length)) sendPhoto(form);
});

document.addEventListener("click", (event) => {
  const shape = event.target.closest("[data-opens]");
  const opened = shape && document.getElementById(shape.dataset.opens);
  if (!opened || !opened.showPopover) return;
  event.preventDefault();
  opened.showPopover();
});
