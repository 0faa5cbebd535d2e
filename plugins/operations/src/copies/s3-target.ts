// Copies of backups in a bucket of an S3-compatible storage.
import { hash } from "node:crypto";
import { Readable } from "node:stream";
import { UpstreamFailure, type Fetch } from "@longbox/sdk";
import { readXmlTree, type XmlElement } from "@longbox/sdk/xml";
import { AwsClient } from "aws4fetch";
import { copiesAmong, type Copy, type CopyTarget } from "./target.js";

/** How a bucket is reached. */
export interface S3Place {
  /** The address of the storage, without the bucket: `https://s3.eu-central-1.amazonaws.com`. */
  readonly url: string;
  readonly region: string;
  readonly bucket: string;
  /** Before the names of copies: empty, or `longbox/`. */
  readonly prefix: string;
  readonly keyId: string;
  readonly secret: string;
}

/** How much is sent at once, in bytes: S3 wants at least 5 MB of a part, and at most 10 000 parts. */
const partBytes = 16_777_216;
const hourMs = 3_600_000;

interface Asked {
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer>;
}

/** A bucket with its keys. */
export class S3Target implements CopyTarget {
  readonly #place: S3Place;
  readonly #fetch: Fetch;
  readonly #signer: AwsClient;

  constructor(place: S3Place, fetcher: Fetch) {
    this.#place = place;
    this.#fetch = fetcher;
    const { keyId: accessKeyId, secret: secretAccessKey, region } = place;
    this.#signer = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3" });
  }

  get title(): string {
    return `${new URL(this.#place.url).host}/${this.#place.bucket}/${this.#place.prefix}`;
  }

  async list(): Promise<Copy[]> {
    const files: Array<{ name: string; sizeBytes: number }> = [];
    let after: string | undefined;
    do {
      const query = { "list-type": "2", prefix: this.#place.prefix, ...(after && { "continuation-token": after }) };
      const page = await this.#document("GET", { query });
      for (const entry of page.children.filter(({ name }) => name === "Contents"))
        files.push({
          name: textOf(entry, "Key").slice(this.#place.prefix.length),
          sizeBytes: Number(textOf(entry, "Size")),
        });
      after = textOf(page, "IsTruncated") === "true" ? textOf(page, "NextContinuationToken") : undefined;
    } while (after);
    return copiesAmong(files);
  }

  async put(name: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const key = this.#place.prefix + name;
    const parts = inParts(content);
    const first = await parts.next();
    const body = first.value ?? new Uint8Array();
    if (body.byteLength < partBytes) await this.#ask("PUT", { key, body });
    else await this.#putParts(key, body, parts);
  }

  async read(name: string): Promise<AsyncIterable<Uint8Array>> {
    const { body } = await this.#ask("GET", { key: this.#place.prefix + name });
    return body ?? Readable.from([]);
  }

  async remove(name: string): Promise<void> {
    await this.#ask("DELETE", { key: this.#place.prefix + name });
  }

  /** Nothing is there under the name before the last request: what fails is taken back. */
  async #putParts(key: string, first: Uint8Array<ArrayBuffer>, rest: AsyncIterable<Uint8Array<ArrayBuffer>>) {
    const uploadId = textOf(await this.#document("POST", { key, query: { uploads: "" } }), "UploadId");
    try {
      const tags = [await this.#putPart({ key, uploadId, number: 1 }, first)];
      for await (const part of rest) tags.push(await this.#putPart({ key, uploadId, number: tags.length + 1 }, part));
      const list = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`);
      const body = Buffer.from(`<CompleteMultipartUpload>${list.join("")}</CompleteMultipartUpload>`);
      // A storage may answer 200 at once, and say in the document that it failed.
      const answer = await this.#document("POST", { key, query: { uploadId }, body });
      if (answer.name === "Error") throw refused(200, answer);
    } catch (fault) {
      // The first fault is the one to tell of, also when the storage does not take the parts back.
      await this.#ask("DELETE", { key, query: { uploadId } }).catch(() => undefined);
      throw fault;
    }
  }

  async #putPart(part: { key: string; uploadId: string; number: number }, body: Uint8Array<ArrayBuffer>) {
    const query = { partNumber: String(part.number), uploadId: part.uploadId };
    return (await this.#ask("PUT", { key: part.key, query, body })).headers.get("etag") ?? "";
  }

  async #document(method: string, asked: Asked): Promise<XmlElement> {
    const answer = await this.#ask(method, asked);
    const root = readXmlTree(new Uint8Array(await answer.arrayBuffer()));
    if (root === undefined) throw notS3(answer.status);
    return root;
  }

  async #ask(method: string, { key = "", query = {}, body }: Asked) {
    const url = new URL(this.#place.url);
    url.pathname = `${url.pathname.replace(/\/$/, "")}/${this.#place.bucket}/${key}`;
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const headers = { "x-amz-content-sha256": hash("sha256", body ?? new Uint8Array()) };
    const signed = await this.#signer.sign(url.href, { method, headers, ...(body && { body }) });
    const answer = await this.#fetch(signed.url, {
      method,
      headers: signed.headers,
      ...(body && { body }),
      redirects: 0,
      timeoutMs: hourMs,
      maxBytes: Number.MAX_SAFE_INTEGER,
    });
    if (!answer.ok) throw refused(answer.status, unlessUnreadable(new Uint8Array(await answer.arrayBuffer())));
    return answer;
  }
}

/** Content in parts of equal size, only the last of which is shorter. */
async function* inParts(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
  let part = new Uint8Array(partBytes);
  let filled = 0;
  for await (let chunk of content)
    while (chunk.byteLength > 0) {
      const taken = chunk.subarray(0, partBytes - filled);
      part.set(taken, filled);
      filled += taken.byteLength;
      chunk = chunk.subarray(taken.byteLength);
      if (filled === partBytes) {
        yield part;
        [part, filled] = [new Uint8Array(partBytes), 0];
      }
    }
  if (filled > 0) yield part.subarray(0, filled);
  return undefined;
}

function textOf(element: XmlElement, name: string): string {
  return element.children.find((child) => child.name === name)?.text ?? "";
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

function unlessUnreadable(bytes: Uint8Array): XmlElement | undefined {
  try {
    return readXmlTree(bytes);
  } catch {
    return undefined;
  }
}

function refused(status: number, document: XmlElement | undefined): UpstreamFailure {
  if (document?.name !== "Error") return notS3(status);
  const [code, message] = [textOf(document, "Code"), textOf(document, "Message")];
  return new UpstreamFailure("operations/s3-refused", `The storage refuses (${code}): ${message}`, { code });
}

function notS3(status: number): UpstreamFailure {
  return new UpstreamFailure(
    "operations/not-s3",
    `The address of the storage answers with the status ${status}, but not as S3 does. Check the address.`,
  );
}
