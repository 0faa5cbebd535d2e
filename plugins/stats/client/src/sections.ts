import { bytes, number, percent, rich, t } from "@longbox/sdk/ui";
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
    ${rich("sections.itemsOfSeriesPages", { strong: (inside: unknown) => html`<strong>${inside}</strong>`, ownedIssues: collection.ownedIssues, series: collection.series, value: publishers > 0 ? html` ${rich("sections.fromPublishers", { strong: (inside: unknown) => html`<strong>${inside}</strong>`, publishers })}` : nothing, pages: files.pages, bytes: bytes(files.bytes) })}
  </p>`;
}

/** The publishers of the library. */
export function inTheBox({ collection }: Stats): Part {
  const publishers = inked(collection.byPublisher, collection.ownedIssues);
  if (publishers.length === 0) return nothing;
  const most = Math.max(...publishers.map(({ issues }) => issues));
  return html`<section class="wide" aria-labelledby="box">
    <h2 id="box">${t("sections.inTheBox")}</h2>
    ${boxOfSpines(publishers)}
    <table>
      <caption class="hidden">
        ${t("sections.publishersByItems")}
      </caption>
      <thead>
        <tr>
          <th scope="col">${t("sections.publisher")}</th>
          <th scope="col" class="number">${t("sections.items")}</th>
          <td class="gauge"></td>
          <th scope="col" class="number">${t("sections.series")}</th>
          <th scope="col" class="number size">${t("sections.size")}</th>
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
    <h2 id="completeness">${t("sections.completeness")}</h2>
    ${
      completion.cvIssuesTotal === 0 && completion.missingIssues === 0
        ? html`<p class="soft">${t("sections.gapsAreFoundOnce")}</p>`
        : html`<p class="headline">
              <strong>${percent(owned, known)}</strong
              ><span>${t("sections.ofKnownItemsOwned", { known, missingIssues: completion.missingIssues })}</span>
            </p>
            ${bar([{ name: t("sections.owned"), value: owned, ink: "ink-accent" }], known)}
            <p class="soft">
              ${collection.followed > 0 ? t("sections.followedByUsers", { complete: completion.complete, incomplete: completion.incomplete, followed: collection.followed }) : t("sections.seriesCompleteWithGaps", { complete: completion.complete, incomplete: completion.incomplete })}
            </p>`
    }
    ${comicvine.source === null ? nothing : html`<p class="soft">${t("sections.ofSeriesMatched", { matchedSeries: comicvine.matchedSeries, matchedSeries2: comicvine.matchedSeries + comicvine.unmatchedSeries })}</p>`}
    ${
      completion.topGaps.length === 0
        ? nothing
        : html`<h3>${t("sections.mostGaps")}</h3>
            <ol class="gaps">
              ${completion.topGaps.map((gap) => gapLine(gap))}
            </ol>`
    }
  </section>`;
}

function gapLine(gap: Gap): TemplateResult {
  return html`<li>
    <a href="/series/${gap.id}">${gap.title}</a>
    <span class="soft">${t("sections.of", { owned: gap.owned, total: gap.total })}</span>
    <b>${t("sections.missing", { missing: gap.missing })}</b>
    <div class="gap-bar">${bar([{ name: t("sections.owned"), value: gap.owned, ink: "ink-accent" }], gap.total)}</div>
  </li>`;
}

/** What the files are, and how they are. */
export function onDisk({ files }: Stats): Part {
  if (files.total === 0) return nothing;
  const { cbz, cbr, pdf, other } = files.formats;
  const unread = Math.max(0, files.total - files.valid - files.corrupt);
  return html`<section aria-labelledby="files">
    <h2 id="files">${t("sections.files")}</h2>
    <p class="headline">
      <strong>${number(files.total)}</strong
      ><span>${t("sections.filesEachOnAverage", { total: files.total, value: bytes(files.bytes / files.total) })}</span>
    </p>
    ${labelledBar(t("sections.condition"), [
      { name: t("sections.sound"), value: files.valid, ink: "ink-good" },
      { name: t("sections.damaged"), value: files.corrupt, ink: "ink-bad" },
      { name: t("sections.notReadYet"), value: unread, ink: "ink-none" },
    ])}
    ${labelledBar(t("sections.detailsInside"), [
      { name: t("sections.tagged"), value: files.tagged, ink: "ink-accent" },
      { name: t("sections.untagged"), value: files.untagged, ink: "ink-none" },
    ])}
    ${labelledBar(t("sections.formats"), [
      { name: "CBZ", value: cbz, ink: "ink-0" },
      { name: "CBR", value: cbr, ink: "ink-1" },
      { name: "PDF", value: pdf, ink: "ink-3" },
      { name: t("sections.other"), value: other, ink: "ink-others" },
    ])}
  </section>`;
}

/** What was downloaded lately; nothing where no plugin downloads. */
export function lately({ activity }: Stats): Part {
  const states = Object.entries(activity.grabs).filter(([, grabs]) => grabs > 0);
  const some = activity.perDay.some(({ grabs }) => grabs > 0);
  if (!some && states.length === 0) return nothing;
  return html`<section class="wide" aria-labelledby="lately">
    <h2 id="lately">${t("sections.downloads")}</h2>
    ${some ? calendar(activity.perDay) : nothing}
    ${
      states.length === 0
        ? nothing
        : html`<ul class="legend">
            ${states.map(([state, grabs]) => html`<li><span>${t("sections.state", { state })}</span> <b>${number(grabs)}</b></li>`)}
          </ul>`
    }
  </section>`;
}
