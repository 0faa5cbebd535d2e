import { language } from "@longbox/sdk/ui";
import type { Api } from "./api.js";

/** The languages that the interface is translated into, by their names in themselves. */
export const languages: ReadonlyArray<readonly [tag: string, name: string]> = [
  ["en", "English"],
  ["de", "Deutsch"],
  ["ar", "العربية"],
];

const key = "longbox.language";
/** Whom the server knows to read in which language. */
const toldKey = "longbox.language-told";
/** Whose choice this browser knows: another user of it may have chosen another language. */
const userKey = "longbox.language-of";

interface ChosenLanguage {
  /** Null for that of the browser. */
  readonly language: string | null;
}

/**
 * The language of the interface: that of the account, else of the browser. `theme.js` sets it on the document before
 * any module is loaded, from what this browser remembers; a change takes effect when the document is loaded again.
 */
export class LanguageChoice {
  constructor(
    private readonly api: Api,
    private readonly reload: () => void = () => location.reload(),
  ) {}

  /** What was chosen in this browser; null for that of the browser itself. */
  get chosen(): string | null {
    return canRemember() ? localStorage.getItem(key) : null;
  }

  /** Stores the choice with the account. @throws {ApiFailure} */
  async choose(chosen: string | null, userId: number): Promise<void> {
    await this.api.call("/api/language", { method: "POST", body: { language: chosen } });
    this.#remember(chosen, userId);
    this.reload();
  }

  /**
   * Tells the server, once in this browser, in which language the user reads where none was chosen: mails are in it.
   */
  async tell(userId: number): Promise<void> {
    const told = `${userId} ${language}`;
    if (!canRemember() || this.chosen !== null || localStorage.getItem(toldKey) === told) return;
    await this.api.call("/api/language", { method: "POST", body: { shown: language } });
    localStorage.setItem(toldKey, told);
  }

  /** Takes over what the account has chosen elsewhere, once for each user of this browser. */
  async follow(userId: number): Promise<void> {
    if (!canRemember() || localStorage.getItem(userKey) === String(userId)) return;
    const { language: chosen } = await this.api.call<ChosenLanguage>("/api/language");
    const before = this.chosen;
    this.#remember(chosen, userId);
    if (chosen !== before && chosen !== language && (chosen !== null || before !== null)) this.reload();
  }

  #remember(chosen: string | null, userId: number): void {
    if (!canRemember()) return;
    if (chosen === null) localStorage.removeItem(key);
    else localStorage.setItem(key, chosen);
    localStorage.setItem(userKey, String(userId));
    localStorage.removeItem(toldKey);
  }
}

/** Where storage is switched off, the language is that of the browser. */
function canRemember(): boolean {
  try {
    localStorage.setItem(`${key}-try`, "");
    localStorage.removeItem(`${key}-try`);
    return true;
  } catch {
    return false;
  }
}
