import type { Readable } from "node:stream";

/** The content to send. Range requests are supported for every kind with a known length. */
export type Content =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array; readonly contentType: string }
  /** A whole file; its size and modification time give the validators when none is named. */
  | { readonly kind: "file"; readonly path: string; readonly contentType: string }
  /**
   * A part of a file, sent as it is, such as a stored page of an archive. `offset` and `length` are bytes. For a file
   * that is already open, pass `read`, which fills `target` with its bytes from `position` on, so that it is not opened
   * again.
   */
  | {
      readonly kind: "slice";
      readonly path: string;
      readonly offset: number;
      readonly length: number;
      readonly contentType: string;
      readonly read?: (target: Uint8Array, position: number) => Promise<void>;
    }
  /**
   * Bytes that are generated or fetched on demand: several joined files, a file on another server. Of
   * `read`, `start` and `end` are the first and the last byte, both included; it answers exactly these bytes, is never
   * called for what is not sent, and its signal aborts when the client has gone.
   */
  | {
      readonly kind: "ranges";
      readonly sizeBytes: number;
      readonly contentType: string;
      read(start: number, end: number, signal: AbortSignal): RangeBytes | Promise<RangeBytes>;
    }
  /**
   * The same for bytes that are read from files: `fill` reads as many bytes as `target` holds, from the byte `start`
   * on, or throws. The memory is the kernel's and is used again, so that long answers cost little; nothing may keep it.
   */
  | {
      readonly kind: "filled";
      readonly sizeBytes: number;
      readonly contentType: string;
      fill(target: Uint8Array, start: number, signal: AbortSignal): Promise<void>;
    }
  | { readonly kind: "stream"; readonly stream: Readable; readonly contentType: string; readonly length?: number };

/** The bytes of a range, at once or piece by piece. */
export type RangeBytes = Uint8Array | AsyncIterable<Uint8Array>;

export interface ContentOptions {
  /** The entity tag, without quotes. When the client already has it, the answer is 304 and `content` is not called. */
  validator?: string;
  lastModified?: Date;
  /** How long a client may use its copy without revalidation. Default: it must always revalidate (`no-cache`). */
  maxAgeSeconds?: number;
  /** Names of request headers that the answer depends on, such as `["Accept"]`. */
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
  | {
      readonly [brand]: "content";
      readonly content: Content | (() => Promise<Content>);
      readonly options: ContentOptions;
    }
  | {
      readonly [brand]: "json";
      readonly value: unknown;
      readonly created: boolean;
      readonly headers: ReplyHeaders;
      readonly protocolStatus: number | undefined;
    }
  | { readonly [brand]: "empty"; readonly headers: ReplyHeaders; readonly protocolStatus: number | undefined }
  | { readonly [brand]: "redirect"; readonly location: string; readonly headers: ReplyHeaders };

/** Headers of an answer; a list stands for a header that is sent several times. */
export type ReplyHeaders = Readonly<Record<string, string | string[]>>;

export interface ReplyOptions {
  /** The HTTP status that a protocol prescribes, instead of this server's default. */
  readonly protocolStatus?: number;
}

/** Which kind of reply a handler's result is, or undefined for a plain JSON value. */
export function replyKind(value: unknown): "content" | "json" | "empty" | "redirect" | undefined {
  return typeof value === "object" && value !== null && brand in value ? (value as Reply)[brand] : undefined;
}

/** Ways to answer with more than a JSON value. */
export const reply = {
  /** Sends bytes. Pass a function to create them only when the client does not have them already. */
  content(content: Content | (() => Promise<Content>), options: ContentOptions = {}): Reply {
    return { [brand]: "content", content, options };
  },
  /** Sends text such as XML, UTF-8. */
  text(text: string, contentType: string, options: ContentOptions = {}): Reply {
    return { [brand]: "content", content: { kind: "bytes", bytes: Buffer.from(text, "utf8"), contentType }, options };
  },
  /** Sends JSON with headers of its own. */
  json(value: unknown, headers: ReplyHeaders = {}, { protocolStatus }: ReplyOptions = {}): Reply {
    return { [brand]: "json", value, created: false, headers, protocolStatus };
  },
  /** Sends JSON about a resource that this request created. */
  created(value: unknown, headers: ReplyHeaders = {}): Reply {
    return { [brand]: "json", value, created: true, headers, protocolStatus: undefined };
  },
  empty(headers: ReplyHeaders = {}, { protocolStatus }: ReplyOptions = {}): Reply {
    return { [brand]: "empty", headers, protocolStatus };
  },
  /** Redirects the browser, such as to a sign-in provider. */
  redirect(location: string, headers: ReplyHeaders = {}): Reply {
    return { [brand]: "redirect", location, headers };
  },
};
