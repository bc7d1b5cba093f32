// The library page: files are dropped or chosen, and their progress is shown.
import { pageApi } from "./api.js";
import { el } from "./dom.js";
import { speaking } from "./texts.js";
import { follow } from "./uploading.js";

const place = document.querySelector("#upload");
const drop = document.querySelector("#drop");
const files = document.querySelector("#files");
const list = document.querySelector("#progress");
const say = speaking(place.dataset.language);
const lines = new Map();

async function send(chosen) {
  await follow(pageApi(), chosen, document.querySelector("#collection").value, show);
  document.body.dispatchEvent(new Event("refresh"));
}

function show(name, { state, percent, over, error, passages }) {
  if (!lines.has(name)) {
    const line = el("li", {}, el("span", { className: "name" }), el("progress", { max: 100, "aria-label": name }), el("span", { className: "muted small" }));
    lines.set(name, line);
    list.append(line);
  }
  const [label, meter, note] = lines.get(name).children;
  label.textContent = name;
  meter.value = percent;
  lines.get(name).className = error ? "bad" : over ? "good" : "";
  note.textContent = error ? `${say("Upload failed")}: ${error}` : state === "done" ? `${say("Ready")} · ${passages}` : say("Processing");
}

function take() {
  const chosen = [...files.files];
  files.value = "";
  send(chosen);
}

files.addEventListener("change", take);
// Files may be chosen before this module is read.
if (files.files.length) take();
for (const name of ["dragover", "dragleave", "drop"]) {
  drop.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.toggle("over", name === "dragover");
    if (name === "drop") send([...event.dataTransfer.files]);
  });
}
