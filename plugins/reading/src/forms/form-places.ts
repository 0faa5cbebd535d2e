import type { CollectionContract, Issue, WorksContract } from "@longbox/collection/contract";
import type { Contributions, Viewer } from "@longbox/sdk";
import type { Chapter, ChapterSource, FormPlace, Position, ReadingState } from "../contract.js";
import { pageAt } from "../progress/places.js";
import { getWork } from "../visible-works.js";
import { mapPlace } from "./chapter-mapping.js";

interface FormPlacesParts {
  readonly library: CollectionContract;
  readonly works: WorksContract;
  readonly chapters: Contributions<ChapterSource>;
  readonly find: (viewer: Viewer, issueIds: readonly number[]) => Promise<readonly ReadingState[]>;
}

/** Less of a work is no difference: forms are never divided in quite the same way. */
const noticeable = 0.005;

/** Where a reader is in the other forms of a work, such as its audiobook, and where that is in this one. */
export class FormPlaces {
  constructor(private readonly parts: FormPlacesParts) {}

  /** @throws {NotFound} `reading/no-such-issue` */
  async find(viewer: Viewer, issueId: number): Promise<FormPlace[]> {
    const issue = await getWork(this.parts.library, issueId, viewer);
    const others = await this.parts.library.findIssues(await this.parts.works.findOthers(issue.id, viewer), viewer);
    if (others.length === 0) return [];
    const states = await this.parts.find(viewer, [issue.id, ...others.map(({ id }) => id)]);
    const own = states.find((state) => state.issueId === issue.id);
    const places: FormPlace[] = [];
    for (const other of others) {
      const state = states.find((each) => each.issueId === other.id);
      if (state && !state.completed) places.push(await this.#place({ issue, own }, other, state));
    }
    return places.toSorted((one, other) => other.state.at.localeCompare(one.state.at));
  }

  async #place(
    { issue, own }: { readonly issue: Issue; readonly own: ReadingState | undefined },
    other: Issue,
    state: ReadingState,
  ): Promise<FormPlace> {
    const mapped = mapPlace(state.fraction, await this.#chaptersOf(other), await this.#chaptersOf(issue));
    const isFurther = own?.completed !== true && mapped.fraction > (own?.fraction ?? 0) + noticeable;
    return { ...mapped, issue: other, state, position: positionIn(issue, mapped.fraction), isFurther };
  }

  /** Without chapters the share that was read decides. */
  async #chaptersOf(issue: Issue): Promise<readonly Chapter[]> {
    const source = this.parts.chapters.all().find(({ libraryType }) => libraryType === issue.type);
    const found = (await source?.findChapters(issue.id)) ?? [];
    return found.filter(({ start }) => start >= 0 && start < 1).toSorted((one, other) => one.start - other.start);
  }
}

/** The place in the unit in which the work is measured. */
function positionIn({ seconds, pages }: Issue, fraction: number): Position {
  if (seconds !== undefined && seconds > 0) return { kind: "time", seconds: fraction * seconds, duration: seconds };
  if (pages > 0) return { kind: "page", page: Math.max(0, pageAt(fraction, pages)), pages };
  return { kind: "locator", locator: "", fraction };
}
