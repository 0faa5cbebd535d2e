// A theme chosen by hand wins over the system's. Kept in this browser only.
try {
  const chosen = localStorage.getItem("longbox.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Storage is switched off: the system's theme it is.
}
