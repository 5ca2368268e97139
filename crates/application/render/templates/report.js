(() => {
  'use strict';
  const bar = document.getElementById('filters');
  addEventListener('beforeprint', () => { for (const d of document.querySelectorAll('details')) d.open = true; });
  const reveal = () => {
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    if (!target) return;
    for (let e = target; e; e = e.parentElement) if (e.tagName === 'DETAILS') e.open = true;
    const own = target.querySelector(':scope > details');
    if (own) own.open = true;
    target.scrollIntoView();
  };
  addEventListener('hashchange', reveal);
  reveal();
  if (!bar) return;
  const cards = [...document.querySelectorAll('.card')];
  const selects = [...bar.querySelectorAll('select')];
  const more = document.getElementById('more');
  const shown = document.getElementById('shown');
  const apply = () => {
    let count = 0;
    for (const card of cards) {
      const visible = selects.every((s) => !s.value || card.dataset[s.dataset.by] === s.value);
      card.hidden = !visible;
      if (visible) count += 1;
    }
    if (more && selects.some((s) => s.value)) more.open = true;
    shown.textContent = `${count} of ${cards.length} shown`;
  };
  for (const s of selects) s.addEventListener('change', apply);
  document.getElementById('reset').addEventListener('click', () => { for (const s of selects) s.value = ''; apply(); });
  bar.hidden = false;
  apply();
})();
