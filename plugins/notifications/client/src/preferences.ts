import type { Choices, Preferences } from "@longbox/notifications/api";
import { choice, toggle } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";

/** How the preferences are changed. */
export interface PreferenceEditing {
  readonly isBusy: boolean;
  keep(preferences: Preferences): void;
}

type Category = "import" | "failure" | "release" | "request" | "system";
const words: Readonly<Record<Category, { title: string; about: string }>> = {
  import: { title: "New in the library", about: "What was added, several things in one message" },
  failure: { title: "Failed downloads", about: "And how to solve the problem" },
  release: { title: "Releases", about: "New releases of series that you follow" },
  request: { title: "Requests", about: "Decisions on your requests" },
  system: { title: "The server", about: "Failed jobs, and addresses that stopped working" },
};

/** What the user is told of, and where. */
export function kindsOf({ preferences, addresses }: Choices, editing: PreferenceEditing): TemplateResult {
  return html`<section class="card">
    <h2>What you are told</h2>
    <div class="scrolls">
      <table>
        <thead>
          <tr>
            <th scope="col">About</th>
            <th scope="col">Here</th>
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
          label: "New in the library",
          choices: [
            ["all", "of every series"],
            ["followed", "of followed series"],
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
    <td>${box({ label: `${title}: here`, isOn: chosen.inApp, isDisabled }, (inApp) => put({ inApp }))}</td>
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
      <h2>Quiet hours</h2>
      ${toggle({ label: "Quiet hours", isLabelHidden: true }, quiet !== null, start)}
    </div>
    <p class="soft">
      No messages are sent to your addresses during these hours. They are sent afterwards, and shown here at once.
    </p>
    ${
      quiet
        ? html`<div class="row">
            ${time("From", quiet.from, (from) => editing.keep({ ...preferences, quiet: { ...quiet, from } }))}
            ${time("To", quiet.to, (to) => editing.keep({ ...preferences, quiet: { ...quiet, to } }))}
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
