import {
  element,
  failure,
  LongboxElement,
  notice,
  notices,
  skeleton,
  trouble,
  waiting,
  drawingNames,
} from "@longbox/sdk/ui";
import { html } from "lit";
import { style } from "../style.js";

const answer = (status: number, message: string, code?: string) => Object.assign(new Error(message), { status, code });
const troubles = [
  answer(0, "Check that the server is running and that you are online."),
  answer(403, "Your role may not manage the library."),
  answer(404, "There is no series 12."),
  answer(404, "No such path.", "kernel/no-such-path"),
  answer(500, "Something went wrong on the server."),
];

/** Waiting, empty and failed. */
@element("kit-states")
export class KitStates extends LongboxElement {
  static override styles = [style, notices];

  override render() {
    return html`<section aria-label="Waiting">
        <h2>Waiting</h2>
        ${waiting()} ${skeleton()} ${skeleton("Loading covers", "covers")}
      </section>
      <section aria-label="Empty">
        <h2>Empty</h2>
        ${drawingNames.map((drawing) => notice({ drawing, heading: `Nothing here (${drawing})`, text: "Why, in a sentence.", action: { label: "What to do", href: "/kit" } }))}
        ${notice({ heading: "Without a drawing", text: "For a part of a page." })}
      </section>
      <section aria-label="Failed">
        <h2>Failed</h2>
        ${failure("The list could not be read.", () => undefined)}
        ${troubles.map((thrown) => trouble(thrown, () => undefined))}
      </section>`;
  }
}
