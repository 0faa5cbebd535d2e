import type { ServerTexts } from "./saying/server-texts.js";
import type { ClientPart } from "@longbox/kernel/api";
import type { Releasable } from "@longbox/sdk";
import type { BadgedFacts, ClientSubjects, LongboxClient, OfferedAction } from "@longbox/sdk/client";
import { confirm, showDialog, t } from "@longbox/sdk/ui";
import { fillPath, fillText, fillBody, fits } from "./action-templates.js";
import { allowed, type Contributions } from "./contributions.js";
import { failureNotice } from "./loading.js";
import { followJob } from "./following-jobs.js";

type DeclaredAction = ClientPart["actions"][number];

/** What `Offers` needs from the shell. */
interface OfferingShell extends LongboxClient {
  readonly contributions: Contributions;
  readonly texts: ServerTexts;
  /** What contributed elements get. */
  readonly forPlugins: LongboxClient;
}

const mostIdsAtOnce = 200;

/** The actions and badges of active plugins for the series and issues that are shown. */
export class Offers {
  readonly #shell: OfferingShell;

  constructor(shell: OfferingShell) {
    this.#shell = shell;
  }

  actions(subjects: ClientSubjects): readonly OfferedAction[] {
    if (subjects.items.length === 0) return [];
    return this.#parts
      .flatMap((part) => part.actions.map((action) => ({ part, action })))
      .filter(({ action }) => allowed(action, this.#may) && fits(action, subjects))
      .sort((one, other) => one.action.order - other.action.order)
      .map(({ part, action }) => this.#offer(part, action, subjects));
  }

  async badges(kind: string, ids: readonly number[]): Promise<ReadonlyMap<number, BadgedFacts>> {
    const sources = this.#parts.flatMap((part) =>
      part.badges.filter((source) => source.subjects.includes(kind) && allowed(source, this.#may)),
    );
    const answers = await Promise.all(
      sources.flatMap(({ path }) => chunks(ids).map((some) => this.#ask(path, kind, some))),
    );
    const found = new Map<number, BadgedFacts>();
    for (const { id, badges, facts } of answers.flat()) {
      const earlier = found.get(id);
      const said = badges.map((badge) => ({ ...badge, label: this.#shell.texts.said(badge.label) }));
      found.set(id, { badges: [...(earlier?.badges ?? []), ...said], facts: { ...earlier?.facts, ...facts } });
    }
    return found;
  }

  /**
   * @param listener - Called when plugins were started or stopped, and when a domain changed that a source of badges
   * names
   */
  onChanged(listener: () => void): Releasable {
    const domains = new Set(this.#parts.flatMap((part) => part.badges.flatMap((source) => source.domains)));
    const held = [
      this.#shell.contributions.parts.subscribe(listener),
      ...[...domains].map((domain) => this.#shell.onChanged(domain, listener)),
    ];
    return { release: () => held.forEach((one) => void one.release()) };
  }

  get #parts(): readonly ClientPart[] {
    return this.#shell.contributions.parts.value;
  }

  readonly #may = (permission: string): boolean => this.#shell.may(permission);

  async #ask(path: string, kind: string, ids: readonly number[]) {
    const answer = await this.#shell
      .api<{ items: ReadonlyArray<BadgedFacts & { readonly id: number }> }>(path, {
        method: "POST",
        body: { kind, ids },
      })
      // When one plugin fails, the badges of the others are still shown.
      .catch(() => ({ items: [] }));
    return answer.items;
  }

  #offer(part: ClientPart, action: DeclaredAction, subjects: ClientSubjects): OfferedAction {
    const [first = {}] = subjects.items;
    return {
      id: `${part.name}.${action.id}`,
      label: fillText(action.label, subjects),
      icon: action.icon,
      isPrimary: action.primary,
      isDangerous: action.danger,
      href: action.href === undefined ? undefined : fillPath(action.href, first),
      run: () => this.#run(part, action, subjects),
    };
  }

  async #run(part: ClientPart, action: DeclaredAction, subjects: ClientSubjects): Promise<void> {
    const [first = {}] = subjects.items;
    try {
      if (action.confirm && !(await asked(action, subjects))) return;
      if (action.href !== undefined) this.#shell.navigate(fillPath(action.href, first));
      if (action.element !== undefined)
        await this.#show(part, { element: action.element, heading: action.heading ?? action.label }, subjects);
      if (action.call) await this.#call(action, action.call, subjects);
    } catch (thrown) {
      const [message, notice] = failureNotice(thrown);
      this.#shell.notify(message, { ...notice, level: "danger" });
    }
  }

  async #show(
    part: ClientPart,
    { element, heading }: { readonly element: string; readonly heading: string },
    subjects: ClientSubjects,
  ): Promise<void> {
    await this.#shell.contributions.define(part, element);
    const content = Object.assign(document.createElement(element), {
      longbox: this.#shell.forPlugins,
      subject: { ...subjects, [subjects.kind]: subjects.items[0] },
    });
    await showDialog({ heading: fillText(heading, subjects), content });
  }

  async #call(
    action: DeclaredAction,
    call: NonNullable<DeclaredAction["call"]>,
    subjects: ClientSubjects,
  ): Promise<void> {
    const answer = await this.#shell.api<{ jobId?: unknown } | undefined>(
      fillPath(call.path, subjects.items[0] ?? {}),
      {
        method: call.method,
        ...(call.body && { body: fillBody(call.body, subjects.items) }),
      },
    );
    const done = fillText(call.done ?? t("offers.done", { label: action.label }), subjects);
    if (typeof answer?.jobId === "number") return followJob(this.#shell, answer.jobId, { label: action.label, done });
    this.#shell.notify(done, { level: "success" });
  }
}

async function asked(action: DeclaredAction, subjects: ClientSubjects): Promise<boolean> {
  const { title = "", text = "", action: verb = "" } = action.confirm ?? {};
  const question = { heading: fillText(title, subjects), text: fillText(text, subjects), action: verb };
  return (await confirm({ ...question, isDangerous: action.danger })) !== undefined;
}

function chunks(ids: readonly number[]): ReadonlyArray<readonly number[]> {
  return Array.from({ length: Math.ceil(ids.length / mostIdsAtOnce) }, (_, at) =>
    ids.slice(at * mostIdsAtOnce, (at + 1) * mostIdsAtOnce),
  );
}
