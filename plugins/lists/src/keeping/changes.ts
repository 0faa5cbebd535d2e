import type { PluginContext, Topic } from "@longbox/sdk";

/** Tells clients, other plugins and what is remembered that lists changed. */
export class Changes {
  /** The ids of the lists; none when it is not known which. */
  readonly topic: Topic<readonly number[]>;
  readonly #context: Pick<PluginContext, "changed">;

  constructor(context: Pick<PluginContext, "changed" | "topic">) {
    this.#context = context;
    this.topic = context.topic("lists-changed");
  }

  announce(...listIds: number[]): void {
    if (listIds.length === 0) return;
    this.topic.publish(listIds);
    this.#context.changed("lists");
  }

  /** Some lists changed, wherever certain issues are. */
  announceUnknown(): void {
    this.topic.publish([]);
    this.#context.changed("lists");
  }
}
