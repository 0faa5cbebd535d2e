import type { Monitor, SeriesDocument } from "@longbox/collection/api";
import { confirm, icon, menuButton, type MenuItem } from "@longbox/sdk/ui";
import { html } from "lit";
import type { Shell } from "../../shell/shell.js";

/** The choices of monitoring, in the words of the library's type. */
const monitorsOf = ({ unit: { one, other } }: SeriesDocument) =>
  [
    { id: "all", label: `Get every ${one}`, says: "Monitored" },
    { id: "new", label: `Get new ${other} only`, says: `New ${other}` },
    { id: "none", label: "Get nothing automatically", says: "Not monitored" },
  ] as const satisfies readonly { readonly id: Monitor; readonly label: string; readonly says: string }[];

export interface SeriesKeepingParts {
  readonly shell: () => Shell;
  /** Runs an action of the user and shows a message when it fails. @returns whether it succeeded */
  readonly attempt: (work: () => Promise<unknown>, done?: string) => Promise<boolean>;
  /** Called after each action. */
  readonly changed: () => void;
}

/** What users do with a series as a whole: follow, monitor, scan, restrict and remove it. */
export class SeriesKeeping {
  constructor(private readonly parts: SeriesKeepingParts) {}

  monitorMenu(series: SeriesDocument) {
    const monitors = monitorsOf(series);
    const says = monitors.find(({ id }) => id === series.monitor)?.says ?? "Monitor";
    const items = monitors.map(({ id, label }) => ({
      label,
      isChecked: id === series.monitor,
      run: () => this.#send(series, "monitor", { body: { monitor: id } }),
    }));
    return menuButton(html`${says}${icon("down")}`, () => ({ label: "Monitoring", items }), { icon: "eye" });
  }

  items(series: SeriesDocument): readonly MenuItem[] {
    return [
      {
        label: "Scan its folder",
        icon: "scan",
        run: () => this.#send(series, "scan", { done: "The folder is being read." }),
      },
      {
        label: series.restricted ? "Lift the restriction" : "Restrict",
        icon: "lock",
        run: () => this.#send(series, "restricted", { body: { restricted: !series.restricted } }),
      },
      { label: "Remove from the library", icon: "trash", isDangerous: true, run: () => this.#remove(series) },
    ];
  }

  follow(series: SeriesDocument): Promise<void> {
    return this.#send(series, "follow", { body: { follow: !series.followed } });
  }

  async #send(
    { id }: SeriesDocument,
    action: string,
    { body, done }: { readonly body?: unknown; readonly done?: string },
  ): Promise<void> {
    const { shell, attempt, changed } = this.parts;
    const options = { method: "POST", ...(body !== undefined && { body }) };
    await attempt(() => shell().api(`/api/collection/${id}/${action}`, options), done);
    changed();
  }

  async #remove({ id, title }: SeriesDocument): Promise<void> {
    const { shell, attempt } = this.parts;
    const sure = await confirm({
      heading: `Remove ${title}?`,
      text: "Longbox removes the series and its data. The files on disk are not changed.",
      action: "Remove",
      isDangerous: true,
    });
    if (!sure) return;
    const gone = await attempt(
      () => shell().api(`/api/collection/${id}/delete`, { method: "POST" }),
      `${title} was removed.`,
    );
    if (gone) shell().back("/library");
  }
}
