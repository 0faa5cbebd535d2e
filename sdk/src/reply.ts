import type { Readable } from "node:stream";

/** Bytes to send, and where they are. Ranges are honoured for every kind whose length is known. */
export type Content =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array; readonly contentType: string }
  /** A whole file; its size and modification time give the validators when none is named. */
  | { readonly kind: "file"; readonly path: string; readonly contentType: string }
  /**
   * A part of a file, sent as it is, such as a stored page of an archive. `offset` and `length` are bytes. Who has the
   * file open gives `read`, which fills `target` with its bytes from `position` on, so that it need not be opened again.
   */
  | { readonly kind: "slice"; readonly path: string; readonly offset: number; readonly length: number; readonly contentType: string; readonly read?: (target: Uint8Array, position: number) => Promise<void> }
  | { readonly kind: "stream"; readonly stream: Readable; readonly contentType: string; readonly length?: number };

export interface ContentOptions {
  /** The entity tag's text, without quotes. When the client has it already, the answer is 304 and `content` is never made. */
  validator?: string;
  lastModified?: Date;
  /** How long a client may use its copy without asking. Default: it must ask each time (`no-cache`). */
  maxAgeSeconds?: number;
  /** Names of request headers that changed the answer, such as `["Accept"]`. */
  vary?: readonly string[];
  /** Offers the content as a download under this name. */
  downloadName?: string;
  /** Names the content without offering it as a download. */
  inlineName?: string;
  headers?: Record<string, string>;
}

const brand = Symbol.for("longbox.reply");

/** An answer that is more than a JSON value. */
export type Reply =
  | { readonly [brand]: "content"; readonly content: Content | (() => Promise<Content>); readonly options: ContentOptions }
  | { readonly [brand]: "json"; readonly value: unknown; readonly created: boolean; readonly headers: Record<string, string> }
  | { readonly [brand]: "empty"; readonly headers: Record<string, string> }
  | { readonly [brand]: "redirect"; readonly location: string; readonly headers: Record<string, string> };

/** Which kind of reply a handler's result is, or undefined for a plain JSON value. */
export function replyKind(value: unknown): "content" | "json" | "empty" | "redirect" | undefined {
  return typeof value === "object" && value !== null && brand in value ? (value as Reply)[brand] : undefined;
}

/** Ways to answer with more than a JSON value. */
export const reply = {
  /** Sends bytes. Give a function to make them only when the client does not have them already. */
  content(content: Content | (() => Promise<Content>), options: ContentOptions = {}): Reply {
    return { [brand]: "content", content, options };
  },
  /** Sends text such as XML, UTF-8. */
  text(text: string, contentType: string, options: ContentOptions = {}): Reply {
    return { [brand]: "content", content: { kind: "bytes", bytes: Buffer.from(text, "utf8"), contentType }, options };
  },
  /** Sends JSON with headers of its own. */
  json(value: unknown, headers: Record<string, string> = {}): Reply {
    return { [brand]: "json", value, created: false, headers };
  },
  /** Sends JSON about a thing that this request made. */
  created(value: unknown, headers: Record<string, string> = {}): Reply {
    return { [brand]: "json", value, created: true, headers };
  },
  empty(headers: Record<string, string> = {}): Reply {
    return { [brand]: "empty", headers };
  },
  /** Sends the browser elsewhere, such as to a sign-in provider. */
  redirect(location: string, headers: Record<string, string> = {}): Reply {
    return { [brand]: "redirect", location, headers };
  },
};
