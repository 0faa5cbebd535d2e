import type { LibraryList } from "@longbox/collection/api";
import { icon, menuButton, rule, t, type WallSize } from "@longbox/sdk/ui";
import { html, nothing } from "lit";
import { views, type View } from "./series-line.js";
import { addressWith, readings, sorts, type Choice } from "../../shell/library-choices.js";
import type { Shell } from "../../shell/shell.js";

const sizes = [
  { id: "small", label: t("switches.smallCovers") },
  { id: "medium", label: t("switches.mediumCovers") },
  { id: "large", label: t("switches.largeCovers") },
] as const satisfies readonly { readonly id: WallSize; readonly label: string }[];

interface ChoiceMenu {
  readonly label: string;
  /** The icon. */
  readonly drawing: string;
  /** What the button says. */
  readonly shown: string;
  readonly choices: readonly Choice[];
  readonly chosen: string;
  /** The parameter of the address that holds the choice. */
  readonly parameter: string;
}

/**
 * The menus that choose the library, the order and the size of covers. The address of the page contains the choices.
 */
export class LibrarySwitches {
  constructor(private readonly shell: () => Shell) {}

  /** What was searched for is sorted by how well it fits, unless another order is chosen. */
  get chosenSort(): string {
    return this.#parameter("sort") ?? (this.#parameter("search") === undefined ? "title" : "best");
  }

  get chosenView(): View {
    const given = this.#parameter("view");
    return views.find(({ id }) => id === given)?.id ?? "grid";
  }

  get chosenSize(): WallSize {
    const given = this.#parameter("size");
    return given === "small" || given === "large" ? given : "medium";
  }

  library(libraries: LibraryList["libraries"]) {
    if (libraries.length < 2) return nothing;
    const chosen = this.#parameter("library") ?? "";
    const name = libraries.find((library) => String(library.id) === chosen)?.name ?? t("switches.allLibraries");
    const choices = [
      { id: "", label: t("switches.allLibraries") },
      ...libraries.map((library) => ({ id: String(library.id), label: library.name })),
    ];
    return this.#menu({
      label: t("switches.library"),
      drawing: "library",
      shown: name,
      choices,
      chosen,
      parameter: "library",
    });
  }

  sort() {
    const isSearched = this.#parameter("search") !== undefined;
    const chosen = this.chosenSort;
    const choices = isSearched ? [{ id: "best", label: t("switches.bestMatch") }, ...sorts] : sorts;
    const shown = choices.find(({ id }) => id === chosen)?.label ?? t("switches.sort");
    return this.#menu({ label: t("switches.sort"), drawing: "list", shown, choices, chosen, parameter: "sort" });
  }

  /** Unread, being read, or read. */
  reading() {
    const chosen = this.#parameter("reading") ?? "any";
    const shown = readings.find(({ id }) => id === chosen)?.label ?? t("switches.readOrNot");
    const choices = readings.map(({ id, label }) => ({ id: id === "any" ? "" : id, label }));
    return this.#menu({
      label: t("switches.reading"),
      drawing: "book",
      shown,
      choices,
      chosen: chosen === "any" ? "" : chosen,
      parameter: "reading",
    });
  }

  /** Covers or lines, and how large covers are. */
  view() {
    const chosen = this.chosenView;
    const go = (changes: Record<string, string>) => this.shell().navigate(this.#address(changes), { replace: true });
    const kinds = views.map(({ id, label }) => ({
      label,
      isChecked: id === chosen,
      run: () => go({ view: id === "grid" ? "" : id }),
    }));
    const scales = sizes.map(({ id, label }) => ({
      label,
      isChecked: chosen === "grid" && id === this.chosenSize,
      run: () => go({ view: "", size: id === "medium" ? "" : id }),
    }));
    return menuButton(nothing, () => ({ label: t("switches.view"), items: [...kinds, rule, ...scales] }), {
      style: "round",
      label: t("switches.view"),
      icon: chosen === "grid" ? "grid" : "list",
    });
  }

  #menu({ label, drawing, shown, choices, chosen, parameter }: ChoiceMenu) {
    const items = choices.map((choice) => ({
      label: choice.label,
      isChecked: choice.id === chosen,
      run: () => this.shell().navigate(this.#address({ [parameter]: choice.id }), { replace: true }),
    }));
    return menuButton(html`<span class="shown">${shown}</span>${icon("down")}`, () => ({ label, items }), {
      icon: drawing,
      label: `${label}: ${shown}`,
    });
  }

  #parameter(name: string): string | undefined {
    return this.shell().router.match.value.url.searchParams.get(name) ?? undefined;
  }

  #address(changes: Record<string, string>): string {
    return addressWith(this.shell().router.match.value.url, changes);
  }
}
