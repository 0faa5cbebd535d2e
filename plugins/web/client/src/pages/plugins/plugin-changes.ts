// What an administrator does with plugins: switching, installing, upgrading, going back, moving and removing them.
import type { PluginIntroduction, PluginRow } from "@longbox/kernel/api";
import { Action, confirm, Dialog, rule, t } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import type { Page } from "../page.js";
import { questionBeforeGoingBack, waysBack, type WayBack } from "./going-back.js";
import { headingOf, introduction, needsLook } from "./introduction.js";
import { moveOf, questionBefore } from "./isolation.js";
import { canShare, groupOf, sharingForm } from "./sharing.js";
import { stoppingWith, warningBefore } from "./stopping.js";

export interface ChangingParts {
  readonly plugins: () => readonly PluginRow[];
  /** Called after every attempt, successful or not; resolves when `plugins` is up to date. */
  readonly changed: () => Promise<void>;
}

interface Wanted {
  readonly name: string;
  readonly package: string;
}

/** The changes of plugins that a page offers. It is asked for the dialog in which a package is looked at. */
export class PluginChanges {
  readonly #page: Page;
  readonly #parts: ChangingParts;
  readonly #busy = new Set<string>();
  readonly #action: Action;
  readonly #look: Dialog;
  readonly #share: Dialog;
  /** The plugin whose group is chosen, and what was wrong with the choice. */
  #sharing: { readonly plugin: PluginRow; readonly problem?: string } | undefined;
  /** The package that is looked at before it is installed. */
  #looked: PluginIntroduction | undefined;

  constructor(page: Page, parts: ChangingParts) {
    this.#page = page;
    this.#parts = parts;
    this.#action = new Action(page, { notify: true });
    this.#look = new Dialog(page);
    this.#share = new Dialog(page);
  }

  isBusy(name: string): boolean {
    return this.#busy.has(name);
  }

  /** Look as `dialogs`, `fields` and `introductionStyles` say. */
  dialogs(): TemplateResult {
    const heading = this.#sharing && t("sharing.heading", { plugin: this.#sharing.plugin.title });
    return html`${this.#look.render(this.#looked && headingOf(this.#looked), () => this.#introduction())}
    ${this.#share.render(heading, () => this.#sharingForm())}`;
  }

  /** What can be done with a plugin beside switching it. */
  menu(plugin: PluginRow) {
    const back = waysBack(plugin).map((way) => ({
      label: way.label,
      icon: "back",
      run: () => this.#rollBack(plugin, way),
    }));
    const remove = { label: t("plugins.remove"), icon: "trash", isDangerous: true, run: () => this.#remove(plugin) };
    const move = moveOf(plugin, (isolation) => this.#move(plugin, isolation));
    const share = { label: t("sharing.choose"), icon: "lock", run: () => this.#askForGroup({ plugin }) };
    return {
      label: plugin.title,
      items: [...back, move, ...(canShare(plugin) ? [share] : []), rule, remove],
    } as const;
  }

  #askForGroup(sharing: { readonly plugin: PluginRow; readonly problem?: string }): Promise<void> {
    this.#sharing = sharing;
    return this.#share.open();
  }

  #sharingForm(): TemplateResult | typeof nothing {
    const sharing = this.#sharing;
    if (!sharing) return nothing;
    const { plugin, problem } = sharing;
    const choose = (typed: string) => {
      const group = groupOf(typed);
      if (group === undefined) return void this.#askForGroup({ plugin, problem: t("sharing.problem") });
      this.#share.close();
      const request = { method: "PATCH", body: { group } } as const;
      void this.#while(plugin.name, () => this.#page.longbox.api(`/api/plugins/${plugin.name}`, request));
    };
    return sharingForm({ plugin, plugins: this.#parts.plugins(), problem, cancel: () => this.#share.close(), choose });
  }

  async #move(plugin: PluginRow, isolation: "none" | "process"): Promise<void> {
    if (isolation === "none" && !(await confirm(questionBefore(plugin)))) return;
    const request = { method: "PATCH", body: { isolation } } as const;
    await this.#while(plugin.name, () => this.#page.longbox.api(`/api/plugins/${plugin.name}`, request));
  }

  async #remove(plugin: PluginRow): Promise<void> {
    const sure = await confirm({
      heading: t("plugins.remove2", { plugin: plugin.title }),
      text: t("plugins.itsFeaturesStopAt"),
      action: t("plugins.remove"),
      isDangerous: true,
      option: t("plugins.alsoDeleteItsData"),
    });
    if (!sure) return;
    await this.#while(
      plugin.name,
      () =>
        this.#page.longbox.api("/api/plugins/uninstall", {
          method: "POST",
          body: { name: plugin.name, purge: sure.option },
        }),
      t("plugins.wasRemoved", { plugin: plugin.title }),
    );
  }

  /** A rollback that loses data written since the upgrade needs a confirmation that says so. */
  async #rollBack(plugin: PluginRow, way: WayBack): Promise<void> {
    if (way.warning && !(await confirm(questionBeforeGoingBack(way, way.warning)))) return;
    const request = { method: "POST", ...(way.body && { body: way.body }) } as const;
    await this.#while(
      plugin.name,
      () => this.#page.longbox.api(`/api/plugins/${plugin.name}/rollback`, request),
      t("plugins.wasRolledBackTo", { plugin: plugin.title }),
    );
  }

  async switch(plugin: PluginRow, enabled: boolean): Promise<void> {
    if (!enabled && !(await this.#isSure(plugin))) return;
    await this.#while(plugin.name, () =>
      this.#page.longbox.api(`/api/plugins/${plugin.name}/enabled`, { method: "POST", body: { enabled } }),
    );
  }

  /** What else stops is said before. */
  async #isSure(plugin: PluginRow): Promise<boolean> {
    const text = warningBefore(plugin, stoppingWith(plugin, this.#parts.plugins()));
    if (text === undefined) return true;
    const question = {
      heading: t("plugins.switchOff2", { plugin: plugin.title }),
      text,
      action: t("plugins.switchOff"),
      isDangerous: true,
    };
    return (await confirm(question)) !== undefined;
  }

  #introduction() {
    const looked = this.#looked;
    if (!looked) return nothing;
    const install = () => {
      this.#look.close();
      void this.#put(looked);
    };
    return introduction(looked, { cancel: () => this.#look.close(), install });
  }

  /** Shows what a package asks for before it is installed. An upgrade that asks for nothing new goes ahead. */
  async install(wanted: Wanted, version: string): Promise<void> {
    const found = await this.#find(wanted, version);
    if (found) await (needsLook(found) ? this.#show(found) : this.#put(found));
  }

  /** Shows what a version brings and asks for, whether it is installed then or not. */
  async look(wanted: Wanted, version: string): Promise<void> {
    const found = await this.#find(wanted, version);
    if (found) await this.#show(found);
  }

  async #find({ name, package: named }: Wanted, version: string): Promise<PluginIntroduction | undefined> {
    let found: PluginIntroduction | undefined;
    await this.#while(name, async () => {
      const body = { name: named, version };
      found = await this.#page.longbox.api<PluginIntroduction>("/api/plugins/introduce", { method: "POST", body });
    });
    return found;
  }

  #show(found: PluginIntroduction): Promise<void> {
    this.#looked = found;
    return this.#look.open();
  }

  /** Installs exactly what was shown. */
  #put({ name, title, package: named, version, integrity }: PluginIntroduction): Promise<void> {
    const body = { name: named, version, integrity, accept: true };
    return this.#while(
      name,
      () => this.#page.longbox.api("/api/plugins/install", { method: "POST", body }),
      t("plugins.isInstalled", { plugin: title, version }),
    );
  }

  async #while(name: string, work: () => Promise<unknown>, done?: string): Promise<void> {
    this.#busy.add(name);
    this.#page.requestUpdate();
    await this.#action.run(work, done);
    this.#busy.delete(name);
    await this.#parts.changed();
    this.#page.requestUpdate();
  }
}
