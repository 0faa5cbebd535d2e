import { element, LongboxElement, messageOf, t } from "@longbox/sdk/ui";
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import type { NameExample, NamingPreview } from "@longbox/files/api";
import { style } from "./style.js";
import { named } from "./wording.js";

/** Waits until the user has finished typing a word. */
const quietMs = 200;

/** Below the settings of the files: the names that the patterns make, as they are being typed. */
@element("files-naming-preview")
export class FilesNamingPreview extends LongboxElement<{ readonly values?: Readonly<Record<string, unknown>> }> {
  @state() private preview: NamingPreview | undefined;
  @state() private problem: string | undefined;
  #shown = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking: AbortController | undefined;

  static override styles = [
    style,
    css`
      section {
        display: grid;
        gap: var(--lb-space-3);
        padding-top: var(--lb-space-4);
        border-top: 1px solid var(--lb-line);
      }
      ul {
        gap: 0;
      }
      li {
        display: grid;
        gap: var(--lb-space-1);
        padding: var(--lb-space-2) 0;
        border-bottom: 1px solid var(--lb-line);
      }
      li:last-child {
        border-bottom: 0;
      }
      .path {
        font: var(--lb-text-s) / 1.5 var(--lb-font-mono);
        overflow-wrap: anywhere;
      }
      .folder {
        color: var(--lb-ink-soft);
      }
      .of {
        font-size: var(--lb-text-s);
      }
    `,
  ];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
    this.#asking?.abort();
    this.#shown = "";
  }

  override updated(changed: PropertyValues<this>): void {
    if (!changed.has("subject")) return;
    const wanted = JSON.stringify(this.#patterns);
    if (wanted === this.#shown) return;
    const isFirst = this.#shown === "";
    this.#shown = wanted;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(), isFirst ? 0 : quietMs);
  }

  override render(): TemplateResult {
    return html`<section aria-labelledby="preview">
      <h3 id="preview">${t("namingPreview.namesThatThesePatterns")}</h3>
      <div role="status">${this.#says()}</div>
      ${
        this.preview && this.preview.examples.length > 0
          ? html`<ul>
              ${this.preview.examples.map((example) => this.#example(example))}
            </ul>`
          : nothing
      }
    </section>`;
  }

  #says(): TemplateResult | typeof nothing {
    if (this.problem !== undefined) return html`<p class="problem">${this.problem}</p>`;
    if (!this.preview) return html`<p class="soft">${t("namingPreview.oneMoment")}</p>`;
    const { errors, examples, example } = this.preview;
    if (errors.length > 0) return html`${errors.map((error) => html`<p class="problem">${sentence(error)}</p>`)}`;
    return examples.length > 0
      ? nothing
      : html`<p class="soft">${t("namingPreview.theLibraryIsEmpty")}</p>
          <p class="path">${path(example)}</p>`;
  }

  #example({ series, year, number, path: made, unknown, ownFolderPattern }: NameExample): TemplateResult {
    return html`<li>
      <span class="path"
        >${made === null ? html`<span class="problem">${t("namingPreview.noNameCanBe")}</span>` : path(made)}</span
      >
      <span class="soft of"
        >${named(series, year)}, ${number}.
        ${unknown.length === 0 ? nothing : t("namingPreview.notKnownHere", { unknown: unknown.map((token) => `{${token}}`).join(", ") })}
        ${ownFolderPattern ? t("namingPreview.itsLibraryHasIts") : nothing}</span
      >
    </li>`;
  }

  async #ask(): Promise<void> {
    this.#asking?.abort();
    const asking = new AbortController();
    this.#asking = asking;
    try {
      this.preview = await this.longbox.api<NamingPreview>("/api/naming/preview", {
        method: "POST",
        body: this.#patterns,
        signal: asking.signal,
      });
      this.problem = undefined;
    } catch (fault) {
      if (!asking.signal.aborted) this.problem = messageOf(fault);
    }
  }

  get #patterns(): { folderPattern?: string; filePattern?: string } {
    const text = (key: string) =>
      typeof this.subject.values?.[key] === "string" ? { [key]: this.subject.values[key] } : {};
    return { ...text("folderPattern"), ...text("filePattern") };
  }
}

function path(made: string): TemplateResult {
  const cut = made.lastIndexOf("/") + 1;
  return html`<span class="folder">${made.slice(0, cut)}</span>${made.slice(cut)}`;
}

/** `filePattern: needs {issue}` as the form calls it. */
function sentence(error: string): string {
  return error
    .replace(/^folderPattern:/, t("namingPreview.folders"))
    .replace(/^filePattern:/, t("namingPreview.files"));
}
