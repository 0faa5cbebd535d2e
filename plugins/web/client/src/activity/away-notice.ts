import { rich, t } from "@longbox/sdk/ui";
import { css, html, type TemplateResult } from "lit";
import type { Reach } from "../offline/connection.js";

/** Styles for the sections of the activity panel. */
export const sections = css`
  section {
    display: grid;
    gap: var(--lb-space-3);
  }
  h2 {
    margin: 0;
    font-size: var(--lb-text-l);
  }
`;

/** That the server is away, and what can be done until it is back. @param link - Draws a link to it */
export function awayNotice(reach: Exclude<Reach, "here">, link: (inside: unknown) => unknown): TemplateResult {
  const [heading, text] =
    reach === "no-network"
      ? [t("activity.noConnection"), rich("activity.thisDeviceHasNo", { link })]
      : [t("activity.serverAway"), rich("activity.serverAwayText", { link })];
  return html`<section role="status">
    <h2>${heading}</h2>
    <p>${text}</p>
  </section>`;
}
