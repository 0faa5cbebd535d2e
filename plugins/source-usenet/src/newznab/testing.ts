import type { SearchControl, TestOutcome } from "@longbox/downloads/contract";
import { isLongboxError } from "@longbox/sdk";
import { isWebAddress } from "../settings.js";
import type { Asking } from "./asking.js";
import { categoriesFor } from "./categories.js";
import { Searching } from "./searching.js";

/** Whether an indexer answers and takes the key: capabilities need none, so a search is made as well. */
export async function testIndexer(asking: Asking, control: SearchControl): Promise<TestOutcome> {
  const { url, apiKey, categories } = asking.entry;
  if (!isWebAddress(url)) return { ok: false, message: "The address must begin with http:// or https://." };
  try {
    const { title, version, categories: offered } = await new Searching(asking).capabilities(control);
    const cat = categoriesFor("comic", categories, offered);
    await asking.ask({ t: "search", cat, limit: "1", extended: "1" }, control);
    const missing = offered.length === 0 ? [] : categories.filter((each) => !offered.includes(each));
    const name = title === "" ? "The indexer" : `"${title.slice(0, 100)}"`;
    const hint = missing.length === 0 ? "" : ` It does not name the category ${missing.join(", ")}.`;
    const key = apiKey === "" ? "It answers without an API key." : "It takes the API key.";
    return { ok: true, message: `${name} answers. ${key}${hint}`, ...(version !== "" && { version }) };
  } catch (fault) {
    control.signal.throwIfAborted();
    return { ok: false, message: isLongboxError(fault) ? fault.message : "The indexer cannot be asked." };
  }
}
