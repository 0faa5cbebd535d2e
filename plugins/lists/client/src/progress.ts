import { css, html, svg, type TemplateResult } from "lit";

/** A progress bar of read and owned items. Hidden from screen readers, because the text beside it says the same. */
export function progressBar({
  total,
  owned,
  read = 0,
}: {
  readonly total: number;
  readonly owned: number;
  readonly read?: number | undefined;
}): TemplateResult {
  const share = (count: number) => (total === 0 ? 0 : (count / total) * 100);
  return html`<svg class="progress" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
    ${svg`<rect class="all" width="100" height="4" /><rect class="owned" width=${share(owned)} height="4" /><rect class="read" width=${share(read)} height="4" />`}
  </svg>`;
}

export const progressStyle = css`
  .progress {
    display: block;
    width: 100%;
    height: 5px;
    border-radius: 3px;
    overflow: hidden;
  }
  .all {
    fill: var(--lb-line);
  }
  .owned {
    fill: color-mix(in oklab, var(--lb-accent) 38%, var(--lb-line));
  }
  .read {
    fill: var(--lb-accent);
  }
`;
