// What is smoother on the pages of the instruments with a script. Every page works without it.
(() => {
  "use strict";

  // A file that is dropped on a field of text fills it in; a zip archive is chosen, wherever on its form it is dropped.
  const LIMIT_BYTES = 32 * 1024 * 1024;
  const field = (event) => event.target.closest?.("textarea[data-drop]");
  const chooser = (event) => {
    const form = event.target.closest?.("form[data-drop-into]");
    const own = form && document.getElementById(form.dataset.dropInto);
    // A chooser takes by itself what is dropped on it.
    return own === event.target ? null : own;
  };
  const holds = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  document.addEventListener("dragover", (event) => {
    if (!holds(event) || !(field(event) || chooser(event))) return;
    event.preventDefault();
    field(event)?.classList.add("over");
  });
  document.addEventListener("dragleave", (event) => field(event)?.classList.remove("over"));
  document.addEventListener("drop", async (event) => {
    const [into, archive] = [field(event), chooser(event)];
    if (!holds(event) || !(into || archive)) return;
    event.preventDefault();
    into?.classList.remove("over");
    const file = event.dataTransfer.files[0];
    if (!file) return;
    if (archive && (!into || /\.zip$/i.test(file.name))) {
      archive.files = event.dataTransfer.files;
      archive.focus();
      return;
    }
    if (file.size > LIMIT_BYTES) {
      into.setCustomValidity(`${file.name} is larger than ${LIMIT_BYTES / 1024 / 1024} MiB`);
      into.reportValidity();
      into.addEventListener("input", () => into.setCustomValidity(""), { once: true });
      return;
    }
    into.value = await file.text();
    into.dispatchEvent(new Event("input", { bubbles: true }));
  });
})();
