import type { Leaderboard } from "@longbox/gamify/api";
import { count, element, LongboxElement, month, number, Resource, standard, tables } from "@longbox/sdk/ui";
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
      return html`<p class="soft">No pages were read in ${name} so far.</p>`;
    return html`<table>
      <caption class="hidden">
        ${name}
      </caption>
      <thead>
        <tr>
          <th scope="col" class="rank"><span class="hidden">Rank</span></th>
          <th scope="col">${name}</th>
          <th scope="col" class="number">Points</th>
          <th scope="col" class="number">Pages</th>
          <th scope="col" class="number">Finished</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map((row) => rowOf(row, 1 + rows.filter(({ points }) => points > row.points).length))}
      </tbody>
    </table>`;
  }
}

function rowOf({ username, points, pages, finished, me }: Row, rank: number): TemplateResult {
  return html`<tr class=${me ? "me" : ""}>
    <td class="rank">${number(rank)}</td>
    <th scope="row">${username}${me ? html` <span class="tag">you</span>` : nothing}</th>
    <td class="number">${number(points)}</td>
    <td class="number">${number(pages)}</td>
    <td class="number" title=${count(finished, "item")}>${number(finished)}</td>
  </tr>`;
}
