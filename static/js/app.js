// Behaviours for every page, delegated from the document: what is swapped in works at once.
const one = (selector, root = document) => root.querySelector(selector);
const on = (type, react, options) => document.addEventListener(type, react, options);

// Say an outcome to screen readers through the page's one live region.
function say(text) {
  const live = one("#live");
  if (!live) return;
  live.textContent = "";
  requestAnimationFrame(() => (live.textContent = text));
}

// A passing word at the bottom for eyes; `act` gives it a button and keeps it there.
let toast, toastTimer;
function tell(text, act) {
  say(text);
  toast?.remove();
  clearTimeout(toastTimer);
  toast = Object.assign(document.createElement("div"), { className: "toast" });
  toast.append(Object.assign(document.createElement("span"), { textContent: text }));
  if (act) {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Try again" });
    button.addEventListener("click", () => {
      hush();
      act();
    });
    toast.append(button);
  } else toastTimer = setTimeout(hush, 4000);
  document.body.append(toast);
}
const hush = () => toast?.remove();

// Theme: a cookie that the server reads, so that nothing flashes. Works as a plain form too.
on("click", (event) => {
  const button = event.target.closest("[data-theme-set]");
  if (!button) return;
  event.preventDefault();
  const theme = button.dataset.themeSet;
  const isAuto = theme === "auto";
  if (isAuto) delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  document.cookie = `theme=${theme};path=/;max-age=${isAuto ? 0 : 31536000};samesite=lax`;
  for (const each of button.form.querySelectorAll("[data-theme-set]"))
    each.setAttribute("aria-pressed", each === button);
  say(`Colours: ${button.textContent.trim()}`);
});

// Steppers, dialogs, copy buttons.
function step(button) {
  const input = one("input", button.closest(".qty"));
  const least = Number(input.dataset.min ?? 1);
  const most = Number(input.dataset.max ?? Infinity);
  const value = (parseInt(input.value.replace(/[^\d.]/g, ""), 10) || 0) + Number(button.dataset.step);
  input.value = Math.min(most, Math.max(least, value));
  for (const type of ["input", "change"]) input.dispatchEvent(new Event(type, { bubbles: true }));
  say(`Quantity ${input.value}`);
}
async function copy(button) {
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
  } catch {
    tell("Copying is not allowed here. Select the text instead.");
    return;
  }
  tell("Copied");
  button.classList.add("done");
  setTimeout(() => button.classList.remove("done"), 2000);
}
on("click", (event) => {
  const target = event.target.closest("[data-step],[data-open],[data-close],[data-copy]");
  if (!target) return;
  if (target.dataset.step) step(target);
  if (target.dataset.open) one(`#${target.dataset.open}`).showModal();
  if ("close" in target.dataset) target.closest("dialog").close();
  if (target.dataset.copy) copy(target);
});

// One box ticks or clears every other box of its form.
on("change", (event) => {
  if (!("tickAll" in event.target.dataset)) return;
  for (const box of event.target.form.querySelectorAll("tbody [type=checkbox]"))
    box.checked = event.target.checked;
});

// A menu closes on Escape, and when a click or the focus goes elsewhere.
on("keydown", (event) => {
  const menu = event.key === "Escape" && one(".menu[open]");
  if (!menu) return;
  menu.open = false;
  one("summary", menu).focus();
});
for (const type of ["click", "focusin"])
  on(type, (event) => {
    for (const menu of document.querySelectorAll(".menu[open]"))
      if (!menu.contains(event.target)) menu.open = false;
  });

// After a failed post the summary of errors takes the focus.
const focusErrors = () => one("[data-error-summary]")?.focus();
on("DOMContentLoaded", focusErrors);

// htmx: its events that every page needs. An answer slower than 200 ms marks its place.
const waits = new Map();
let failed;
on("htmx:beforeRequest", ({ detail }) => {
  const mark = () => detail.target.setAttribute("aria-busy", "true");
  waits.set(detail.xhr, setTimeout(mark, 200));
});
on("htmx:afterRequest", ({ detail }) => {
  clearTimeout(waits.get(detail.xhr));
  waits.delete(detail.xhr);
  detail.target?.removeAttribute("aria-busy");
  if (detail.successful && detail.elt === failed) hush();
});
on("htmx:afterSwap", focusErrors);
on("htmx:afterSettle", () => {
  const told = one("[data-say]");
  if (told) say(told.dataset.say);
  told?.removeAttribute("data-say");
});

// What was typed stays where it is; the button sends it once more.
function offerAgain(text) {
  return ({ detail }) => {
    const { elt, requestConfig } = detail;
    failed = elt;
    const type = requestConfig?.triggeringEvent?.type ?? "submit";
    tell(text, () => {
      if (elt.matches("form")) elt.requestSubmit();
      else elt.dispatchEvent(new Event(type, { bubbles: true, cancelable: true }));
    });
  };
}
on("htmx:responseError", offerAgain("That did not work."));
on("htmx:timeout", offerAgain("That takes too long."));
on("htmx:sendError", offerAgain("You seem to be offline. What you typed is still here."));
