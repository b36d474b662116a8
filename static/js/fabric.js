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
function settleList(name) {
  const list = form.elements[name];
  if (!list.selectedOptions[0]?.disabled) return false;
  list.value = [...list.options].find((option) => !option.disabled).value;
  return true;
}

function fit(event) {
  if (!["system", "fabric"].includes(event.target.name)) return;
  show("label[data-for]:has([name=fabric])");
  settle("fabric");
  show("[data-for]:not(:has([name=fabric]))");
  settle("design");
  for (const group of form.querySelectorAll("[data-with-shown]"))
    group.hidden = !group.querySelector("label:not([hidden])");
  ["storage_tier", "optics"].forEach(settleList);
  const start = form.elements.system.selectedOptions[0].dataset.start.split(" ");
  const isOther = event.target.name === "system";
  if (settleList("unit") || (isOther && form.elements.size.dataset.typed === undefined)) {
    form.elements.size.value = Number(start[0]).toLocaleString("en");
    form.elements.unit.value = start[1];
  }
}

// Before htmx reads the form: the capture phase comes first.
form?.addEventListener("change", fit, true);
form?.addEventListener("input", (event) => {
  if (event.target.name === "size") event.target.dataset.typed = "";
});
