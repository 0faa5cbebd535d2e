import type { Request, Requests } from "@longbox/requests/api";
import {
  Action,
  cover,
  Dialog,
  element,
  field,
  fromNow,
  icon,
  LongboxElement,
  notice,
  pageFrame,
  problem,
  Resource,
  skeleton,
  submitted,
  t,
} from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { style } from "./style.js";

const states: Readonly<Record<Request["state"], readonly [label: string, look: string]>> = {
  pending: [t("page.waiting"), "busy"],
  approved: [t("page.approved"), "good"],
  declined: [t("page.declined"), "bad"],
  withdrawn: [t("page.withdrawn"), ""],
  fulfilled: [t("page.inTheLibrary"), "good"],
};

/** `/requests`: requesting what the library lacks, and the list of requests. */
@element("requests-page")
export class RequestsPage extends LongboxElement {
  static override styles = [style, pageFrame];
  @state() private declined: Request | undefined;
  readonly #requests = new Resource<Requests>(this, { path: "/api/requests", domains: ["requests"] });
  readonly #action = new Action(this, { notify: true, after: () => this.#requests.refresh() });
  readonly #declining = new Action(this, { after: () => this.#requests.refresh() });
  readonly #dialog = new Dialog(this);

  override render(): TemplateResult {
    return html`<div class="page-head"><h1>${t("page.requests")}</h1></div>
      <requests-search .longbox=${this.longbox}></requests-search>
      ${this.#requests.render((requests) => this.#board(requests), { waiting: skeleton() })}
      ${this.#dialog.render(t("page.decline", { title: this.declined?.title ?? "" }), () => this.#declineForm())}`;
  }

  #board({ requests, may }: Requests): TemplateResult {
    if (requests.length === 0)
      return notice({
        heading: t("page.noRequests"),
        text: t("page.searchAboveForWhat"),
        drawing: "box",
      });
    const waiting = requests.filter(({ state: now }) => now === "pending");
    const others = requests.filter(({ state: now }) => now !== "pending");
    return html`${this.#section(t("page.waitingForADecision"), waiting, may)}
    ${this.#section(t("page.decided"), others, may)}`;
  }

  #section(heading: string, requests: readonly Request[], may: Requests["may"]): TemplateResult | typeof nothing {
    if (requests.length === 0) return nothing;
    return html`<section>
      <h2>${heading}</h2>
      <ul>
        ${repeat(
          requests,
          ({ id }) => id,
          (request) => this.#card(request, may),
        )}
      </ul>
    </section>`;
  }

  #card(request: Request, may: Requests["may"]): TemplateResult {
    const [label, look] = states[request.state];
    const about = [request.year, request.publisher, request.authors?.join(", ")].filter(Boolean).join(" · ");
    return html`<li class="card">
      ${cover({ path: request.cover, hasOneWidth: true, title: request.title })}
      <div class="about">
        <h3>
          ${request.seriesId === undefined ? request.title : html`<a href="/series/${request.seriesId}">${request.title}</a>`}
        </h3>
        ${about === "" ? nothing : html`<p class="soft">${about}</p>`}
        <p class="row">
          <span class="tag ${look}">${label}</span>
          <span class="label"
            >${request.mine ? t("page.you") : request.requestedBy}, ${fromNow(request.createdAt)}</span
          >
        </p>
        ${request.note === "" ? nothing : html`<p class="note">${request.note}</p>`}
        ${request.reason ? html`<p class="note soft">${request.decidedBy ? `${request.decidedBy}: ` : ""}${request.reason}</p>` : nothing}
        <div class="row">${this.#vote(request)} ${this.#decisions(request, may)}</div>
      </div>
    </li>`;
  }

  #vote(request: Request): TemplateResult | typeof nothing {
    const isOpen = request.state === "pending" || request.state === "approved";
    const votes = t("page.votes", { votes: request.votes });
    if (request.mine || !isOpen) return request.votes === 0 ? nothing : html`<span class="label">${votes}</span>`;
    return html`<button
      aria-pressed=${request.voted}
      aria-label="${request.voted ? t("page.removeYourVoteFor") : t("page.voteFor")} ${request.title}, ${votes}"
      ?disabled=${this.#action.busy}
      @click=${() => this.#action.run(() => this.post(`/api/requests/${request.id}/vote`, { on: !request.voted }))}
    >
      ${icon("heart")} ${request.votes}
    </button>`;
  }

  #decisions(request: Request, may: Requests["may"]): TemplateResult | typeof nothing {
    if (request.state !== "pending") return nothing;
    const { busy } = this.#action;
    const { id, title } = request;
    const approve = (download: boolean) =>
      this.#action.run(() => this.post(`/api/requests/${id}/approve`, { download }), t("page.wasApproved", { title }));
    const deciding = html`<button
        class="primary"
        aria-label=${t("page.approve", { title })}
        ?disabled=${busy}
        @click=${() => approve(this.longbox.may("downloads.grab"))}
      >
        ${t("page.approve2")}
      </button>
      <button
        aria-label=${t("page.decline", { title })}
        aria-haspopup="dialog"
        ?disabled=${busy}
        @click=${() => this.#decline(request)}
      >
        ${t("page.decline2")}
      </button>`;
    const withdrawing = html`<button
      class="quiet"
      aria-label=${t("page.withdraw", { title })}
      ?disabled=${busy}
      @click=${() => this.#action.run(() => this.longbox.api(`/api/requests/${id}`, { method: "DELETE" }), t("page.wasWithdrawn", { title }))}
    >
      ${t("page.withdraw2")}
    </button>`;
    return html`${may.manage ? deciding : nothing} ${request.mine ? withdrawing : nothing}`;
  }

  #decline(request: Request): void {
    this.declined = request;
    void this.#dialog.open();
  }

  #declineForm(): TemplateResult {
    return html`<form class="stack" @submit=${this.#sendDecline}>
      ${field({ name: "reason", label: t("page.why"), hint: t("page.shownToTheUser") })}
      ${problem(this.#declining.problem)}
      <div class="row end"><button class="danger" ?disabled=${this.#declining.busy}>${t("page.decline2")}</button></div>
    </form>`;
  }

  readonly #sendDecline = async (event: SubmitEvent): Promise<void> => {
    const { reason = "" } = submitted(event);
    const { declined } = this;
    if (!declined) return;
    const body = reason.trim() === "" ? {} : { reason };
    const done = await this.#declining.run(
      () => this.post(`/api/requests/${declined.id}/decline`, body),
      t("page.wasDeclined", { title: declined.title }),
    );
    if (done) this.#dialog.close();
  };
}
