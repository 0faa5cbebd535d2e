import type { Panel } from "./bars.js";
import type { Command } from "./commands.js";
import type { Session } from "./session.js";

const sizeStep = 10;

interface Page {
  open(panel: Panel): void;
  close(): void;
  fullscreen(): void;
}

/** Does what a key or a button asks for. */
export function runCommand(command: Command, session: Session, page: Page): void {
  const run = { ...movements(session), ...panels(page), ...actions(session, page) } satisfies Record<
    Command,
    () => unknown
  >;
  // Over a footnote, keys would turn the page behind it.
  if (!session.hasNote) void run[command]();
  else if (command === "close") void session.engine.call("closeNote");
}

function movements({ engine }: Session) {
  return {
    left: () => engine.call("turn", "left"),
    right: () => engine.call("turn", "right"),
    next: () => engine.call("turn", "next"),
    previous: () => engine.call("turn", "previous"),
    first: () => engine.call("goToFraction", 0),
    last: () => engine.call("goToFraction", 1),
    back: () => engine.call("goBack"),
  };
}

function panels({ open }: Page) {
  return {
    contents: () => open("contents"),
    search: () => open("search"),
    notes: () => open("notes"),
    look: () => open("look"),
    help: () => open("help"),
  };
}

function actions(session: Session, page: Page) {
  const { layout, shown, selected, tapped, highlights } = session;
  return {
    bookmark: () => shown && highlights.toggleBookmark(shown),
    highlight: () => selected && highlights.highlight(selected, "yellow").then(() => session.dismiss()),
    speak: () => session.speak(),
    larger: () => session.setLayout({ fontSize: Math.min(300, layout.fontSize + sizeStep) }),
    smaller: () => session.setLayout({ fontSize: Math.max(50, layout.fontSize - sizeStep) }),
    fullscreen: () => page.fullscreen(),
    close: () => (selected || tapped ? session.dismiss() : page.close()),
  };
}
