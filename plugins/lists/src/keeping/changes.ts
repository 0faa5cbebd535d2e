import type { PluginContext, Releasable, Topic } from "@longbox/sdk";
import type { ListRecord } from "./list-records.js";

const libraryRestMs = 1_000;

/** Publishes changes of lists to clients and other plugins, and drops cached summaries. */
export class Changes implements Releasable {
  /** The ids of the lists; empty when they are not known. */
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

  /** A list became public or private, so that other users gain or lose access. */
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

  /**
   * The library changed, and with it the content of lists. Notifications are throttled, because a scan changes it
   * constantly.
   */
  announceLibrary(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#context.changed("lists");
    }, libraryRestMs);
  }

  release(): void {
    clearTimeout(this.#timer);
  }

  /** The lists with certain issues changed. */
  announceUnknown(): void {
    this.topic.publish([]);
    this.#context.changed("lists");
  }
}
