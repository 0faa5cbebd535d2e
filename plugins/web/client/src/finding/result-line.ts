import { cover, icon } from "@longbox/sdk/ui";
import { css, html, nothing } from "lit";
import type { Result } from "./results.js";

/** What a result looks like, in the panel and on the page. */
export function resultLine({ title, detail, cover: path, icon: name }: Result) {
  return html`<span class="picture">${path ? cover({ path, title, sizes: "40px" }) : icon(name)}</span>
    <span class="says">
      <strong>${title}</strong>
      ${detail ? html`<span class="soft">${detail}</span>` : nothing}
    </span>`;
}

export const resultStyle = css`
  .result {
    display: grid;
    grid-template-columns: 2.5rem minmax(0, 1fr);
    align-items: center;
    gap: var(--lb-space-3);
    min-height: 3rem;
    padding: var(--lb-space-1) var(--lb-space-3);
    border-radius: var(--lb-radius-m);
    color: var(--lb-ink);
    text-decoration: none;
    cursor: pointer;
  }
  .result .picture {
    display: grid;
    place-items: center;
    color: var(--lb-ink-soft);
  }
  .result .picture .cover {
    width: 2rem;
  }
  .result .picture .sleeve {
    font-size: 0;
  }
  .result .says {
    display: grid;
    line-height: 1.3;
  }
  .result .says > * {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .result .soft {
    font-size: var(--lb-text-s);
  }
`;
