import type { Activity } from "@longbox/sdk/client";
import { Resource } from "@longbox/sdk/ui";
import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { ActivitySource } from "../shell/contributions.js";
import { described } from "../shell/saying/described.js";
import { Watch } from "../shell/observable.js";
import type { Shell } from "../shell/shell.js";

/** Work that reports its progress many times a second is looked at this often, in milliseconds. */
const pauseMs = 500;

export interface FoundActivity {
  readonly source: ActivitySource;
  readonly activity: Activity;
}

type Host = ReactiveControllerHost & { readonly longbox: Shell };

/** What the sources of activity of the plugins that run last answered, asked again when something changed. */
export class FollowedActivity implements ReactiveController {
  readonly #host: Host;
  readonly #followed = new Map<string, { readonly source: ActivitySource; readonly answer: Resource<Activity> }>();

  constructor(host: Host) {
    this.#host = host;
    host.addController(this);
    new Watch(host, () => [host.longbox.contributions.parts, host.longbox.session.state]);
  }

  /** Those that have answered, in order. */
  found(): readonly FoundActivity[] {
    return [...this.#followed.values()].flatMap(({ source, answer }) =>
      answer.value ? [{ source, activity: answer.value }] : [],
    );
  }

  hostUpdate(): void {
    const { longbox } = this.#host;
    const sources = longbox.contributions.activity((permission) => longbox.may(permission));
    const wanted = new Map(sources.map((source) => [JSON.stringify(source), source]));
    for (const [key, { answer }] of this.#followed) {
      if (wanted.has(key)) continue;
      answer.hostDisconnected();
      this.#host.removeController(answer);
    }
    const before = new Map(this.#followed);
    this.#followed.clear();
    for (const [key, source] of wanted)
      this.#followed.set(key, before.get(key) ?? { source, answer: this.#follow(source) });
  }

  #follow({ path, domains }: ActivitySource): Resource<Activity> {
    return new Resource<Activity>(this.#host, {
      path,
      domains,
      delayMs: pauseMs,
      fetch: async (from, signal) => this.#described(await this.#host.longbox.api<Activity>(from, { signal })),
    });
  }

  async #described(answer: Activity): Promise<Activity> {
    const { texts } = this.#host.longbox;
    await texts.load();
    return described(answer, texts) as Activity;
  }
}
