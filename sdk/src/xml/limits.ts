/** How much of a document is read. Whatever is beyond refuses the document. */
export interface XmlLimits {
  /** Bytes of the document. Default 4 MB (4 194 304). */
  readonly bytes: number;
  /** Elements in all. Default 50 000. */
  readonly elements: number;
  /** Elements inside each other. Default 32. */
  readonly depth: number;
  /** Attributes of one element. Default 256. */
  readonly attributes: number;
  /** Faults that a lenient reading passes over. Default 100; 0 makes the reading strict. */
  readonly errors: number;
  /** Characters of one text or attribute value; what is beyond is cut off. Default 65 536. */
  readonly textLength: number;
}

export const usualXmlLimits: XmlLimits = {
  bytes: 4 * 1024 * 1024,
  elements: 50_000,
  depth: 32,
  attributes: 256,
  errors: 100,
  textLength: 65_536,
};

/** Why a document was not read to its end. */
export type XmlRefusal = "bytes" | "elements" | "depth" | "attributes" | "errors" | "doctype" | "encoding";

/** A document that is too large, too deep, too broken, or not what it says it is. */
export class XmlRefused extends Error {
  override readonly name = "XmlRefused";

  constructor(
    readonly refusal: XmlRefusal,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
