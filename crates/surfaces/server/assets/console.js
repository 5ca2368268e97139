// What is smoother with a script. Every page works without it.
(() => {
  "use strict";
  const root = document.documentElement;
  root.classList.add("js");

  // A form that deletes asks first; without a script its page does.
  document.addEventListener("submit", (event) => {
    const question = event.target.dataset?.confirm;
    if (question && !window.confirm(question)) event.preventDefault();
  });

  // A form is sent once: what takes long says so.
  document.addEventListener("submit", (event) => {
    if (event.defaultPrevented) return;
    const button = event.submitter;
    if (!button || !event.target.matches("[data-once]")) return;
    const words = button.textContent;
    button.setAttribute("aria-busy", "true");
    window.setTimeout(() => { button.disabled = true; button.textContent = button.dataset.busy || words; }, 0);
    window.addEventListener("pageshow", () => {
      button.disabled = false;
      button.removeAttribute("aria-busy");
      button.textContent = words;
    }, { once: true });
  });

  // A select of a form of filters applies at once.
  document.addEventListener("change", (event) => {
    const form = event.target.closest?.("form[data-apply]");
    if (form && event.target.matches("select")) form.requestSubmit();
  });

  // "/" goes to the search box.
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || typing) return;
    const box = document.getElementById("search");
    if (box) { event.preventDefault(); box.focus(); }
  });

  // Moments are told in the zone of whoever looks; the page has them in UTC.
  const moments = (within) => {
    for (const time of within.querySelectorAll("time[datetime]:not([title])")) {
      const moment = new Date(time.dateTime);
      if (!Number.isNaN(moment.valueOf())) time.title = moment.toLocaleString();
    }
  };

  // Where two texts stand side by side, each is scrolled to its words; the page itself stays where it is.
  const beside = (within) => {
    for (const box of within.querySelectorAll(".text-of")) {
      const own = box.querySelector("mark.own");
      if (own) box.scrollTop += own.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 3;
    }
  };
  const made = () => { moments(document); beside(document); };
  made();
  document.addEventListener("htmx:after:swap", made);

  // A menu closes with Escape, and when something else is clicked.
  document.addEventListener("keydown", (event) => {
    const menu = event.key === "Escape" && document.querySelector("details.menu[open]");
    if (menu) { menu.open = false; menu.querySelector("summary").focus(); }
  });
  document.addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
  });

  // On paper everything stands open.
  window.addEventListener("beforeprint", () => { for (const own of document.querySelectorAll("details")) own.open = true; });

  // What an address names is shown, also where it lies folded.
  const reveal = () => {
    const target = document.querySelector(":target");
    if (!target) return;
    let folded = false;
    for (let own = target; own; own = own.parentElement) {
      if (own.tagName === "DETAILS" && !own.open) { own.open = true; folded = true; }
    }
    if (folded) target.scrollIntoView();
  };
  window.addEventListener("hashchange", reveal);
  reveal();

  // Copies what a block of code says.
  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("button[data-copy]");
    if (!button) return;
    const from = document.getElementById(button.dataset.copy);
    if (!from || !navigator.clipboard) return;
    try {
      await navigator.clipboard.writeText(from.textContent);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not copied";
    }
    window.setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
})();
