import type { PluginContext, Releasable, Topic } from "@longbox/sdk";
import type { ListRecord } from "./list-records.js";

const libraryRestMs = 1_000;

/** Tells clients, other plugins and what is remembered that lists changed. */
export class Changes implements Releasable {
  /** The ids of the lists; none when it is not known which. */
  readonly topic: Topic<readonly number[]>;
  readonly #context: Pick<PluginContext, "changed">;
  #timer: NodeJS.Timeout | undefined;

  constructor(context: Pick<PluginContext, "changed" | "topic">) {
    this.#context = context;
    this.topic = context.topic("lists-changed");
  }

  /** @param list - As it is, or was before it was removed: only its owner can see a private one */
  announce(list: Pick<ListRecord, "id" | "user_id" | "public">): void {
    this.topic.publish([list.id]);
    this.#context.changed("lists", list.public === 1 ? undefined : { userIds: [list.user_id] });
  }

  /** A list became public or private, so that others see it or see it no more. */
  announceToAll(listId: number): void {
    this.topic.publish([listId]);
    this.#context.changed("lists");
  }

  /** The lists of an account that was deleted. */
  announceGone(listIds: readonly number[]): void {
    if (listIds.length === 0) return;
    this.topic.publish(listIds);
    this.#context.changed("lists");
  }

  /** The library changed, and with it what lists show. A scan changes it without end, so clients hear of it now and then. */
  announceLibrary(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#context.changed("lists");
    }, libraryRestMs);
  }

  release(): void {
    clearTimeout(this.#timer);
  }

  /** Some lists changed, wherever certain issues are. */
  announceUnknown(): void {
    this.topic.publish([]);
    this.#context.changed("lists");
  }
}
