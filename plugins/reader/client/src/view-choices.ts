import { t } from "@longbox/sdk/ui";
import type { LongboxClient } from "@longbox/sdk/client";
import type { OpenIssue } from "@longbox/reader/api";
import { usualChoices, type Choices } from "./chrome/choices.js";
import { keepCoverAlone, keepProfile, readCoverAlone, readProfile, type Profile } from "./chrome/device-profile.js";

const ofTheDevice = ["trim", "stage", "colours", "taps", "speed"] as const;
const privately = "longbox.reader.private";

/** The view options of an open issue, and where each of them is kept: with the series, on the device, or not at all. */
export class ViewChoices {
  readonly #longbox: LongboxClient;
  readonly #issue: OpenIssue;
  #now: Choices;
  #isStrip = false;

  constructor(longbox: LongboxClient, issue: OpenIssue) {
    this.#longbox = longbox;
    this.#issue = issue;
    this.#now = this.#read();
  }

  get now(): Choices {
    return this.#now;
  }

  /** The type whose options apply on this device. */
  get profile(): string {
    return this.#isStrip ? "strip" : this.#issue.type;
  }

  /** Strips are read with options of their own. */
  setStrip(isStrip: boolean): void {
    if (isStrip === this.#isStrip) return;
    this.#isStrip = isStrip;
    this.#now = { ...this.#read(), rotation: this.#now.rotation };
  }

  choose(change: Partial<Choices>): void {
    const before = this.#now;
    this.#now = { ...before, ...change };
    const kept = ofTheDevice.filter((name) => name in change);
    if (kept.length > 0) keepProfile(this.profile, pick(this.#now, kept));
    if ("coverAlone" in change) keepCoverAlone(this.#issue.cvIssueId, this.#now.coverAlone);
    const { mode, direction, fit } = this.#now;
    void this.#keepForSeries({
      ...(mode !== before.mode && { mode }),
      ...(direction !== before.direction && { direction }),
      ...(fit !== before.fit && { fit }),
    });
  }

  /**
   * Uses the pages' arrangement and size for all series of this type on this device that have no choice of their own.
   */
  keepForType(): void {
    keepProfile(this.profile, pick(this.#now, ["mode", "fit"]));
  }

  #read(): Choices {
    const { preferences, direction, cvIssueId } = this.#issue;
    const profile = readProfile(this.profile);
    return {
      ...usualChoices(this.#isStrip),
      ...profile,
      mode: preferences.mode ?? profile.mode ?? "auto",
      fit: preferences.fit ?? profile.fit ?? "page",
      direction,
      coverAlone: readCoverAlone(cvIssueId),
    };
  }

  /** Sends only what was changed. Other options follow the user's general preferences and the file. */
  async #keepForSeries(change: Partial<OpenIssue["preferences"]>): Promise<void> {
    if (Object.keys(change).length === 0) return;
    try {
      await this.#longbox.api(`/api/reader/series/${this.#issue.seriesId}/preferences`, {
        method: "POST",
        body: change,
      });
    } catch {
      this.#longbox.notify(t("viewChoices.theChoiceCouldNot"), { level: "warning" });
    }
  }
}

/** Whether reading in this window is private: nothing is recorded until the window is closed. */
export function isPrivate(): boolean {
  try {
    return sessionStorage.getItem(privately) === "yes";
  } catch {
    // A browser without storage: private reading lasts until the reader is closed.
    return false;
  }
}

export function keepPrivate(on: boolean): void {
  try {
    if (on) sessionStorage.setItem(privately, "yes");
    else sessionStorage.removeItem(privately);
  } catch {
    // As above.
  }
}

function pick<K extends keyof Profile>(choices: Choices, names: readonly K[]): Pick<Profile, K> {
  const picked: Partial<Pick<Profile, K>> = {};
  for (const name of names) Object.assign(picked, { [name]: choices[name] });
  return picked as Pick<Profile, K>;
}
