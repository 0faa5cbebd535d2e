import { systemViewer, type Logger, type Releasable } from "@longbox/sdk";
import type { Tool } from "@longbox/operations/contract";
import type { ExternalIds } from "../ids/external-ids.js";
import type { IssueReading } from "../issues/issue-reading.js";
import type { LibraryTypeList } from "../libraries/library-types.js";
import { isSameText, sharedId, type Form } from "./same-work.js";
import type { WorksContract } from "./works-contract.js";

interface LinkingParts {
  readonly works: WorksContract;
  readonly issues: IssueReading;
  readonly ids: ExternalIds;
  readonly types: LibraryTypeList;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

const readAtOnce = 500;

/**
 * Links the e-book and the audiobook of one work by themselves, where there is no doubt. What was unlinked stays so.
 */
export class AutomaticLinking implements Releasable {
  #waiting: number[] = [];
  #working: Promise<void> | undefined;

  constructor(private readonly parts: LinkingParts) {}

  /** Issues that are new, or of which more is known. */
  add(issueIds: readonly number[]): void {
    if (this.#kinds().length < 2) return;
    this.#waiting.push(...issueIds);
    this.#working ??= this.#work().finally(() => (this.#working = undefined));
  }

  async release(): Promise<void> {
    this.#waiting = [];
    await this.#working;
  }

  /** Looks at every work again. @returns how many were linked */
  async linkAll(control: { readonly signal: AbortSignal; progress(done: number): void }): Promise<number> {
    const [type, ...others] = this.#kinds();
    if (type === undefined || others.length === 0) return 0;
    let [done, linked] = [0, 0];
    for (let afterId = 0; ;) {
      const range = { afterId, limit: readAtOnce, type };
      const rows = await this.parts.issues.lists.listAfter(range, systemViewer);
      for (const { id } of rows) {
        control.signal.throwIfAborted();
        if (await this.#link(id)) linked += 1;
        control.progress((done += 1));
      }
      if (rows.length < readAtOnce) return linked;
      afterId = rows.at(-1)!.id;
    }
  }

  /** The types whose works are texts that are known by their titles: only these have other forms. */
  #kinds(): string[] {
    return this.parts.types
      .list()
      .filter(({ words }) => words.named === "by-title" && words.length !== "pages")
      .map(({ id }) => id)
      .toSorted();
  }

  async #work(): Promise<void> {
    const { log, signal } = this.parts;
    while (this.#waiting.length > 0 && !signal.aborted) {
      const id = this.#waiting.shift()!;
      try {
        await this.#link(id);
      } catch (fault) {
        if (!signal.aborted)
          log.error("An item could not be linked with its other forms.", { id, fault: String(fault) });
      }
    }
  }

  async #link(issueId: number): Promise<boolean> {
    const [own] = await this.#forms([issueId]);
    if (!own || !this.#mayHaveForms(own)) return false;
    const { proposed, all } = await this.#around(own);
    const certain: number[] = [];
    for (const other of proposed)
      if (this.#mayHaveForms(other) && (await this.#isCertain(own, other, all))) certain.push(other.issue.id);
    if (certain.length === 0) return false;
    await this.parts.works.link([issueId, ...certain], systemViewer);
    return true;
  }

  #mayHaveForms({ issue }: Form): boolean {
    return issue.owned === 1 && this.#kinds().includes(issue.series_type);
  }

  /** Two recordings of one title are for a person to tell apart, from whichever side they are seen. */
  async #isCertain(own: Form, other: Form, all: readonly Form[]): Promise<boolean> {
    if (sharedId(own, other) !== undefined) return true;
    return isOnlyOne(own, other, all) && isOnlyOne(other, own, (await this.#around(other)).all);
  }

  /** What may be the same work as this, and what is known to be. */
  async #around({ issue: { id } }: Form): Promise<{ proposed: Form[]; all: Form[] }> {
    const ids = (await this.parts.works.propose(id, systemViewer)).map(({ issueId }) => issueId);
    const proposed = await this.#forms(ids);
    return {
      proposed,
      all: [...proposed, ...(await this.#forms(await this.parts.works.findOthers(id, systemViewer)))],
    };
  }

  async #forms(issueIds: readonly number[]): Promise<Form[]> {
    const { issues, ids } = this.parts;
    const rows = await issues.finding.findAll(issueIds, systemViewer);
    const found = rows.map(({ id }) => id);
    const [details, external] = await Promise.all([issues.details.find(found), ids.list("issue", found)]);
    const byId = new Map(details.map((detail) => [detail.issueId, detail]));
    return rows.map((issue) => ({ issue, detail: byId.get(issue.id), ids: external.get(issue.id) ?? {} }));
  }
}

/** Whether it is the same text, and no other of its type may be. */
function isOnlyOne(own: Form, other: Form, all: readonly Form[]): boolean {
  const ofType = all.filter(({ issue }) => issue.series_type === other.issue.series_type);
  return isSameText(own, other) && ofType.filter((each) => isSameText(own, each)).length === 1;
}

export function linkTool(linking: AutomaticLinking): Tool {
  return {
    id: "link-works",
    title: "Link e-books with audiobooks",
    description: "Links the forms of one work that share an id, or title and author",
    touchesFiles: false,
    resumes: true,
    run: async (_, control) => `${await linking.linkAll(control)} linked`,
  };
}
