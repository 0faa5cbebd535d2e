import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { reply, type Reply } from "@longbox/sdk";

/** More prefixes than one server has; each is made from its page when it is first asked for. */
const mostPrefixes = 8;

/**
 * The page of the web interface as it is sent below a prefix: its addresses begin with the prefix, and its scripts find
 * the prefix in `data-base`. Everything else that it needs is addressed from there.
 */
export class BasedPage {
  readonly #made = new Map<string, Reply>();

  constructor(
    private readonly file: string,
    private readonly headers: Record<string, string>,
  ) {}

  below(prefix: string): Reply {
    const known = this.#made.get(prefix);
    if (known !== undefined) return known;
    if (this.#made.size >= mostPrefixes) this.#made.clear();
    const text = rebased(readFileSync(this.file, "utf8"), prefix);
    const validator = hash("sha1", text, "base64url");
    const made = reply.text(text, "text/html; charset=utf-8", { validator, headers: this.headers });
    this.#made.set(prefix, made);
    return made;
  }
}

function rebased(page: string, prefix: string): string {
  return page
    .replace(/<html\b/, () => `<html data-base="${prefix}"`)
    .replaceAll(/(\s(?:href|src)=")\/(?!\/)/g, (_, before: string) => `${before}${prefix}/`);
}
