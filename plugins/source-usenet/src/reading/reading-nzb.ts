import { readXml, type XmlStart } from "@longbox/sdk/xml";
import type { NzbFile } from "./document.js";
import { whyNotXml } from "./refusing.js";

/** A file of many gigabytes has a hundred thousand segments. */
const limits = { bytes: 16 * 1024 * 1024, elements: 400_000, depth: 8, errors: 20, textLength: 1_024 };
const mostFiles = 20_000;

/**
 * The files that an NZB names.
 * @throws {Error} with a sentence for a person: not an NZB, no files, files without articles
 */
export function readNzb(bytes: Uint8Array): readonly NzbFile[] {
  const reason = whyNotXml(bytes);
  if (reason !== undefined) throw new Error(reason);
  const reading = new NzbReading();
  readXml(bytes, reading, { limits });
  return reading.finish();
}

class NzbReading {
  readonly #files: NzbFile[] = [];
  #root: string | undefined;
  #error = "";
  #named = 0;
  #file: { subject: string; sizeBytes: number; articles: number } | undefined;
  #segmentBytes: number | undefined;
  #messageId = "";

  open({ name, attributes, depth }: XmlStart): void {
    const plain = name.slice(name.indexOf(":") + 1);
    if (depth === 0) {
      this.#root = plain;
      this.#error = attributes["description"] ?? "";
    }
    if (plain === "file" && depth === 1) this.#begin(attributes["subject"] ?? "");
    if (plain === "segment" && this.#file) {
      this.#segmentBytes = Number(/^\d{1,12}$/u.exec(attributes["bytes"] ?? "")?.[0] ?? 0);
      this.#messageId = "";
    }
  }

  text(text: string): void {
    if (this.#segmentBytes !== undefined) this.#messageId += text;
  }

  close(name: string, depth: number): void {
    const plain = name.slice(name.indexOf(":") + 1);
    if (plain === "segment" && this.#segmentBytes !== undefined) this.#endSegment(this.#segmentBytes);
    if (plain === "file" && depth === 1) this.#endFile();
  }

  finish(): readonly NzbFile[] {
    if (this.#root === "error") throw new Error(`The indexer answers with an error: ${this.#error.slice(0, 300)}`);
    if (this.#root !== "nzb") throw new Error("The answer is not an NZB.");
    if (this.#named === 0) throw new Error("The NZB names no files.");
    if (this.#files.length === 0) throw new Error("The NZB names files without articles.");
    return this.#files;
  }

  #begin(subject: string): void {
    this.#named += 1;
    if (this.#named > mostFiles) throw new Error(`The NZB names more than ${mostFiles} files.`);
    this.#file = { subject, sizeBytes: 0, articles: 0 };
  }

  #endSegment(bytes: number): void {
    const id = this.#messageId.trim();
    if (this.#file && bytes > 0 && id !== "") {
      this.#file.sizeBytes += bytes;
      this.#file.articles += 1;
    }
    this.#segmentBytes = undefined;
  }

  #endFile(): void {
    if (this.#file && this.#file.articles > 0)
      this.#files.push({ path: nameIn(this.#file.subject), sizeBytes: this.#file.sizeBytes });
    this.#file = undefined;
  }
}

/** Subjects name the file in quotes: `[1/3] - "Moth Patrol 003.cbz" yEnc (1/40)`. Others stand as they are. */
function nameIn(subject: string): string {
  const name = /"([^"]{1,300})"/u.exec(subject)?.[1] ?? subject.replace(/\s*\(\d+\/\d+\)\s*$/u, "");
  return name.replaceAll(/[/\\\p{Cc}]/gu, "_").slice(0, 300) || "file";
}
