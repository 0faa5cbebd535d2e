import type { SearchControl, TestOutcome } from "@longbox/downloads/contract";
import { isLongboxError, type PluginContext, type TaskThread } from "@longbox/sdk";
import { localPath, problemWith } from "./clients/path-map.js";
import { programOf } from "./clients/opening.js";
import type { ParsingTasks } from "./parsing-tasks.js";
import { isUsable, type ClientEntry, type IndexerEntry } from "./settings.js";
import { Asking } from "./torznab/asking.js";

const titles = { qbittorrent: "qBittorrent", transmission: "Transmission" } as const;
const noAddress =
  "This address cannot be asked. It begins with http:// or https://, and has no name and password in it.";

/** Tries entries of the settings as a form has them, with the stored secrets put in. */
export class Testing {
  constructor(
    private readonly context: Pick<PluginContext, "host">,
    private readonly thread: TaskThread<ParsingTasks>,
  ) {}

  /** Asks what the indexer can do, then searches: only a search needs the key. */
  async indexer(entry: IndexerEntry, control: SearchControl): Promise<TestOutcome> {
    if (!isUsable(entry)) return { ok: false, message: noAddress };
    return outcomeOf(control, async () => {
      const asking = new Asking(this.context, this.thread, entry);
      const { title, version, canSearch, categories } = await asking.abilities(control);
      if (!canSearch) return { ok: false, message: "The indexer says that it cannot be searched." };
      const unknown = entry.categories.filter((id) => categories.length > 0 && !categories.includes(id));
      if (unknown.length > 0)
        return { ok: false, message: `The indexer has no category ${unknown.join(", ")}. Correct the categories.` };
      const cat = entry.categories.length > 0 ? { cat: entry.categories.join(",") } : {};
      const items = await asking.items({ ...cat, limit: "5" }, control);
      const name = title === "" ? "The indexer" : `"${title}"`;
      const found = items.length === 0 ? "It lists nothing in these categories now." : "It lists releases.";
      return { ok: true, message: `${name} answers. ${found}`, ...(version !== undefined && { version }) };
    });
  }

  /** Asks the program for its version, and looks whether this server can read what it downloads. */
  async client(entry: ClientEntry, control: SearchControl): Promise<TestOutcome> {
    if (!isUsable(entry)) return { ok: false, message: noAddress };
    return outcomeOf(control, async () => {
      const { version, folder } = await programOf(entry, this.context).describe(control.signal);
      const name = titles[entry.kind];
      const here = localPath(folder, entry.pathMap);
      const problem = await problemWith(here);
      if (problem === undefined)
        return { ok: true, message: `${name} answers, and what it saves in ${here} can be read.`, version };
      const called = here === folder ? "" : `, which is mapped to ${here},`;
      const message = `${name} answers, but its folder ${folder}${called} cannot be read: ${problem}.`;
      return { ok: false, message: `${message} Set or correct a path mapping.`, version };
    });
  }
}

async function outcomeOf({ signal }: SearchControl, test: () => Promise<TestOutcome>): Promise<TestOutcome> {
  try {
    return await test();
  } catch (fault) {
    signal.throwIfAborted();
    if (!isLongboxError(fault)) throw fault;
    return { ok: false, message: fault.message };
  }
}
