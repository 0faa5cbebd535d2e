import type { IssueRow, SeriesDocument } from "@longbox/collection/api";
import { type BadgedFacts, icon, menuButton, t } from "@longbox/sdk/ui";
import { html, type TemplateResult } from "lit";
import { addressWith, readings } from "../../shell/library-choices.js";
import type { Shell } from "../../shell/shell.js";

export type View = "grid" | "list";
type Show = "all" | "owned" | "missing";
interface Choice<Id extends string> {
  readonly id: Id;
  readonly label: string;
}

const views = [
  { id: "grid", label: t("filters.asCovers") },
  { id: "list", label: t("filters.list") },
] as const satisfies readonly Choice<View>[];
const shows = [
  { id: "all", label: t("filters.all") },
  { id: "owned", label: t("filters.owned") },
  { id: "missing", label: t("filters.missing") },
] as const satisfies readonly Choice<Show>[];

/** Which issues of a series are shown, and how. The address of the page contains the choices. */
export class SeriesFilters {
  /** @param readingOf - how far the user has read an issue; undefined when no plugin says so */
  constructor(
    private readonly shell: () => Shell,
    private readonly readingOf: (issue: IssueRow) => unknown,
  ) {}

  get view(): View {
    return this.#choiceOf("view", views);
  }

  fits(issue: IssueRow): boolean {
    const show = this.#choiceOf("show", shows);
    const reading = this.#choiceOf("reading", readings);
    return (
      (show === "all" || issue.owned === (show === "owned")) && (reading === "any" || this.readingOf(issue) === reading)
    );
  }

  /** Whether a plugin says what was read; of the series it says so earlier than of its issues. */
  hasReading({ issues: [first] }: SeriesDocument, { readOf }: BadgedFacts["facts"]): boolean {
    return first !== undefined && (readOf !== undefined || this.readingOf(first) !== undefined);
  }

  showChoices(): readonly TemplateResult[] {
    const chosen = this.#choiceOf("show", shows);
    return shows.map(
      ({ id, label }) =>
        html`<button aria-pressed=${chosen === id} @click=${() => this.#choose("show", id, shows)}>${label}</button>`,
    );
  }

  viewChoices(): readonly TemplateResult[] {
    const { view } = this;
    return views.map(
      ({ id, label }) =>
        html`<button
          class="round"
          aria-pressed=${view === id}
          aria-label=${label}
          title=${label}
          @click=${() => this.#choose("view", id, views)}
        >
          ${icon(id)}
        </button>`,
    );
  }

  readingMenu() {
    const chosen = this.#choiceOf("reading", readings);
    const items = readings.map(({ id, label }) => ({
      label,
      isChecked: id === chosen,
      run: () => this.#choose("reading", id, readings),
    }));
    const label = readings.find(({ id }) => id === chosen)?.label;
    return menuButton(html`${label}${icon("down")}`, () => ({ label: t("filters.reading"), items }), { icon: "book" });
  }

  clear(): void {
    this.#change({ show: "", reading: "" });
  }

  #choiceOf<Id extends string>(name: string, choices: readonly [Choice<Id>, ...Choice<Id>[]]): Id {
    const given = this.shell().router.match.value.url.searchParams.get(name);
    return (choices.find(({ id }) => id === given) ?? choices[0]).id;
  }

  /** The first choice is the default and left out of the address. */
  #choose<Id extends string>(name: string, id: Id, choices: readonly Choice<Id>[]): void {
    this.#change({ [name]: id === choices[0]?.id ? "" : id });
  }

  #change(parameters: Readonly<Record<string, string>>): void {
    const shell = this.shell();
    shell.navigate(addressWith(shell.router.match.value.url, parameters), { replace: true });
  }
}
