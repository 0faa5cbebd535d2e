import { existsSync } from "node:fs";
import { isLongboxError, systemViewer } from "@longbox/sdk";
import type { CollectionContract, Issue, Series } from "@longbox/collection/contract";
import type { FileNames, FilesImporting, ImportedFile } from "@longbox/files/contract";
import { GivenUp, ReleaseUnusable, TryLater } from "../errors.js";
import type { HistoryRecords } from "../keeping/history-records.js";
import { namesOf } from "../keeping/named-rows.js";
import type { Item } from "../queue/item-records.js";
import { readArrived, type Arrived } from "./arrived-files.js";
import { chooseFile, sortPack } from "./choosing-files.js";

export interface ArrivingParts {
  readonly library: CollectionContract;
  readonly importing: FilesImporting;
  readonly names: FileNames;
  readonly history: HistoryRecords;
}

/** Brings what arrived into the library. Safe to repeat: each file has a key, and is placed and recorded once. */
export class Arriving {
  constructor(private readonly parts: ArrivingParts) {}

  /**
   * @returns what stands in the item afterwards; empty where there is nothing to say
   * @throws {ReleaseUnusable} it is not what was wanted @throws {TryLater} @throws {GivenUp}
   */
  async import(item: Item): Promise<string> {
    const series = await this.parts.library.findSeries(item.series_id, systemViewer);
    if (!series) throw new GivenUp("The series is no longer in the library.");
    if (this.#isPlaced(item)) return this.#recordPlaced(item);
    const arrived = await readArrived(item.path!);
    return item.kind === "pack" ? this.#importPack(item, series, arrived) : this.#importIssue(item, series, arrived);
  }

  /** Our own file is gone from where it was downloaded to: a stop cut off what comes after its placing. */
  #isPlaced({ kind, client_id, path }: Item): boolean {
    return kind === "issue" && client_id === null && !existsSync(path!);
  }

  /** The key answers what was placed under it. */
  async #recordPlaced(item: Item): Promise<string> {
    const [issue] = await this.parts.library.findIssues([item.issue_id!], systemViewer);
    if (!issue) throw new GivenUp("It is no longer in the library.");
    await this.#place(item, { path: item.path!, issue, key: `downloads ${item.grab_key}`, mode: "move" });
    return "";
  }

  async #importIssue(item: Item, series: Series, arrived: Arrived): Promise<string> {
    const [issue] = await this.parts.library.findIssues([item.issue_id!], systemViewer);
    if (!issue) throw new GivenUp("It is no longer in the library.");
    const path = await chooseFile(arrived, { series, issue }, this.parts.names);
    await this.#place(item, { path, issue, key: `downloads ${item.grab_key}`, mode: this.#modeOf(item) });
    return "";
  }

  async #importPack(item: Item, series: Series, arrived: Arrived): Promise<string> {
    const issues = await this.parts.library.listIssues(series.id, systemViewer);
    const { placed, rest } = await sortPack(arrived, { series, issues }, this.parts.names);
    const left = rest.map(({ path }) => path);
    let done = 0;
    for (const { file, issue } of placed)
      try {
        const key = `downloads ${item.grab_key} ${issue.id}`;
        // Files of packs stay where they are until all are placed: what is left goes to a person.
        await this.#place(item, { path: file.path, issue, key, mode: "link" });
        done += 1;
      } catch (fault) {
        if (!(fault instanceof ReleaseUnusable)) throw fault;
        left.push(file.path);
      }
    const already = await this.#countPlaced(item);
    if (done === 0 && already === 0 && left.length === 0)
      throw new ReleaseUnusable("The pack holds nothing that can be read.");
    if (left.length > 0) await this.#review(left, item);
    return left.length === 0 ? "" : `${left.length} of its files wait in the review of imports.`;
  }

  /** After a restart the issues that were placed before are owned, and are not placed again. */
  async #countPlaced(item: Item): Promise<number> {
    return this.parts.history.countOf(`${item.grab_key} `);
  }

  async #place(
    item: Item,
    file: { readonly path: string; readonly issue: Issue; readonly key: string; readonly mode: "move" | "link" },
  ): Promise<void> {
    const { issue } = file;
    const placed = await this.parts.importing
      .place(
        {
          path: file.path,
          key: file.key,
          issueId: issue.id,
          mode: file.mode,
          agrees: true,
          ...(item.replaces === 1 && { replaces: "always" }),
        },
        systemViewer,
      )
      .catch((fault: unknown) => refusedBy(fault));
    await this.#record(item, issue, placed);
  }

  async #record(item: Item, issue: Issue, { path }: ImportedFile): Promise<void> {
    await this.parts.history.add(namesOf(issue), {
      key: `${item.grab_key} ${issue.id}`,
      outcome: "imported",
      release: item.release_title ?? "",
      source: item.source_name ?? "",
      path,
    });
  }

  async #review(paths: readonly string[], item: Item): Promise<void> {
    const reason = `It came with the pack ${item.release_title ?? ""}`.slice(0, 450);
    await this.parts.importing.review(paths, `${reason}, and it is not certain what it is.`, systemViewer);
  }

  /** What a client shares stays with it; what this server downloaded itself has no other use. */
  #modeOf({ client_id }: Item): "move" | "link" {
    return client_id === null ? "move" : "link";
  }
}

const unusable = new Set(["files/not-readable", "files/wrong-format", "files/other-issue", "files/not-better"]);
const passing = new Set(["files/not-placed", "files/changed-meanwhile"]);

/** What a refusal of the importer says of the release. */
function refusedBy(fault: unknown): never {
  if (!isLongboxError(fault)) throw fault;
  if (unusable.has(fault.code)) throw new ReleaseUnusable(fault.message, fault);
  if (passing.has(fault.code) || fault.kind === "unavailable" || fault.kind === "storage-full")
    throw new TryLater(fault.message, { afterMs: 5_000, cause: fault });
  throw new GivenUp(fault.message, fault);
}
