import { contract, extensionPoint, type LocalizedText } from "@longbox/sdk";

/** The category of a notification; users choose the addresses for each. */
export type Category = "import" | "failure" | "release" | "request" | "system";

export type Level = "info" | "success" | "warning" | "error";

export interface Notice {
  readonly category: Category;
  /** Default `info`. */
  readonly level?: Level | undefined;
  /**
   * One line, at most 200 characters. Each recipient reads a text in several languages in their own: in the interface
   * as in messages. `pluginMessages` of `@longbox/sdk/messages` makes such texts from the messages of a plugin.
   */
  readonly title: string | LocalizedText;
  /** Plain text, at most 2,000 characters. Default empty. */
  readonly body?: string | LocalizedText | undefined;
  /** A path of this server that shows more, such as `/series/4`. */
  readonly url?: string | undefined;
  /** The series that it names. It is hidden from users who may not see one of them. */
  readonly seriesIds?: readonly number[] | undefined;
  /**
   * An unread notification with the same key is replaced, so that repeated events do not accumulate. At most 200
   * characters.
   */
  readonly key?: string | undefined;
}

/** The recipients: users by id, active users with a permission, or users who follow one of the notice's series. */
export interface Recipients {
  readonly userIds?: readonly number[] | undefined;
  readonly permission?: string | undefined;
  readonly followers?: boolean | undefined;
}

/** Notifies users, in the interface and over the channels that they chose. */
export interface NotificationsContract {
  /**
   * Notifies each named user once, except those who may not see the series that it names. Resolves once it is stored;
   * messages are sent over channels afterwards, and repeated when that fails.
   * @returns the ids of the users who were notified
   */
  notify(notice: Notice, recipients: Recipients): Promise<readonly number[]>;
}
export const Notifications = contract<NotificationsContract>("notifications", "1.1.0");

/** The message that a channel sends. */
export interface ChannelMessage {
  /** The same for repeated attempts, so that a receiver can ignore duplicates. */
  readonly id: string;
  readonly category: Category;
  readonly level: Level;
  readonly title: string;
  readonly body: string;
  /** The tag of the language that was asked for: that of the recipient; undefined where it is not known. */
  readonly language?: string | undefined;
  /** An absolute URL; undefined where the server's public address is not set. */
  readonly url: string | undefined;
  /** ISO 8601 in UTC. */
  readonly at: string;
}

/** One field that a user fills in to add an address, such as the URL of a webhook. */
export interface ChannelField {
  /** The name in `fields`; letters and digits. */
  readonly name: string;
  readonly label: string;
  readonly kind: "text" | "url" | "email";
  readonly required: boolean;
  /** Shown as `********` once it is set, and never sent out. */
  readonly secret?: boolean | undefined;
  readonly hint?: string | undefined;
}

export interface ChannelDelivery {
  readonly message: ChannelMessage;
  /** What the user entered, by the names of the fields. */
  readonly fields: Readonly<Record<string, string>>;
  /** Whether the user may enter any address; otherwise only public ones are allowed. */
  readonly trusted: boolean;
  readonly signal: AbortSignal;
}

/** The result of sending a message. */
export type ChannelOutcome =
  | {
      readonly sent: true;
      /** One line about the answer. */
      readonly answer: string;
    }
  | {
      readonly sent: false;
      readonly reason: string;
      /**
       * `later`: it is repeated, up to a limit. `never`: this message is dropped. `gone`: the address no longer works.
       */
      readonly again: "later" | "never" | "gone";
      /** The delay that the receiver requested. */
      readonly retryAfterSeconds?: number | undefined;
    };

/** A way to reach users outside of the interface. */
export interface NotificationChannel {
  /** Stable and unique, such as `webhook`. */
  readonly id: string;
  readonly label: string;
  readonly fields: readonly ChannelField[];
  /**
   * Nothing is sent to an address before its owner has entered a code that was sent there: for addresses that belong to
   * people who did not ask for messages, such as those of e-mail.
   */
  readonly verified?: boolean | undefined;
  /** Why it cannot be used, such as a missing mail server; undefined when it can. */
  unavailable?(): Promise<string | undefined>;
  /** Validates the fields. Returns messages by field name; empty when all are valid. */
  check?(fields: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>>;
  /** Sends one message. An error that it throws counts as temporary. */
  send(delivery: ChannelDelivery): Promise<ChannelOutcome>;
}
export const NotificationChannels = extensionPoint<NotificationChannel>("notificationChannels", "1.0.0");
