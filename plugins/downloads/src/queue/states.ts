/** Where an item of the queue is. */
export type ItemState =
  | "queued"
  | "searching"
  | "downloading"
  | "grabbed"
  | "importing"
  | "done"
  | "failed"
  | "cancelled";

/** What moves an item on. */
export type ItemEvent =
  | "search"
  | "fetch"
  | "hand over"
  | "arrive"
  | "place"
  | "again"
  | "give up"
  | "cancel"
  | "retry";

/** Where each event leads. What does not stand here does not happen: an event that comes too late changes nothing. */
export const transitions: Readonly<Record<ItemState, Partial<Readonly<Record<ItemEvent, ItemState>>>>> = {
  queued: {
    search: "searching",
    fetch: "downloading",
    "hand over": "grabbed",
    arrive: "importing",
    again: "queued",
    "give up": "failed",
    cancel: "cancelled",
  },
  searching: {
    fetch: "downloading",
    "hand over": "grabbed",
    again: "queued",
    "give up": "failed",
    cancel: "cancelled",
  },
  downloading: { arrive: "importing", again: "queued", "give up": "failed", cancel: "cancelled" },
  grabbed: { arrive: "importing", again: "queued", "give up": "failed", cancel: "cancelled" },
  importing: { place: "done", again: "queued", "give up": "failed" },
  done: {},
  failed: { retry: "queued", cancel: "cancelled" },
  cancelled: { retry: "queued" },
};

/** The states from which an event leads to another, with where it leads. */
export function sourcesOf(event: ItemEvent): ReadonlyArray<readonly [from: ItemState, to: ItemState]> {
  return (Object.keys(transitions) as ItemState[]).flatMap((from) => {
    const to = transitions[from][event];
    return to === undefined ? [] : [[from, to] as const];
  });
}

/** Final: nothing happens to it by itself. */
export function isOpen(state: ItemState): boolean {
  return state !== "done" && state !== "failed" && state !== "cancelled";
}

/** The machine as a diagram of Mermaid, for the README. */
export function drawStates(): string {
  const lines = (Object.keys(transitions) as ItemState[]).flatMap((from) =>
    Object.entries(transitions[from]).map(([event, to]) => `    ${from} --> ${to}: ${event}`),
  );
  return ["stateDiagram-v2", "    [*] --> queued", ...lines, "    done --> [*]"].join("\n");
}
