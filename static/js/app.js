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

// Theme: a cookie that the server reads, so that nothing flashes. Works as a plain form too.
on("click", (event) => {
  const button = event.target.closest("[data-theme-set]");
  if (!button) return;
  event.preventDefault();
  const theme = button.dataset.themeSet;
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  const age = theme === "auto" ? 0 : 31536000;
  document.cookie = `theme=${theme};path=/;max-age=${age};samesite=lax`;
  for (const each of button.form.querySelectorAll("[data-theme-set]"))
    each.toggleAttribute("aria-pressed", false);
  button.setAttribute("aria-pressed", "true");
  say(`Colours: ${button.textContent.trim()}`);
});

// Steppers, dialogs, copy buttons.
on("click", async (event) => {
  const target = event.target.closest("[data-step],[data-open],[data-close],[data-copy]");
  if (!target) return;
  if (target.dataset.step) {
    const input = one("input", target.closest(".qty"));
    const least = Number(input.dataset.min ?? 1);
    const value = (parseInt(input.value.replace(/\D/g, ""), 10) || 0) + Number(target.dataset.step);
    input.value = Math.max(least, value);
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.dispatchEvent(new Event("change", { bubbles: true }));
  }
  if (target.dataset.open) one(`#${target.dataset.open}`).showModal();
  if ("close" in target.dataset) target.closest("dialog").close();
  if (target.dataset.copy) {
    try {
      await navigator.clipboard.writeText(target.dataset.copy);
      say("Copied");
    } catch {
      say("Copying is not allowed here. Select the text instead.");
    }
  }
});

// A menu closes on Escape and on a click elsewhere.
on("keydown", (event) => {
  if (event.key !== "Escape") return;
  const menu = one(".menu[open]");
  if (menu) {
    menu.open = false;
    one("summary", menu).focus();
  }
});
on("click", (event) => {
  const menu = one(".menu[open]");
  if (menu && !menu.contains(event.target)) menu.open = false;
});

// After a failed post the summary of errors takes the focus.
const focusErrors = () => one("[data-error-summary]")?.focus();
on("DOMContentLoaded", focusErrors);

// htmx: every event name of it stands here and nowhere else.
let busy;
on("htmx:beforeRequest", (event) => {
  const target = event.detail.target;
  clearTimeout(busy);
  busy = setTimeout(() => target.setAttribute("aria-busy", "true"), 200);
});
on("htmx:afterRequest", (event) => {
  clearTimeout(busy);
  event.detail.target?.removeAttribute("aria-busy");
});
on("htmx:afterSwap", focusErrors);
on("htmx:afterSettle", () => {
  const told = one("[data-say]");
  if (told) say(told.dataset.say);
  told?.removeAttribute("data-say");
});
for (const type of ["htmx:responseError", "htmx:timeout"])
  on(type, () => say("We could not save that. Try again."));
on("htmx:sendError", () => say("You are offline. Your changes are not saved."));
