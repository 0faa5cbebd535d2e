import {
  actionBar,
  Badges,
  bytes,
  cover,
  duration,
  icon,
  month,
  wholePageStates,
  type OfferedAction,
  Resource,
  skeleton,
  t,
} from "@longbox/sdk/ui";
import { css, html, nothing } from "lit";
import { customElement } from "lit/decorators.js";
import "../elements/backdrop.js";
import "../elements/slot.js";
import type { IssueDocument, IssueFile, SeriesDocument } from "@longbox/collection/api";
import { issueNames } from "@longbox/collection/client";
import { Watch } from "../shell/observable.js";
import { capital, plainText } from "../shell/wording.js";
import { page } from "../styles/index.js";
import { otherWorks, type NameKind } from "./issue/other-works.js";
import { Page } from "./page.js";

/** One issue: what is in it, who made it, and which files hold it. */
@customElement("lb-issue-page")
export class IssuePage extends Page {
  readonly #issue = new Resource<IssueDocument>(this, {
    path: () => `/api/issue/${encodeURIComponent(String(this.subject["cvIssueId"]))}`,
    domains: ["collection"],
  });
  readonly #badges = new Badges(this, "issue");
  readonly #series = new Resource<SeriesDocument>(this, {
    path: () => (this.#issue.value ? `/api/collection/${this.#issue.value.seriesId}` : undefined),
  });

  constructor() {
    super();
    new Watch(this, () => [this.longbox.contributions.parts]);
  }

  static override styles = [
    page,
    css`
      :host {
        position: relative;
        isolation: isolate;
      }
      .top {
        display: grid;
        grid-template-columns: clamp(8rem, 30vw, 22rem) minmax(0, 1fr);
        gap: clamp(var(--lb-space-4), 4vw, var(--lb-space-7));
      }
      .facts {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        align-content: start;
        gap: var(--lb-space-4);
      }
      .actions {
        display: flex;
        flex-wrap: wrap;
        gap: var(--lb-space-2);
        align-items: center;
      }
      lb-slot {
        display: contents;
      }
      .about {
        white-space: pre-line;
      }
      .people {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr));
        gap: var(--lb-space-3);
      }
      .people dt {
        margin-bottom: 2px;
      }
      summary {
        width: fit-content;
        min-height: 2.5rem;
        color: var(--lb-ink-soft);
        line-height: 2.5rem;
        cursor: pointer;
      }
      .files li {
        display: flex;
        flex-wrap: wrap;
        gap: var(--lb-space-1) var(--lb-space-3);
        align-items: baseline;
        padding: var(--lb-space-2) 0;
        border-top: 1px solid var(--lb-line);
        overflow-wrap: anywhere;
      }
      .people .round,
      .files .round {
        align-self: center;
        vertical-align: middle;
      }
      .around {
        display: flex;
        justify-content: space-between;
        gap: var(--lb-space-3);
        margin-top: var(--lb-space-6);
      }
      @media (max-width: 559px) {
        .top {
          grid-template-columns: minmax(0, 1fr);
        }
        .top > :first-child {
          width: 62%;
          margin: 0 auto;
        }
      }
    `,
  ];

  override updated(): void {
    const issue = this.#issue.value;
    if (issue) this.longbox.titled(issue.label.full);
  }

  override render() {
    return this.#issue.render((issue) => this.#document(issue), {
      ...wholePageStates,
      waiting: html`<h1 class="hidden">${t("issue.oneMoment")}</h1>
        ${skeleton()}`,
    });
  }

  #document(issue: IssueDocument) {
    const title = issue.seriesTitle;
    const { heading, above } = issueNames(issue, title);
    return html`<lb-backdrop .path=${issue.cover}></lb-backdrop>
      <div class="top">
        <div>
          ${cover({ path: issue.cover, title, number: issue.label.short, sizes: "352px", isEager: true, isMissing: !issue.owned })}
        </div>
        <div class="facts">
          ${above === undefined ? nothing : html`<p class="label"><a href="/series/${issue.seriesId}">${above}</a></p>`}
          <h1>${heading}</h1>
          ${this.#state(issue)}
          <div class="actions">
            ${actionBar(this.#actions(issue), { label: t("issue.moreForThis", { one: this.longbox.texts.said(issue.unit.one) }) })}
            <lb-slot name="issue.actions" .longbox=${this.longbox} .subject=${{ issue }}></lb-slot>
          </div>
          <lb-slot name="issue.details" .longbox=${this.longbox} .subject=${{ issue }}></lb-slot>
          ${issue.description ? html`<p class="prose about" dir="auto">${plainText(issue.description)}</p>` : nothing}
          ${this.#people(issue)} ${this.#files(issue)}
        </div>
      </div>
      ${this.#around(issue)}`;
  }

  #actions(issue: IssueDocument) {
    return this.longbox.actions({ kind: "issue", items: [{ ...issue, ...this.#badges.of(issue.id).facts }] });
  }

  #state(issue: IssueDocument) {
    const file = issue.files.find(({ valid }) => valid);
    return html`<p class="row">
      ${issue.owned ? html`<span class="tag good">${t("issue.owned")}</span>` : html`<span class="tag ${issue.wanted ? "warn" : ""}">${issue.wanted ? t("issue.wanted") : t("issue.notOwned")}</span>`}
      ${issue.corrupt ? html`<span class="tag bad">${t("issue.damaged")}</span>` : nothing} ${this.#reading(issue)}
      <span class="label"
        >${[issue.coverDate ? month(issue.coverDate) : undefined, file && lengthOf(file)].filter(Boolean).join(" · ")}</span
      >
    </p>`;
  }

  /** What plugins say of it, in words: how far it is read. */
  #reading({ id }: IssueDocument) {
    const { badges, facts } = this.#badges.of(id);
    const said = facts["reading"] === "unread" ? [t("libraryChoices.unread")] : badges.map(({ label }) => label);
    return said.map((text) => html`<span class="tag busy">${icon("book")}${capital(text)}</span>`);
  }

  #people(issue: IssueDocument) {
    const byRole = [...Map.groupBy(issue.credits, ({ role }) => role)].map(
      ([role, credits]) => [role, credits.map(({ name }) => this.#person(name, role))] as const,
    );
    const named = (names: readonly string[], kind: NameKind) => names.map((name) => this.#named(name, kind));
    const more: readonly (readonly [string, readonly unknown[]])[] = [
      [t("issue.characters"), named(issue.characters, "character")],
      [t("issue.teams"), named(issue.teams, "team")],
      [t("issue.places"), named(issue.locations, "place")],
      [t("issue.storyArcs"), named(issue.arcs, "arc")],
    ];
    const all = [...byRole, ...more.filter(([, names]) => names.length > 0)];
    if (all.length === 0) return nothing;
    return html`<dl class="people">
      ${all.map(
        ([role, names]) =>
          html`<div>
            <dt class="label">${this.longbox.texts.said(capital(role))}</dt>
            <dd>${names.map((name, index) => html`${index === 0 ? "" : ", "}${name}`)}</dd>
          </div>`,
      )}
    </dl>`;
  }

  #named(name: string, kind: NameKind) {
    return html`<a href=${otherWorks(name, kind, this.longbox)}>${name}</a>`;
  }

  #person(name: string, role: string) {
    const actions = this.longbox.actions({ kind: "person", items: [{ name, role }] });
    return html`${this.#named(name, { role })}${actions.length === 0 ? nothing : this.#menu(actions, name)}`;
  }

  #menu(actions: readonly OfferedAction[], name: string) {
    return actionBar(actions, { label: t("issue.moreFor", { name }), isCompact: true });
  }

  #files(issue: IssueDocument) {
    const { files, id: issueId, cvIssueId, seriesId } = issue;
    if (files.length === 0) return nothing;
    // Where files lie matters to those who manage the library; what cannot be read matters to all, and is not folded
    // away.
    return html`<details class="files" ?open=${files.some(({ valid }) => !valid)}>
      <summary>${t("issue.files", { files: files.length })}</summary>
      <ul>
        ${files.map(
          (file) =>
            html`<li>
              <span>${file.path ?? file.name}</span
              ><span class="label"
                >${[bytes(file.size), lengthOf(file), file.tagged ? t("issue.tagged") : undefined].filter(Boolean).join(" · ")}</span
              >
              ${this.#menu(this.longbox.actions({ kind: "file", items: [{ ...file, issueId, cvIssueId, seriesId }] }), file.name)}
              ${file.valid ? nothing : html`<p class="problem">${file.error ? this.longbox.texts.said(file.error) : t("issue.cannotBeRead")}</p>`}
            </li>`,
        )}
      </ul>
    </details>`;
  }

  #around(issue: IssueDocument) {
    const issues = this.#series.value?.issues ?? [];
    const at = issues.findIndex((row) => row.id === issue.id);
    const previous = issues[at - 1];
    const next = at === -1 ? undefined : issues[at + 1];
    return html`<nav
      class="around"
      aria-label=${t("issue.beforeAndAfter", { other: capital(this.longbox.texts.said(issue.unit.other)) })}
    >
      ${previous ? html`<a class="button" href="/issue/${previous.cvIssueId}">${icon("previous")}${previous.label.short}</a>` : html`<span></span>`}
      ${next ? html`<a class="button" href="/issue/${next.cvIssueId}">${next.label.short}${icon("next")}</a>` : nothing}
    </nav>`;
  }
}

/** The length of a file's content, where its format has one. */
function lengthOf({ pages, seconds }: IssueFile): string | undefined {
  if (seconds !== null) return duration(seconds);
  return pages > 0 ? t("issue.pages", { pages }) : undefined;
}
