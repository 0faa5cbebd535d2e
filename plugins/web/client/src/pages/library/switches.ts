import type { LibraryList } from "@longbox/collection/api";
import { icon, menuButton, type WallSize } from "@longbox/sdk/ui";
import { html, nothing } from "lit";
import { addressWith, readings, sorts, type Choice } from "../../shell/library-choices.js";
import type { Shell } from "../../shell/shell.js";

const sizes = [
  { id: "small", label: "Small covers" },
  { id: "medium", label: "Medium covers" },
  { id: "large", label: "Large covers" },
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

/** The menus that choose the library, the order and the size of covers. The address of the page contains the choices. */
export class LibrarySwitches {
  constructor(private readonly shell: () => Shell) {}

  get chosenSize(): WallSize {
    const given = this.#parameter("size");
    return given === "small" || given === "large" ? given : "medium";
  }

  library(libraries: LibraryList["libraries"]) {
    if (libraries.length < 2) return nothing;
    const chosen = this.#parameter("library") ?? "";
    const name = libraries.find((library) => String(library.id) === chosen)?.name ?? "All libraries";
    const choices = [
      { id: "", label: "All libraries" },
      ...libraries.map((library) => ({ id: String(library.id), label: library.name })),
    ];
    return this.#menu({ label: "Library", drawing: "library", shown: name, choices, chosen, parameter: "library" });
  }

  sort() {
    const chosen = this.#parameter("sort") ?? "title";
    const shown = sorts.find(({ id }) => id === chosen)?.label ?? "Sort";
    return this.#menu({ label: "Sort", drawing: "list", shown, choices: sorts, chosen, parameter: "sort" });
  }

  /** Unread, being read, or read. */
  reading() {
    const chosen = this.#parameter("reading") ?? "any";
    const shown = readings.find(({ id }) => id === chosen)?.label ?? "Read or not";
    const choices = readings.map(({ id, label }) => ({ id: id === "any" ? "" : id, label }));
    return this.#menu({
      label: "Reading",
      drawing: "book",
      shown,
      choices,
      chosen: chosen === "any" ? "" : chosen,
      parameter: "reading",
    });
  }

  size() {
    const chosen = this.chosenSize;
    const items = sizes.map(({ id, label }) => ({
      label,
      isChecked: id === chosen,
      run: () => this.shell().navigate(this.#address({ size: id === "medium" ? "" : id }), { replace: true }),
    }));
    return menuButton(nothing, () => ({ label: "Cover size", items }), {
      style: "round",
      label: "Cover size",
      icon: "grid",
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
