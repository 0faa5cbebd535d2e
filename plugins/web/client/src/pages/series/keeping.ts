import type { Monitor, SeriesDocument } from "@longbox/collection/api";
import { confirm, icon, menuButton, type MenuItem, t } from "@longbox/sdk/ui";
import { html } from "lit";
import type { Shell } from "../../shell/shell.js";

/** The choices of monitoring, in the words of the library's type. */
const monitorsOf = ({ one, other }: SeriesDocument["unit"]) =>
  [
    { id: "all", label: t("keeping.getEvery", { one }), says: t("keeping.monitored") },
    { id: "new", label: t("keeping.getNewOnly", { other }), says: t("keeping.new", { other }) },
    { id: "none", label: t("keeping.getNothingAutomatically"), says: t("keeping.notMonitored") },
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
    const monitors = monitorsOf(this.#unit(series));
    const says = monitors.find(({ id }) => id === series.monitor)?.says ?? t("keeping.monitor");
    const items = monitors.map(({ id, label }) => ({
      label,
      isChecked: id === series.monitor,
      run: () => this.#send(series, "monitor", { body: { monitor: id } }),
    }));
    return menuButton(html`${says}${icon("down")}`, () => ({ label: t("keeping.monitoring"), items }), { icon: "eye" });
  }

  items(series: SeriesDocument): readonly MenuItem[] {
    return [
      {
        label: t("keeping.scanItsFolder"),
        icon: "scan",
        run: () => this.#send(series, "scan", { done: t("keeping.theFolderIsBeing") }),
      },
      {
        label: series.restricted ? t("keeping.liftTheRestriction") : t("keeping.restrict"),
        icon: "lock",
        run: () => this.#send(series, "restricted", { body: { restricted: !series.restricted } }),
      },
      { label: t("keeping.removeFromTheLibrary"), icon: "trash", isDangerous: true, run: () => this.#remove(series) },
    ];
  }

  #unit({ unit }: SeriesDocument): SeriesDocument["unit"] {
    const { texts } = this.parts.shell();
    return { one: texts.said(unit.one), other: texts.said(unit.other) };
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
      heading: t("keeping.remove", { title }),
      text: t("keeping.longboxRemovesTheSeries"),
      action: t("keeping.remove2"),
      isDangerous: true,
    });
    if (!sure) return;
    const gone = await attempt(
      () => shell().api(`/api/collection/${id}/delete`, { method: "POST" }),
      t("keeping.wasRemoved", { title }),
    );
    if (gone) shell().back("/library");
  }
}
