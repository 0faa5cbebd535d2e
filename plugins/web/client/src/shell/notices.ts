import { Observable } from "./observable.js";

export type Level = "info" | "success" | "warning" | "danger";

export interface Notice {
  readonly id: number;
  readonly message: string;
  readonly level: Level;
  readonly action: { readonly label: string; readonly run: () => void } | undefined;
}

const shownMs = { info: 5000, success: 4000, warning: 8000, danger: 12_000 } satisfies Record<Level, number>;

/** What is said to the user in passing. What offers an action stays until it is dismissed. */
export class Notices {
  readonly shown = new Observable<readonly Notice[]>([]);
  #last = 0;

  add(message: string, options: { level?: Level | undefined; action?: Notice["action"] } = {}): void {
    const level = options.level ?? "info";
    const same = this.shown.value.filter((notice) => notice.message !== message);
    const notice: Notice = { id: ++this.#last, message, level, action: options.action };
    this.shown.set([...same.slice(-3), notice]);
    if (!notice.action) window.setTimeout(() => this.dismiss(notice.id), shownMs[level]);
  }

  dismiss(id: number): void {
    this.shown.set(this.shown.value.filter((notice) => notice.id !== id));
  }
}
