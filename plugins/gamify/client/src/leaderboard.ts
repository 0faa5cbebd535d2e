import type { Leaderboard } from "@longbox/gamify/api";
import { element, LongboxElement, month, number, Resource, standard, t, tables } from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";

type Row = Leaderboard["rows"][number];

/** What the users of the server read this month. */
@element("gamify-leaderboard")
export class GamifyLeaderboard extends LongboxElement {
  static override styles = [
    standard,
    tables,
    css`
      .number {
        text-align: end;
        font-variant-numeric: tabular-nums;
      }
      .rank {
        width: 2.5rem;
        font-family: var(--lb-font-display);
        font-weight: 700;
      }
      tr.me > * {
        background: var(--lb-accent-soft);
      }
      th[scope="row"] {
        overflow-wrap: anywhere;
      }
    `,
  ];
  readonly #board = new Resource<Leaderboard>(this, { path: "/api/gamify/leaderboard", domains: ["gamify"] });

  override render(): unknown {
    return this.#board.render((board) => this.#table(board));
  }

  #table({ month: of, rows }: Leaderboard): TemplateResult {
    const name = month(`${of}-01`);
    if (rows.every(({ points }) => points === 0))
      return html`<p class="soft">${t("leaderboard.noPagesWereRead", { name })}</p>`;
    return html`<div class="table-scroll" tabindex="0" role="region" aria-label=${name}>
      <table>
        <caption class="hidden">
          ${name}
        </caption>
        <thead>
          <tr>
            <th scope="col" class="rank"><span class="hidden">${t("leaderboard.rank")}</span></th>
            <th scope="col">${name}</th>
            <th scope="col" class="number">${t("leaderboard.points")}</th>
            <th scope="col" class="number">${t("leaderboard.pages")}</th>
            <th scope="col" class="number">${t("leaderboard.finished")}</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map((row) => rowOf(row, 1 + rows.filter(({ points }) => points > row.points).length))}
        </tbody>
      </table>
    </div>`;
  }
}

function rowOf({ username, points, pages, finished, me }: Row, rank: number): TemplateResult {
  return html`<tr class=${me ? "me" : ""}>
    <td class="rank">${number(rank)}</td>
    <th scope="row">${username}${me ? html` <span class="tag">${t("leaderboard.you")}</span>` : nothing}</th>
    <td class="number">${number(points)}</td>
    <td class="number">${number(pages)}</td>
    <td class="number" title=${t("leaderboard.items", { finished })}>${number(finished)}</td>
  </tr>`;
}
