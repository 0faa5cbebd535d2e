// Signatures of requests to S3, verified with Amazon's own signer.
import { createHash, createHmac, type Hash, type Hmac } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { SignatureV4 } from "@smithy/signature-v4";

/** The one key that the storage knows. */
const keyId = "S3RVER";
const secret = "S3RVER";
const clockSkewMs = 15 * 60_000;

/** @returns the code that Amazon's storage refuses with; undefined when the request is signed as it should be */
export async function findProblem(question: IncomingMessage, body: Buffer): Promise<string | undefined> {
  const { headers } = question;
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
  const [, key, day, region, names = "", signature] = pattern.exec(headers.authorization ?? "") ?? [];
  if (key === undefined || region === undefined) return "AuthorizationHeaderMalformed";
  if (key !== keyId) return "InvalidAccessKeyId";
  const at = readMoment(String(headers["x-amz-date"]));
  if (!(Math.abs(Date.now() - at.getTime()) < clockSkewMs)) return "RequestTimeTooSkewed";
  const sent = names.split(";");
  const needed = Object.keys(headers).filter((name) => name === "host" || name.startsWith("x-amz-"));
  if (day !== at.toISOString().slice(0, 10).replaceAll("-", "")) return "AuthorizationHeaderMalformed";
  if (needed.some((name) => !sent.includes(name))) return "AccessDenied";
  if (headers["x-amz-content-sha256"] !== createHash("sha256").update(body).digest("hex"))
    return "XAmzContentSHA256Mismatch";
  const expected = await sign(question, { region, at, names: sent });
  return expected === signature ? undefined : "SignatureDoesNotMatch";
}

/** The signature that Amazon's signer makes of the same request. */
async function sign(
  question: IncomingMessage,
  { region, at, names }: { readonly region: string; readonly at: Date; readonly names: readonly string[] },
): Promise<string | undefined> {
  const credentials = { accessKeyId: keyId, secretAccessKey: secret };
  const signer = new SignatureV4({ service: "s3", region, credentials, sha256: Sha256, uriEscapePath: false });
  const url = new URL(question.url!, `http://${question.headers.host}`);
  const { headers } = await signer.sign(
    {
      method: question.method!,
      protocol: "http:",
      hostname: url.hostname,
      port: Number(url.port),
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: Object.fromEntries(names.map((name) => [name, String(question.headers[name])])),
    },
    { signingDate: at, signableHeaders: new Set(names), unsignableHeaders: new Set() },
  );
  return /Signature=([0-9a-f]{64})$/.exec(headers["authorization"] ?? "")?.[1];
}

/** SHA-256 as the signer wants it. */
class Sha256 {
  readonly #hash: Hash | Hmac;

  constructor(secretKey?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secretKey === undefined ? createHash("sha256") : createHmac("sha256", bytesOf(secretKey));
  }

  update(content: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytesOf(content));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    throw new Error("The signer makes a new one each time.");
  }
}

function bytesOf(content: string | ArrayBuffer | ArrayBufferView): Uint8Array {
  if (typeof content === "string") return Buffer.from(content);
  if (content instanceof ArrayBuffer) return new Uint8Array(content);
  return new Uint8Array(content.buffer, content.byteOffset, content.byteLength);
}

/** @param text - `20260131T120000Z` */
function readMoment(text: string): Date {
  return new Date(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
}
