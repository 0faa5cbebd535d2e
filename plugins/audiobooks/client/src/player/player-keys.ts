import { latinKey } from "@longbox/sdk/ui";
import type { ReactiveController } from "lit";
import { backSeconds, forwardSeconds } from "./media-keys.js";
import type { Player } from "./player.js";

/** What the keys `<` and `>` change the speed by. */
const rateStep = 0.05;

/**
 * The keys of the page of a book, for those who listen at a desk. They are its own: fields, menus and buttons keep
 * theirs.
 */
export class PlayerKeys implements ReactiveController {
  readonly #onKey = (event: KeyboardEvent) => this.#pressed(event);

  /** @param player - undefined while another book is open, or none */
  constructor(private readonly player: () => Player | undefined) {}

  hostConnected(): void {
    addEventListener("keydown", this.#onKey);
  }

  hostDisconnected(): void {
    removeEventListener("keydown", this.#onKey);
  }

  #pressed(event: KeyboardEvent): void {
    const player = this.player();
    if (!player || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const run = actionOf(player, event);
    if (!run || isTaken(event)) return;
    event.preventDefault();
    run();
  }
}

function actionOf(player: Player, event: KeyboardEvent): (() => void) | undefined {
  const key = latinKey(event);
  const { shiftKey } = event;
  if (key === " " || key === "k") return () => player.toggle();
  if (key === "ArrowLeft") return () => (shiftKey ? player.stepChapter(-1) : player.skip(-backSeconds));
  if (key === "ArrowRight") return () => (shiftKey ? player.stepChapter(1) : player.skip(forwardSeconds));
  if (key === "<") return () => player.setRate(player.rate - rateStep);
  return key === ">" ? () => player.setRate(player.rate + rateStep) : undefined;
}

/** Whether the key means something to what has the focus. */
function isTaken(event: KeyboardEvent): boolean {
  const path = event.composedPath().filter((target) => target instanceof HTMLElement);
  if (path.some((element) => element.matches("dialog, [role=menu], [role=dialog]"))) return true;
  const [focused] = path;
  if (!focused || focused.isContentEditable) return focused !== undefined;
  return focused.matches("input, textarea, select") || (event.key === " " && focused.matches("button, a, summary"));
}
