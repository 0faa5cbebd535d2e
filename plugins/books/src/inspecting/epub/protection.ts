import type { Protection } from "../../details.js";
import type { ZipFiles } from "../zip/zip-files.js";
import { UnreadableBook } from "../unreadable.js";
import { largestDocumentBytes, localName, readDocument } from "./package-document.js";

/** Fonts are obscured by these in books that anyone may read. */
const ofFonts: ReadonlySet<string> = new Set(["http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"]);

/** Which scheme protects an EPUB; undefined when everything but its fonts can be read. */
export function protectionOf(files: ZipFiles): Protection | undefined {
  if (files.find("META-INF/license.lcpl")) return "lcp";
  const entry = files.find("META-INF/encryption.xml");
  if (!entry) return undefined;
  try {
    if (!encryptsText(files.read(entry, largestDocumentBytes))) return undefined;
    return schemeOf(files);
  } catch (thrown) {
    // What cannot be read may still protect the book.
    if (thrown instanceof UnreadableBook) return "unknown";
    throw thrown;
  }
}

function encryptsText(bytes: Uint8Array): boolean {
  let inKey = 0;
  let encrypts = false;
  readDocument(bytes, {
    open({ name, attributes }) {
      const local = localName(name);
      if (local === "EncryptedKey") inKey++;
      if (local === "EncryptionMethod" && inKey === 0 && !ofFonts.has(attributes["Algorithm"] ?? "")) encrypts = true;
    },
    close(name) {
      if (localName(name) === "EncryptedKey") inKey--;
    },
  });
  return encrypts;
}

function schemeOf(files: ZipFiles): Protection {
  if (files.find("META-INF/sinf.xml")) return "apple";
  const rights = files.find("META-INF/rights.xml");
  if (!rights) return "unknown";
  const text = files.read(rights, largestDocumentBytes).toString("latin1");
  if (text.includes("http://ns.adobe.com/adept")) return text.includes("barnesandnoble") ? "barnes-noble" : "adobe";
  return text.includes("kobo") || text.includes("kdrm") ? "kobo" : "unknown";
}
