// The configurator: show only the choices that the chosen system and network have.
const form = document.getElementById("inputs");

const fits = (node) => {
  const { system, fabric } = form.elements;
  const here = [system.value, `${system.value}/${fabric.value}`];
  return !node.dataset.for || node.dataset.for.split(" ").some((name) => here.includes(name));
};

function show(selector) {
  for (const node of form.querySelectorAll(selector)) {
    node.hidden = !fits(node);
    if (node.matches("option")) node.disabled = node.hidden;
    for (const radio of node.querySelectorAll("[type=radio]")) radio.disabled = node.hidden;
  }
}

// A choice that has gone gives way to the first that is left.
function settle(name) {
  const choices = [...form.querySelectorAll(`[name=${name}]`)];
  const open = choices.filter((radio) => !radio.disabled);
  if (open.length && !open.some((radio) => radio.checked)) open[0].checked = true;
}
function settleList(name, isAnother) {
  const list = form.elements[name];
  if (isAnother || list.selectedOptions[0]?.disabled)
    list.value = [...list.options].find((option) => !option.disabled).value;
}

function fit(event) {
  if (!["system", "fabric"].includes(event.target.name)) return;
  const isAnother = event.target.name === "system";
  show("label[data-for]:has([name=fabric])");
  settle("fabric");
  show("[data-for]:not(:has([name=fabric]))");
  settle("design");
  for (const group of form.querySelectorAll("[data-with-shown]"))
    group.hidden = !group.querySelector("label:not([hidden])");
  settleList("storage_tier", isAnother);
  settleList("optics", isAnother);
  const [count, unit] = form.elements.system.selectedOptions[0].dataset.start.split(" ");
  const { size, unit: units } = form.elements;
  // A size in the same unit goes over to the other system; else begin with its own.
  if (isAnother && (units.value !== unit || size.dataset.typed === undefined)) {
    size.value = Number(count).toLocaleString("en");
    units.value = unit;
  }
}

// An answer that takes over two seconds says what is being worked out. It brings its own
// words; where it brings none, those of the design that is still shown are put back.
const status = document.getElementById("status");
let slow;
let standing = "";
let working = "";
form?.addEventListener("htmx:beforeRequest", () => {
  clearTimeout(slow);
  slow = setTimeout(() => {
    const { size, unit } = form.elements;
    standing = status.textContent;
    working = `Working out ${size.value} ${unit.selectedOptions[0].text}`;
    status.textContent = working;
  }, 2000);
});
form?.addEventListener("htmx:afterRequest", () => {
  clearTimeout(slow);
  if (working && status.textContent === working) status.textContent = standing;
});

// Before htmx reads the form: the capture phase comes first.
form?.addEventListener("change", fit, true);
form?.addEventListener("input", (event) => {
  if (event.target.name === "size") event.target.dataset.typed = "";
});
