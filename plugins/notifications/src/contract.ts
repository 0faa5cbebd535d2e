import { contract, extensionPoint } from "@longbox/sdk";

/** What a notification is about; users choose for each where it reaches them. */
export type Category = "import" | "failure" | "release" | "request" | "system";

export type Level = "info" | "success" | "warning" | "error";

export interface Notice {
  readonly category: Category;
  /** Default `info`. */
  readonly level?: Level | undefined;
  /** One line, at most 200 characters. */
  readonly title: string;
  /** Plain text, at most 2,000 characters. Default empty. */
  readonly body?: string | undefined;
  /** A path of this server that shows more, such as `/series/4`. */
  readonly url?: string | undefined;
  /** The series that it names. A user who may not know of one of them never hears of it, nor sees it later. */
  readonly seriesIds?: readonly number[] | undefined;
  /** An unread notification with the same key is replaced, so that what repeats does not pile up. At most 200 characters. */
  readonly key?: string | undefined;
}

/** Who is told: users by id, active users with a permission, or users who follow one of the notice's series. */
export interface Recipients {
  readonly userIds?: readonly number[] | undefined;
  readonly permission?: string | undefined;
  readonly followers?: boolean | undefined;
}

/** Tells users what happened, in the interface and over the channels that they chose. */
export interface NotificationsContract {
  /**
   * Notifies each named user once, except those who may not see the series that it names. Resolves once it is stored;
   * channels are served afterwards, and repeated when they fail.
   * @returns the ids of the users who were told
   */
  notify(notice: Notice, recipients: Recipients): Promise<readonly number[]>;
}
export const Notifications = contract<NotificationsContract>("notifications", "1.0.0");

/** What a channel is given to send. */
export interface ChannelMessage {
  /** Stable over repetitions: a receiver that has seen it may ignore the rest. */
  readonly id: string;
  readonly category: Category;
  readonly level: Level;
  readonly title: string;
  readonly body: string;
  /** An absolute URL; undefined where the server's public address is not set. */
  readonly url: string | undefined;
  /** ISO 8601 in UTC. */
  readonly at: string;
}

/** One thing that a user enters to be reached, such as the address of a webhook. */
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
  /** The user may enter any address; otherwise only public ones may be connected to. */
  readonly trusted: boolean;
  readonly signal: AbortSignal;
}

/** What became of a message. */
export type ChannelOutcome =
  | {
      readonly sent: true;
      /** One line on what was answered. */
      readonly answer: string;
    }
  | {
      readonly sent: false;
      readonly reason: string;
      /** `later`: it is repeated, within bounds. `never`: this message is given up. `gone`: the address will never work again. */
      readonly again: "later" | "never" | "gone";
      /** What the receiver asked for. */
      readonly retryAfterSeconds?: number | undefined;
    };

/** A way to reach users outside of the interface. */
export interface NotificationChannel {
  /** Stable and unique, such as `webhook`. */
  readonly id: string;
  readonly label: string;
  readonly fields: readonly ChannelField[];
  /** Why it cannot be used now, such as a mail server that is not set; undefined when it can. */
  unavailable?(): Promise<string | undefined>;
  /** What is wrong with values of the fields, by name; empty when they can be used. */
  check?(fields: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>>;
  /** Sends one message. What it throws counts as a failure that may pass. */
  send(delivery: ChannelDelivery): Promise<ChannelOutcome>;
}
export const NotificationChannels = extensionPoint<NotificationChannel>("notificationChannels", "1.0.0");
