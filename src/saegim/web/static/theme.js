// Before the first paint: the theme that was chosen, if any.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem("saegim-theme");
  } catch {
    return;
  }
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
})();
