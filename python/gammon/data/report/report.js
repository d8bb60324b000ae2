(() => {
  "use strict";
  const form = document.getElementById("filter");
  const list = document.getElementById("errors");
  const told = document.getElementById("told");
  const root = document.documentElement;
  const entries = Array.from(list.querySelectorAll("article"));
  const checked = (name) => new Set(
    Array.from(form.querySelectorAll(`input[name=${name}]:checked`), (box) => box.value));

  const apply = () => {
    const least = Number(form.elements.least.value);
    const game = form.elements.game.value;
    const players = checked("player");
    const kinds = checked("kind");
    let shown = 0;
    for (const entry of entries) {
      const { error, player, kind } = entry.dataset;
      const fits = Number(error) >= least && players.has(player) && kinds.has(kind)
        && (game === "" || entry.dataset.game === game);
      entry.hidden = !fits;
      shown += fits ? 1 : 0;
    }
    told.textContent = `${shown} of ${entries.length} shown`;
  };

  const sort = () => {
    const by = form.elements.sort.value;
    const key = by === "size" ? (entry) => -Number(entry.dataset.error) : (entry) => Number(entry.dataset.order);
    entries.sort((a, b) => key(a) - key(b));
    list.append(...entries);
  };

  const reveal = () => {
    const entry = location.hash ? document.getElementById(location.hash.slice(1)) : null;
    if (!entry) return;
    if (entry.hidden) {
      for (const box of form.querySelectorAll("input[type=checkbox]")) box.checked = true;
      form.elements.game.value = "";
      form.elements.least.selectedIndex = 0;
      apply();
    }
    const folded = entry.closest("details");
    if (folded) folded.open = true;
    entry.scrollIntoView({ block: "center" });
  };

  form.hidden = false;
  form.addEventListener("change", (event) => (event.target.name === "sort" ? sort() : apply()));
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", reveal);
  apply();
  reveal();

  const button = document.getElementById("theme");
  button.hidden = false;
  button.addEventListener("click", () => {
    const dark = root.dataset.theme === "dark"
      || (!root.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
    root.dataset.theme = dark ? "light" : "dark";
    button.setAttribute("aria-pressed", String(!dark));
  });
})();
