// The quote builder: rows are saved as they are typed, with a spreadsheet's keys and
// paste. Without this file the page is one plain form with a Save button.
const FIELDS = ["mpn", "description", "quantity", "unit_cost", "margin_percent",
  "unit_price", "lead_weeks_min", "lead_weeks_max"];
const builder = document.querySelector("[data-builder]");
// What was typed in each row since it was last saved, in the order of typing.
const unsaved = new Map();
const timers = new Map();
let waiting = null;

const rowOf = element => element.closest?.("tr[hx-post]");
const key = row => row.id.slice("line-".length);
const cell = (row, field) => row.querySelector(`[name="${key(row)}-${field}"]`);
const fieldOf = input => input.name.slice(input.name.indexOf("-") + 1);
const say = words => {
  const live = document.getElementById("live");
  if (live) live.textContent = words;
};

// --- Saving

function mark(input) {
  const row = rowOf(input), names = unsaved.get(row) ?? new Set();
  names.delete(fieldOf(input));
  names.add(fieldOf(input));
  unsaved.set(row, names);
  let list = cell(row, "changed");
  if (!list) {
    list = Object.assign(document.createElement("input"), { type: "hidden", name: `${key(row)}-changed` });
    row.lastElementChild.append(list);
  }
  list.value = [...names].join();
}

function forget(row, field) {
  const names = unsaved.get(row);
  names?.delete(field);
  if (names && !names.size) unsaved.delete(row);
  const list = cell(row, "changed");
  if (list) list.value = [...(names ?? [])].join();
}

function save(row, delay = 0) {
  clearTimeout(timers.get(row));
  timers.set(row, setTimeout(() => row.dispatchEvent(new Event("save-line")), delay));
}

function onInput(event) {
  const input = event.target, row = rowOf(input);
  if (!row || !input.form || input.type === "hidden") return;
  mark(input);
  // Half a number is no mistake yet: only what could stand as it is goes at once.
  if (input.inputMode && !/^[\d,. ]*\d$/.test(input.value)) return;
  save(row, 500);
}

function onChange(event) {
  const row = rowOf(event.target);
  if (row && unsaved.has(row)) save(row);
  const details = event.target.closest("#details");
  details?.dispatchEvent(new Event("save-details"));
}

function onSaved({ target: row, detail }) {
  clearMessages(row);
  for (const [field, text] of Object.entries(detail.typed)) {
    const input = cell(row, field);
    if (input?.value !== text) continue;
    input.defaultValue = text;
    forget(row, field);
  }
  row.dataset.lead = detail.lead;
  const follows = detail.lead === "price" ? "margin_percent" : "unit_price";
  const input = cell(row, follows);
  cell(row, detail.lead === "price" ? "unit_price" : "margin_percent")?.setAttribute("aria-describedby", "leads");
  input?.removeAttribute("aria-describedby");
  if (input && input !== document.activeElement && !unsaved.get(row)?.has(follows)) {
    input.value = input.defaultValue = detail.texts[follows];
  }
  if (waiting && !unsaved.size) {
    const go = waiting;
    waiting = null;
    go();
  }
}

// --- What went wrong

function clearMessages(row) {
  row.querySelectorAll(".errorlist, .conflict").forEach(one => one.remove());
  row.querySelectorAll("[aria-invalid]").forEach(input => {
    input.removeAttribute("aria-invalid");
    input.removeAttribute("aria-describedby");
  });
}

function onRefused({ target: row, detail }) {
  waiting = null;
  clearMessages(row);
  for (const [field, words] of Object.entries(detail.errors)) {
    const input = cell(row, field) ?? cell(row, "description");
    const id = `error-${key(row)}-${field}`;
    const message = Object.assign(document.createElement("small"), { id, className: "errorlist", textContent: words });
    input.setAttribute("aria-invalid", "true");
    input.setAttribute("aria-describedby", id);
    input.after(message);
    say(words);
  }
}

function onConflict({ target: row, detail }) {
  waiting = null;
  clearMessages(row);
  const box = Object.assign(document.createElement("div"), { className: "conflict callout warn" });
  const theirs = FIELDS.filter(field => cell(row, field) && detail.texts[field] !== cell(row, field).value);
  const list = theirs.map(field => `${field.replace("_percent", "").replaceAll("_", " ")}: ${detail.texts[field] || "empty"}`);
  box.append(paragraph(`${detail.message} Theirs: ${list.join("; ") || "the same"}.`));
  box.append(button("Use their version", () => {
    theirs.forEach(field => { cell(row, field).value = cell(row, field).defaultValue = detail.texts[field]; });
    FIELDS.forEach(field => forget(row, field));
    settle(row, detail);
  }), button("Keep mine", () => { settle(row, detail); save(row); }));
  cell(row, "description").after(box);
  say(detail.message);
}

function settle(row, detail) {
  document.getElementById(`version-${key(row)}`).value = detail.version;
  clearMessages(row);
  cell(row, "description").focus();
}

const paragraph = words => Object.assign(document.createElement("p"), { textContent: words });
function button(words, act) {
  const made = Object.assign(document.createElement("button"), { type: "button", className: "btn sm", textContent: words });
  made.addEventListener("click", act);
  return made;
}

// --- Leaving the page waits for what is not saved yet

function hold(event, go) {
  if (!unsaved.size || event.defaultPrevented) return;
  event.preventDefault();
  waiting = go;
  for (const row of unsaved.keys()) save(row);
}

function onSubmit(event) {
  if (event.target.id === "builder") unsaved.clear(); // it carries every row itself
  else hold(event, () => event.target.requestSubmit(event.submitter));
}

function onClick(event) {
  const link = event.target.closest("a[href]");
  if (link && !link.getAttribute("href").startsWith("#") && !event.ctrlKey && !event.metaKey) {
    hold(event, () => location.assign(link.href));
  }
}

// --- Keys and paste

function neighbour(input, step) {
  let row = rowOf(input);
  const rows = [...builder.querySelectorAll("tr[hx-post]")];
  for (let at = rows.indexOf(row) + step; rows[at]; at += step) {
    const found = cell(rows[at], fieldOf(input));
    if (found) return found;
  }
  return null;
}

function onKey(event) {
  const input = event.target;
  if (!rowOf(input) || !input.form) return;
  const isEnter = event.key === "Enter";
  if (isEnter && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    input.blur();
    document.querySelector("[data-add-line]").click();
  } else if (isEnter || (event.altKey && /^Arrow(Up|Down)$/.test(event.key))) {
    event.preventDefault();
    const isUp = isEnter ? event.shiftKey : event.key === "ArrowUp";
    const next = neighbour(input, isUp ? -1 : 1);
    next?.focus();
    next?.select();
  } else if (event.key === "Escape" && input.value !== input.defaultValue) {
    input.value = input.defaultValue;
    forget(rowOf(input), fieldOf(input));
    clearTimeout(timers.get(rowOf(input)));
  }
}

function onPaste(event) {
  const input = event.target, text = event.clipboardData.getData("text/plain").replace(/\r/g, "").replace(/\n+$/, "");
  if (!rowOf(input) || !/[\t\n]/.test(text)) return;
  event.preventDefault();
  const lines = text.split("\n"), from = FIELDS.indexOf(fieldOf(input));
  let start = input, count = 0;
  while (start && lines.length) {
    const row = rowOf(start);
    lines.shift().split("\t").forEach((value, at) => {
      const target = cell(row, FIELDS[from + at]);
      if (!target) return;
      target.value = value.trim();
      mark(target);
      count += 1;
    });
    save(row);
    start = neighbour(start, 1);
  }
  say(`${count} cells pasted.`);
  if (lines.length) pasteMore(lines, FIELDS[from]);
}

// Rows beyond the last line become new lines: the paste form makes them.
function pasteMore(lines, field) {
  const form = document.getElementById("paste");
  form.elements.block.value = lines.join("\n");
  form.elements.start.value = field;
  form.requestSubmit();
}

if (builder) {
  builder.addEventListener("input", onInput);
  builder.addEventListener("change", onChange);
  builder.addEventListener("line-saved", onSaved);
  builder.addEventListener("line-refused", onRefused);
  builder.addEventListener("line-conflict", onConflict);
  builder.addEventListener("keydown", onKey);
  builder.addEventListener("paste", onPaste);
  document.addEventListener("submit", onSubmit);
  document.addEventListener("click", onClick);
  addEventListener("beforeunload", event => { if (unsaved.size) event.preventDefault(); });
  document.querySelectorAll("[data-needs-js]").forEach(one => { one.hidden = false; });
}

// The seconds in which a sending can be taken back.
setInterval(() => {
  const left = document.querySelector("[data-countdown]");
  if (left) left.textContent = Math.max(0, left.textContent - 1);
}, 1000);
