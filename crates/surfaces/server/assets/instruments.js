// What is smoother on the pages of the instruments with a script. Every page works without it.
(() => {
  "use strict";

  // A file that is dropped on a field of text fills it in; one of the form's chooser (an archive, calendars) is chosen, wherever on the form it is dropped.
  const LIMIT_BYTES = 32 * 1024 * 1024;
  const field = (event) => event.target.closest?.("textarea[data-drop]");
  const chooser = (event) => {
    const form = event.target.closest?.("form[data-drop-into]");
    const own = form && document.getElementById(form.dataset.dropInto);
    // A chooser takes by itself what is dropped on it.
    return own === event.target ? null : own;
  };
  const takes = (chooser, file) => chooser.accept.split(",").some((own) => own.startsWith(".") && file.name.toLowerCase().endsWith(own));
  const choose = (chooser, files) => {
    const all = new DataTransfer();
    const more = chooser.multiple ? [...chooser.files, ...files] : files.slice(0, 1);
    for (const file of more) all.items.add(file);
    chooser.files = all.files;
    chooser.focus();
  };
  const holds = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  document.addEventListener("dragover", (event) => {
    if (!holds(event) || !(field(event) || chooser(event))) return;
    event.preventDefault();
    field(event)?.classList.add("over");
  });
  document.addEventListener("dragleave", (event) => field(event)?.classList.remove("over"));
  document.addEventListener("drop", async (event) => {
    const [into, chosen] = [field(event), chooser(event)];
    if (!holds(event) || !(into || chosen)) return;
    event.preventDefault();
    into?.classList.remove("over");
    const files = [...event.dataTransfer.files];
    const taken = chosen ? files.filter((file) => !into || takes(chosen, file)) : [];
    if (taken.length > 0) choose(chosen, taken);
    const file = files.find((own) => !taken.includes(own));
    if (!into || !file) return;
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
