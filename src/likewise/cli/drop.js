"use strict";
// Copies what is dropped on the first page to the server, one file after another, and then opens the folder it is in.
const zone = document.getElementById("drop");
const said = zone.querySelector("[role=status]");
const suffixes = zone.dataset.suffixes.split(" ");
zone.removeAttribute("hidden");

async function filesOf(entry, path) {
  if (entry.isFile) {
    const file = await new Promise((done, fail) => entry.file(done, fail));
    return [[path + file.name, file]];
  }
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((done, fail) => reader.readEntries(done, fail));
    if (some.length === 0) return found;
    for (const each of some) {
      if (!each.name.startsWith(".")) found.push(...(await filesOf(each, path + entry.name + "/")));
    }
  }
}

async function send(files) {
  let taken = 0;
  const refused = [];
  for (const [name, file] of files) {
    said.textContent = `Copying ${taken + refused.length + 1} of ${files.length} …`;
    let reason = file.size > Number(zone.dataset.most) ? "it is too large" : "";
    if (!suffixes.includes(name.slice(name.lastIndexOf(".")).toLowerCase())) reason = "it is not named like a picture";
    if (!reason) {
      try {
        const answer = await fetch(`${location.pathname}?name=${encodeURIComponent(name)}`, { method: "PUT", body: file });
        reason = answer.ok ? "" : await answer.text();
      } catch {
        reason = "it did not arrive";
      }
    }
    if (reason) refused.push(`${name}: ${reason}`);
    else taken += 1;
  }
  say(taken, refused);
}

function say(taken, refused) {
  const left = refused.length ? ` Left out: ${refused.length}, such as ${refused[0]}.` : "";
  said.textContent = `Copied into ${zone.dataset.folder}: ${taken}.${left}`;
  if (taken === 0) return;
  const form = document.querySelector("form").cloneNode(true);
  form.elements.folder.value = zone.dataset.folder;
  const button = form.querySelector("button");
  button.disabled = false;
  button.textContent = taken === 1 ? "Group this picture" : `Group these ${taken} pictures`;
  for (const before of zone.querySelectorAll("form")) before.remove();
  zone.append(form);
  button.focus();
}

async function take(items, files) {
  const entries = Array.from(items, (item) => item.webkitGetAsEntry?.()).filter(Boolean);
  said.textContent = "Looking through what was dropped …";
  try {
    const found = entries.length ? (await Promise.all(entries.map((entry) => filesOf(entry, "")))).flat() : files;
    await send(found);
  } catch {
    said.textContent = "What was dropped cannot be read.";
  }
}

const plain = (list) => Array.from(list, (file) => [file.name, file]);
addEventListener("dragover", (event) => {
  event.preventDefault();
  zone.classList.add("over");
});
addEventListener("dragleave", () => zone.classList.remove("over"));
addEventListener("drop", (event) => {
  event.preventDefault();
  zone.classList.remove("over");
  void take(event.dataTransfer.items, plain(event.dataTransfer.files));
});
zone.querySelector("input").addEventListener("change", (event) => void send(plain(event.target.files)));
