import { bytes, count, number, percent } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { bar, labelledBar } from "./bars.js";
import { calendar } from "./calendar.js";
import { inked } from "./inks.js";
import type { Gap, Stats } from "@longbox/stats/api";
import { boxOfSpines } from "./spines.js";

type Part = TemplateResult | typeof nothing;

/** The whole library in one sentence. */
export function statement({ files, collection }: Stats): TemplateResult {
  const publishers = collection.byPublisher.length;
  return html`<p class="statement">
    <strong>${count(collection.ownedIssues, "item")}</strong> of
    <strong>${count(collection.series, "series", "series")}</strong
    >${publishers > 0 ? html` from <strong>${count(publishers, "publisher")}</strong>` : nothing}:
    <strong>${count(files.pages, "page")}</strong> in <strong>${bytes(files.bytes)}</strong>.
  </p>`;
}

/** The publishers of the library. */
export function inTheBox({ collection }: Stats): Part {
  const publishers = inked(collection.byPublisher, collection.ownedIssues);
  if (publishers.length === 0) return nothing;
  const most = Math.max(...publishers.map(({ issues }) => issues));
  return html`<section class="wide" aria-labelledby="box">
    <h2 id="box">In the box</h2>
    ${boxOfSpines(publishers)}
    <table>
      <caption class="hidden">
        Publishers by items
      </caption>
      <thead>
        <tr>
          <th scope="col">Publisher</th>
          <th scope="col" class="number">Items</th>
          <td class="gauge"></td>
          <th scope="col" class="number">Series</th>
          <th scope="col" class="number size">Size</th>
        </tr>
      </thead>
      <tbody>
        ${publishers.map(
          ({ name, ink, issues, series, bytes: size }) =>
            html`<tr>
              <th scope="row">
                <span class="who"><i class="swatch ${ink}"></i>${name}</span>
              </th>
              <td class="number strong">${number(issues)}</td>
              <td class="gauge">${bar([{ name, value: issues, ink }], most)}</td>
              <td class="number">${series === undefined ? "–" : number(series)}</td>
              <td class="number size">${size === undefined ? "–" : bytes(size)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

/** How much is owned of what is known, and the largest gaps. */
export function completeness({ collection, completion, comicvine }: Stats): TemplateResult {
  const owned = collection.ownedIssues;
  const known = owned + completion.missingIssues;
  return html`<section aria-labelledby="completeness">
    <h2 id="completeness">Completeness</h2>
    ${
      completion.cvIssuesTotal === 0 && completion.missingIssues === 0
        ? html`<p class="soft">Gaps are found once series are matched with the metadata provider.</p>`
        : html`<p class="headline">
              <strong>${percent(owned, known)}</strong
              ><span>of ${count(known, "known item")} owned, ${number(completion.missingIssues)} missing</span>
            </p>
            ${bar([{ name: "Owned", value: owned, ink: "ink-accent" }], known)}
            <p class="soft">
              ${number(completion.complete)} series complete, ${number(completion.incomplete)} with
              gaps${collection.followed > 0 ? `, ${number(collection.followed)} followed by users` : ""}.
            </p>`
    }
    ${comicvine.source === null ? nothing : html`<p class="soft">${number(comicvine.matchedSeries)} of ${count(comicvine.matchedSeries + comicvine.unmatchedSeries, "series", "series")} matched.</p>`}
    ${
      completion.topGaps.length === 0
        ? nothing
        : html`<h3>Most gaps</h3>
            <ol class="gaps">
              ${completion.topGaps.map((gap) => gapLine(gap))}
            </ol>`
    }
  </section>`;
}

function gapLine(gap: Gap): TemplateResult {
  return html`<li>
    <a href="/series/${gap.id}">${gap.title}</a>
    <span class="soft">${number(gap.owned)} of ${number(gap.total)}</span>
    <b>${number(gap.missing)} missing</b>
    <div class="gap-bar">${bar([{ name: "Owned", value: gap.owned, ink: "ink-accent" }], gap.total)}</div>
  </li>`;
}

/** What the files are, and how they are. */
export function onDisk({ files }: Stats): Part {
  if (files.total === 0) return nothing;
  const { cbz, cbr, pdf, other } = files.formats;
  const unread = Math.max(0, files.total - files.valid - files.corrupt);
  return html`<section aria-labelledby="files">
    <h2 id="files">Files</h2>
    <p class="headline">
      <strong>${number(files.total)}</strong
      ><span>${files.total === 1 ? "file" : "files"}, ${bytes(files.bytes / files.total)} each on average</span>
    </p>
    ${labelledBar("Condition", [
      { name: "Sound", value: files.valid, ink: "ink-good" },
      { name: "Damaged", value: files.corrupt, ink: "ink-bad" },
      { name: "Not read yet", value: unread, ink: "ink-none" },
    ])}
    ${labelledBar("Details inside", [
      { name: "Tagged", value: files.tagged, ink: "ink-accent" },
      { name: "Untagged", value: files.untagged, ink: "ink-none" },
    ])}
    ${labelledBar("Formats", [
      { name: "CBZ", value: cbz, ink: "ink-0" },
      { name: "CBR", value: cbr, ink: "ink-1" },
      { name: "PDF", value: pdf, ink: "ink-3" },
      { name: "Other", value: other, ink: "ink-others" },
    ])}
  </section>`;
}

/** What was downloaded lately; nothing where no plugin downloads. */
export function lately({ activity }: Stats): Part {
  const states = Object.entries(activity.grabs).filter(([, grabs]) => grabs > 0);
  const some = activity.perDay.some(({ grabs }) => grabs > 0);
  if (!some && states.length === 0) return nothing;
  return html`<section class="wide" aria-labelledby="lately">
    <h2 id="lately">Downloads</h2>
    ${some ? calendar(activity.perDay) : nothing}
    ${
      states.length === 0
        ? nothing
        : html`<ul class="legend">
            ${states.map(([state, grabs]) => html`<li><span>${state}</span> <b>${number(grabs)}</b></li>`)}
          </ul>`
    }
  </section>`;
}
