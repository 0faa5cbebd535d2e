import { Observable } from "./observable.js";

export type Theme = "system" | "light" | "dark" | "black";
const key = "longbox.theme";

/**
 * The light, dark or black theme, or that of the system. Stored in this browser; `theme.js` applies it before the first
 * paint.
 */
export class ThemeChoice {
  readonly choice = new Observable<Theme>(chosen());

  set(theme: Theme): void {
    if (theme === "system") {
      delete document.documentElement.dataset.theme;
      keep(undefined);
    } else {
      document.documentElement.dataset.theme = theme;
      keep(theme);
    }
    this.choice.set(theme);
  }
}

function chosen(): Theme {
  const theme = document.documentElement.dataset.theme;
  return theme === "light" || theme === "dark" || theme === "black" ? theme : "system";
}

/** A browser without storage keeps the choice until the tab is closed. */
function keep(theme: string | undefined): void {
  try {
    if (theme === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, theme);
  } catch (thrown) {
    console.warn("The theme cannot be saved: this browser has no storage.", thrown);
  }
}
