import { issueLabel } from "@longbox/collection/client";
import type { Publisher, Release, ReleaseList } from "@longbox/releases/api";
import { Action, cover, day, element, icon, LongboxElement, Resource, t } from "@longbox/sdk/ui";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { style } from "./style.js";

const unknown = t("week.otherPublishers");

/** A week's covers: those on the pull list first, then by publisher. */
@element("releases-week")
export class ReleasesWeek extends LongboxElement {
  static override styles = style;
  static override properties: PropertyDeclarations = { ...LongboxElement.properties, list: { attribute: false } };
  declare list: ReleaseList;
  readonly #publishers = new Resource<readonly Publisher[]>(this, {
    path: "/api/releases/publishers",
    domains: ["releases"],
  });
  readonly #action = new Action(this, { notify: true });

  override render(): TemplateResult {
    const { releases } = this.list;
    const mine = releases.filter((release) => release.mine);
    const others = Map.groupBy(
      releases.filter((release) => !release.mine),
      ({ publisher }) => publisher ?? unknown,
    );
    return html`${mine.length === 0 ? nothing : this.#section(t("week.yours"), mine)}
    ${[...others].map(([publisher, some]) => this.#section(publisher, some, publisher !== unknown))}`;
  }

  #section(heading: string, releases: readonly Release[], isPublisher = false): TemplateResult {
    return html`<section aria-label=${heading}>
      <div class="row spread">
        <h3>${heading} <span class="label">${t("week.releases", { releases: releases.length })}</span></h3>
        ${isPublisher ? this.#follow(heading) : nothing}
      </div>
      <ul class="wall">
        ${repeat(
          releases,
          ({ cvIssueId }) => cvIssueId,
          (release) => this.#release(release),
        )}
      </ul>
    </section>`;
  }

  #follow(publisher: string): TemplateResult {
    const followed = this.#publishers.value?.find((known) => known.publisher === publisher)?.followed ?? false;
    const toggle = () =>
      this.#action.run(
        () => this.post("/api/releases/publishers", { publisher, follow: !followed }),
        followed ? t("week.youNoLongerFollow", { publisher }) : t("week.firstIssuesOfCome", { publisher }),
      );
    return html`<button
      class="quiet"
      aria-pressed=${followed}
      aria-label=${t("week.follow", { publisher })}
      title=${t("week.firstIssuesComeOnto")}
      ?disabled=${this.#action.busy}
      @click=${toggle}
    >
      ${icon("heart")} ${t("week.follow2")}
    </button>`;
  }

  #release(release: Release): TemplateResult {
    const name = nameOf(release);
    return html`<li>
      ${release.seriesId === null ? this.#face(release) : html`<a class="face" href="/series/${release.seriesId}">${this.#face(release)}</a>`}
      <p class="note">${[day(release.storeDate), release.title].filter(Boolean).join(" · ")}</p>
      <div class="row">
        ${stateOf(release)}
        ${
          release.owned || release.wanted || !this.longbox.may("downloads.grab")
            ? nothing
            : html`<button
                class="small"
                aria-label=${t("week.get", { name })}
                ?disabled=${this.#action.busy}
                @click=${() => this.#get(release)}
              >
                ${icon("download")} ${t("week.get2")}
              </button>`
        }
      </div>
    </li>`;
  }

  #face(release: Release): TemplateResult {
    return html`<span class="cover-frame"
        >${cover({
          path: release.cover,
          title: release.series,
          number: issueLabel(release.number),
          hasOneWidth: release.cover?.startsWith("/api/releases/") ?? false,
        })}</span
      ><strong class="name">${nameOf(release)}</strong>`;
  }

  #get({ cvIssueId }: Release): void {
    void this.#action.run(async () => {
      const { queued } = await this.post<{ queued: number }>("/api/releases/download", { cvIssueId });
      this.longbox.notify(queued > 0 ? t("week.itIsInThe") : t("week.itIsWantedNow"), { level: "success" });
    });
  }
}

export const nameOf = ({ series, number }: Release): string => [series, issueLabel(number)].filter(Boolean).join(" ");

function stateOf({ owned, wanted, followed, first }: Release): TemplateResult | typeof nothing {
  if (owned) return html`<span class="tag good">${t("week.inTheLibrary")}</span>`;
  if (wanted) return html`<span class="tag busy">${t("week.wanted")}</span>`;
  if (followed) return html`<span class="tag">${t("week.followed")}</span>`;
  return first ? html`<span class="tag">${t("week.firstIssue")}</span>` : nothing;
}
