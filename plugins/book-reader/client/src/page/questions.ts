import { percent, t } from "@longbox/sdk/ui";
import { html, type TemplateResult } from "lit";
import type { Session } from "./session.js";
import { deviceLabel } from "./this-device.js";

/** Asks whether to go where the user is further: on another device, else in the audiobook. */
export function question(session: Session): TemplateResult {
  const { further, listened } = session;
  if (further)
    return ask(t("questions.youAreAtOn", { fraction: share(further.fraction), device: deviceLabel(further.device) }), {
      go: () => session.goFurther(),
      stay: () => session.stayHere(),
    });
  if (!listened) return html``;
  return ask(t("questions.youListenedTo", { fraction: share(listened.fraction), chapter: within(listened.chapter) }), {
    go: () => session.goWhereListened(),
    stay: () => session.stayBehindListened(),
  });
}

function ask(text: string, { go, stay }: { go(): Promise<void>; stay(): void }): TemplateResult {
  return html`<div class="question" role="status">
    <p>${text}</p>
    <button type="button" class="primary" @click=${() => void go()}>${t("questions.goThere")}</button>
    <button type="button" @click=${stay}>${t("questions.stayHere")}</button>
  </div>`;
}

export const share = (fraction: number) => percent(Math.round(fraction * 100), 100);

export const within = (chapter: string | undefined) => (chapter ? ` (${chapter})` : "");
