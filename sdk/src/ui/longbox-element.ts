import { LitElement, type PropertyDeclarations } from "lit";
import type { ClientSubject, LongboxClient } from "../client.js";

/**
 * What the elements of a plugin extend: a LitElement with the properties that the web interface sets.
 * @typeParam Subject - What stands in `subject`: the parameters of a page (`{ shelfId?: string }` for
 * `/shelves/:shelfId`) or what the owner of a slot says. An element within another one has none, so every member is
 * optional.
 * @typeParam Client - More than {@link LongboxClient} where the element is part of a site of its own.
 */
export class LongboxElement<
  Subject extends object = ClientSubject,
  Client extends LongboxClient = LongboxClient,
> extends LitElement {
  static override properties: PropertyDeclarations = { longbox: { attribute: false }, subject: { attribute: false } };

  declare longbox: Client;
  declare subject: Subject;

  constructor() {
    super();
    this.subject = {} as Subject;
  }

  /** Sends JSON to a path of the API. @throws {ApiError} When the answer is not good. */
  protected post<T>(path: string, body: unknown = {}): Promise<T> {
    return this.longbox.api<T>(path, { method: "POST", body });
  }
}
