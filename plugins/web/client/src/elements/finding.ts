import { t } from "@longbox/sdk/ui";
import type { FindPanel } from "../finding/find-panel.js";
import { TypedAhead } from "../finding/typed-ahead.js";
import { asNotLoaded, failureNotice } from "../shell/loading.js";
import type { Shell } from "../shell/shell.js";

interface Finding {
  readonly longbox: Shell;
  /** Where the panel is put. */
  readonly root: ParentNode & Node;
  readonly showKeys: () => void;
}

/** Opens the panel that finds anything. Its code is fetched when it is first opened. */
export class Finder {
  #panel: FindPanel | undefined;

  constructor(private readonly parts: () => Finding) {}

  async open(): Promise<void> {
    const { longbox, root, showKeys } = this.parts();
    using typed = new TypedAhead();
    try {
      await import("../finding/find-panel.js");
    } catch (thrown) {
      console.warn(thrown);
      return longbox.notify(...failureNotice(asNotLoaded(thrown, t("finding.theSearch"))));
    }
    this.#panel ??= Object.assign(document.createElement("lb-find-panel") as FindPanel, { longbox, showKeys });
    if (!this.#panel.isConnected) root.appendChild(this.#panel);
    await this.#panel.open(typed);
  }
}
