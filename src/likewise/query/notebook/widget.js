// One question at a time: draws `view`, sends what was pressed. Answers are checked in Python.
const PAIR = [["same", "Same (s)"], ["different", "Different (d)"], ["unsure", "Not sure (space)"]];
const TRIPLET = [["ab", "First two (1)"], ["ac", "First and last (2)"], ["bc", "Last two (3)"], ["none", "None (0)"], ["unsure", "Not sure (space)"]];
const KEYS = { s: "same", d: "different", " ": "unsure", 1: "ab", 2: "ac", 3: "bc", 0: "none" };

function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

function tile(shown, className) {
  const figure = make("figure", className);
  figure.innerHTML = shown.html; // made in Python: pictures and escaped text, or the owner's own HTML
  figure.dataset.item = shown.item;
  return figure;
}

function pressable(figure, press) {
  figure.tabIndex = 0;
  figure.setAttribute("role", "button");
  figure.addEventListener("click", press);
  figure.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      press();
    }
  });
}

function render({ model, el }) {
  const root = make("div", "likewise");
  root.tabIndex = 0;
  el.append(root);
  let start = 0;

  function answer(value) {
    const seconds = (performance.now() - start) / 1000;
    model.send({ type: "answer", number: model.get("view").number, value, seconds });
  }

  function buttons(row, pairs) {
    for (const [value, label] of pairs) {
      const button = make("button", "", label);
      button.dataset.value = value;
      button.addEventListener("click", () => answer(value));
      row.append(button);
    }
  }

  function drawGrid(view, items, row) {
    const marked = new Set();
    items.append(tile(view.items[0], "example"));
    for (const shown of view.items.slice(1)) {
      const figure = tile(shown);
      figure.setAttribute("aria-pressed", "false");
      pressable(figure, () => {
        marked.has(shown.item) ? marked.delete(shown.item) : marked.add(shown.item);
        figure.setAttribute("aria-pressed", String(marked.has(shown.item)));
      });
      items.append(figure);
    }
    const done = make("button", "", "Done: the marked do not belong");
    done.dataset.value = "done";
    done.addEventListener("click", () => answer([...marked]));
    row.append(done);
    buttons(row, [["unsure", "Not sure"]]);
  }

  function drawPick(view, items, row) {
    items.append(tile(view.items[0], "example"));
    for (const shown of view.items.slice(1)) {
      const figure = tile(shown);
      pressable(figure, () => answer(shown.item));
      items.append(figure);
    }
    buttons(row, [["none", "None of these"], ["unsure", "Not sure"]]);
  }

  function draw() {
    const view = model.get("view");
    root.replaceChildren();
    root.dataset.kind = view.kind;
    root.append(make("h4", "", view.kind === "none" ? "Nothing is left to ask." : view.words));
    const items = make("div", "items");
    const row = make("div", "buttons");
    if (view.kind === "grid") drawGrid(view, items, row);
    else if (view.kind === "pick") drawPick(view, items, row);
    else if (view.kind !== "none") {
      items.append(...view.items.map((shown) => tile(shown)));
      buttons(row, view.kind === "pair" ? PAIR : TRIPLET);
    }
    const undo = make("button", "undo", "Undo");
    undo.addEventListener("click", () => model.send({ type: "undo" }));
    row.append(undo);
    const said = make("p", "said", `${view.answers} answers. ${model.get("message")}`);
    said.setAttribute("role", "status");
    root.append(items, row, said);
    start = performance.now();
  }

  root.addEventListener("keydown", (event) => {
    const { kind } = model.get("view");
    const offered = kind === "pair" ? PAIR : kind === "triplet" ? TRIPLET : [];
    const value = KEYS[event.key];
    if (event.repeat || !offered.some(([each]) => each === value)) return;
    event.preventDefault();
    event.stopPropagation(); // the notebook has keys of its own
    answer(value);
  });
  const redraw = () => {
    const focused = root.contains(document.activeElement);
    draw();
    if (focused) root.focus();
  };
  model.on("change:view", redraw);
  model.on("change:message", redraw);
  draw();
  return () => {
    model.off("change:view", redraw);
    model.off("change:message", redraw);
  };
}

export default { render };
