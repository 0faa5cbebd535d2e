import { addressOf, t } from "@longbox/sdk/ui";

/**
 * Large answers are saved in pieces of this size, so that a part is read without the rest. The service worker puts them
 * together.
 */
const pieceBytes = 4 * 1024 * 1024;
const piecesHeader = "X-Longbox-Pieces";

export interface FetchingOptions {
  readonly signal?: AbortSignal | undefined;
  /** @param part - from 0 to 1, where the size is known before */
  readonly told?: (part: number) => void;
}

/** An answer of the server that cannot be saved. */
export class NotFetched extends Error {
  readonly status: number;
  readonly code: unknown;

  constructor(status: number, code: unknown) {
    super(t("fetchingInto.aPartOfIt", { status }));
    this.status = status;
    this.code = code;
  }
}

/**
 * Saves the answer of an address; the former answer is there until the new one is complete.
 * @returns how many bytes it takes
 * @throws {NotFetched}
 */
export async function fetchInto(
  cache: Cache,
  address: string,
  { signal, told = () => undefined }: FetchingOptions = {},
): Promise<number> {
  const answer = await ask(address, signal);
  const expected = Number(answer.headers.get("Content-Length") ?? 0);
  const pieces = `${addressOf("/offline/piece")}?of=${encodeURIComponent(address)}&save=${crypto.randomUUID()}&at=`;
  let [size, index] = [0, 0];
  let last: Blob | undefined;
  try {
    for await (const piece of piecesOf(answer)) {
      if (last) await cache.put(`${pieces}${index++}`, new Response(last));
      last = piece;
      size += piece.size;
      if (expected > 0) told(Math.min(1, size / expected));
    }
    if (index > 0 && last) await cache.put(`${pieces}${index++}`, new Response(last));
    const former = await cache.match(addressOf(address), { ignoreVary: true });
    const saved = index > 0 ? headOf(answer, pieces, size) : new Response(last ?? null, described(answer));
    await cache.put(addressOf(address), saved);
    await deletePieces(cache, former);
  } catch (problem) {
    for (let at = 0; at < index; at++) await cache.delete(`${pieces}${at}`);
    throw problem;
  }
  return size;
}

/** Deletes what was saved of an address. */
export async function deleteFrom(cache: Cache, address: string): Promise<void> {
  const saved = await cache.match(addressOf(address), { ignoreVary: true });
  await cache.delete(addressOf(address), { ignoreVary: true });
  await deletePieces(cache, saved);
}

async function deletePieces(cache: Cache, head: Response | undefined): Promise<void> {
  const pieces = head?.headers.get(piecesHeader);
  if (!pieces) return;
  for (let at = 0; await cache.delete(`${pieces}${at}`); at++);
}

async function ask(address: string, signal: AbortSignal | undefined): Promise<Response> {
  const headers: HeadersInit = address === "/" ? { accept: "text/html" } : {};
  const answer = await fetch(addressOf(address), { headers, signal: signal ?? null });
  if (answer.ok) return answer;
  // A proxy may answer with a page of its own; the status then says what there is to say.
  const body = (await answer.json().catch(() => ({}))) as { readonly code?: unknown };
  throw new NotFetched(answer.status, body.code);
}

async function* piecesOf(answer: Response): AsyncGenerator<Blob> {
  let parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = answer.body?.getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    let { value } = read;
    while (size + value.length >= pieceBytes) {
      yield new Blob([...parts, value.subarray(0, pieceBytes - size)]);
      value = value.subarray(pieceBytes - size);
      [parts, size] = [[], 0];
    }
    parts.push(value);
    size += value.length;
  }
  if (size > 0) yield new Blob(parts);
}

/** The headers of an answer without those of its way here. */
function described({ headers: sent }: Response): { readonly headers: Headers } {
  const headers = new Headers(sent);
  for (const name of ["Content-Encoding", "Content-Length", "Vary"]) headers.delete(name);
  return { headers };
}

function headOf(answer: Response, pieces: string, size: number): Response {
  const { headers } = described(answer);
  headers.set(piecesHeader, pieces);
  headers.set("X-Longbox-Size", String(size));
  headers.set("X-Longbox-Piece-Size", String(pieceBytes));
  return new Response(null, { headers });
}
