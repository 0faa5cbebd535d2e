import type { Choices, Preferences } from "@longbox/notifications/api";
import { choice, t, toggle } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";

/** How the preferences are changed. */
export interface PreferenceEditing {
  readonly isBusy: boolean;
  /** Never rejects. */
  keep(preferences: Preferences): Promise<unknown>;
}

type Category = "import" | "failure" | "release" | "request" | "system";
const words: Readonly<Record<Category, { title: string; about: string }>> = {
  import: { title: t("preferences.newInTheLibrary"), about: t("preferences.whatWasAddedSeveral") },
  failure: { title: t("preferences.failedDownloads"), about: t("preferences.andHowToSolve") },
  release: { title: t("preferences.releases"), about: t("preferences.newReleasesOfSeries") },
  request: { title: t("preferences.requests"), about: t("preferences.decisionsOnYourRequests") },
  system: { title: t("preferences.theServer"), about: t("preferences.failedJobsAndAddresses") },
};

/** What the user is told of, and where. */
export function kindsOf({ preferences, addresses }: Choices, editing: PreferenceEditing): TemplateResult {
  return html`<section class="card">
    <h2>${t("preferences.whatYouAreTold")}</h2>
    <div class="scrolls">
      <table>
        <thead>
          <tr>
            <th scope="col">${t("preferences.about")}</th>
            <th scope="col">${t("preferences.here")}</th>
            ${addresses.map(({ name }) => html`<th scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${(Object.keys(words) as Category[]).map((category) => row(category, { preferences, addresses }, editing))}
        </tbody>
      </table>
    </div>
    <div class="row">
      ${choice(
        {
          label: t("preferences.newInTheLibrary"),
          choices: [
            ["all", t("preferences.ofEverySeries")],
            ["followed", t("preferences.ofFollowedSeries")],
          ],
        },
        preferences.imports,
        (imports) => editing.keep({ ...preferences, imports }),
      )}
    </div>
  </section>`;
}

function row(
  category: Category,
  { preferences, addresses }: Pick<Choices, "preferences" | "addresses">,
  editing: PreferenceEditing,
): TemplateResult {
  const { title, about } = words[category];
  const chosen = preferences[category];
  const { isBusy: isDisabled } = editing;
  const put = (change: Partial<typeof chosen>) =>
    editing.keep({ ...preferences, [category]: { ...chosen, ...change } });
  return html`<tr>
    <th scope="row">${title}<br /><span class="soft">${about}</span></th>
    <td>
      ${box({ label: t("preferences.here2", { title }), isOn: chosen.inApp, isDisabled }, (inApp) => put({ inApp }))}
    </td>
    ${addresses.map(({ id, name }) => {
      const others = chosen.addresses.filter((other) => other !== id);
      return html`<td>
        ${box({ label: `${title}: ${name}`, isOn: chosen.addresses.includes(id), isDisabled }, (on) => put({ addresses: on ? [...others, id] : others }))}
      </td>`;
    })}
  </tr>`;
}

function box(
  { label, isOn, isDisabled }: { readonly label: string; readonly isOn: boolean; readonly isDisabled: boolean },
  changed: (isOn: boolean) => void,
): TemplateResult {
  return html`<label
    ><input
      type="checkbox"
      aria-label=${label}
      .checked=${isOn}
      ?disabled=${isDisabled}
      @change=${(event: Event) => changed((event.target as HTMLInputElement).checked)}
  /></label>`;
}

/** The hours in which nothing is sent. */
export function quietHoursOf({ preferences }: Choices, editing: PreferenceEditing): TemplateResult {
  const { quiet } = preferences;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const start = (isOn: boolean) =>
    editing.keep({ ...preferences, quiet: isOn ? { from: "22:00", to: "07:00", timeZone } : null });
  return html`<section class="card">
    <div class="row spread">
      <h2>${t("preferences.quietHours")}</h2>
      ${toggle({ label: t("preferences.quietHours"), isLabelHidden: true }, quiet !== null, start)}
    </div>
    <p class="soft">${t("preferences.noMessagesAreSent")}</p>
    ${
      quiet
        ? html`<div class="row">
            ${time(t("preferences.from"), quiet.from, (from) => editing.keep({ ...preferences, quiet: { ...quiet, from } }))}
            ${time(t("preferences.to"), quiet.to, (to) => editing.keep({ ...preferences, quiet: { ...quiet, to } }))}
            <span class="label">${quiet.timeZone}</span>
          </div>`
        : nothing
    }
  </section>`;
}

function time(label: string, value: string, changed: (value: string) => void): TemplateResult {
  return html`<label
    >${label}
    <input
      type="time"
      required
      .value=${value}
      @change=${(event: Event) => {
        const input = event.target as HTMLInputElement;
        if (input.value !== "") changed(input.value);
      }}
  /></label>`;
}
