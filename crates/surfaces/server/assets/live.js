// Follows a trajectory: when a step has its scores, the part of the page that shows it is asked for anew. Without a script a link does so.
(() => {
  "use strict";
  const state = document.getElementById("live-state");
  const pause = document.getElementById("live-pause");
  const part = () => document.getElementById("live");
  if (!state || !pause || !part() || !window.EventSource) return;

  // As often as anybody can read, however fast steps come.
  const EVERY_MS = 1000;
  let source = null;
  let waiting = 0;
  let busy = false;
  let again = false;

  const say = (words) => { if (state.textContent !== words) state.textContent = words; };

  // What stays the same for whoever reads: what is open, and where the keyboard is. Elements are known by what they stand in.
  const path = (own, within) => {
    const home = own.closest("[id]") ?? within;
    return `${home.id} ${own.tagName} ${[...home.querySelectorAll(own.tagName)].indexOf(own)}`;
  };
  const keep = (before, after) => {
    const open = new Set([...before.querySelectorAll("details[open]")].map((own) => path(own, before)));
    for (const own of after.querySelectorAll("details")) if (open.has(path(own, after))) own.open = true;
    const focus = before.contains(document.activeElement) ? path(document.activeElement, before) : "";
    before.replaceWith(after);
    if (focus) [...after.querySelectorAll("a, button, summary, pre")].find((own) => path(own, after) === focus)?.focus({ preventScroll: true });
  };

  const show = async () => {
    if (busy) { again = true; return; }
    busy = true;
    again = false;
    try {
      const answer = await fetch(location.pathname + location.search, { headers: { accept: "text/html" } });
      if (!answer.ok) throw new Error(`status ${answer.status}`);
      const text = new DOMParser().parseFromString(await answer.text(), "text/html");
      const after = text.getElementById("live");
      if (after && part()) keep(part(), document.adoptNode(after));
    } catch {
      say("What is new could not be shown. Refresh the page.");
    }
    busy = false;
    if (again) soon();
  };
  const soon = () => {
    if (waiting) return;
    waiting = window.setTimeout(() => { waiting = 0; show(); }, EVERY_MS);
  };

  const follow = () => {
    source = new EventSource(part().dataset.events);
    source.addEventListener("open", () => say("Following. New steps appear here as they are scored."));
    source.addEventListener("step", soon);
    source.addEventListener("deleted", () => { stop(); say("This trajectory was deleted."); pause.hidden = true; });
    source.addEventListener("error", () => {
      say(source?.readyState === EventSource.CLOSED ? "Not followed. Refresh the page to see what is new." : "The connection was lost; trying again.");
    });
  };
  const stop = () => { source?.close(); source = null; };

  pause.hidden = false;
  pause.addEventListener("click", () => {
    const paused = source !== null;
    if (paused) stop(); else { follow(); soon(); }
    pause.textContent = paused ? "Follow" : "Pause";
    if (paused) say("Paused.");
  });
  window.addEventListener("pagehide", stop);
  window.addEventListener("pageshow", (event) => { if (event.persisted && pause.textContent === "Pause") follow(); });
  follow();
})();
