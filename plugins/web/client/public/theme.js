// A theme chosen by hand wins over the system's. Kept in this browser only.
try {
  const chosen = localStorage.getItem("longbox.theme");
  if (["light", "dark", "black"].includes(chosen)) document.documentElement.dataset.theme = chosen;
} catch {
  // Storage is switched off: the system's theme it is.
}

// The language of the account, else of the browser: before any module is loaded, because messages are loaded with the
// modules.
{
  const languages = ["en", "de", "ar", "en-XA"];
  let chosen = null;
  try {
    chosen = localStorage.getItem("longbox.language");
  } catch {
    // Storage is switched off: the browser's language it is.
  }
  const preferred = navigator.languages.map((tag) => tag.split("-")[0]).find((tag) => languages.includes(tag));
  const language = languages.includes(chosen) ? chosen : (preferred ?? "en");
  document.documentElement.lang = language;
  document.documentElement.dir = language === "ar" ? "rtl" : "ltr";
}
