import type { SeededRandom } from "@longbox/test/fixtures";

/** A text that stands for itself in JSON, such as a number that no JavaScript number is. */
const raw = (text: string) => `\u0001raw ${text} raw\u0001`;

const deep = (open: string, close: string) => raw(open.repeat(10_000) + close.repeat(10_000));

/** Texts that parsers, file systems, databases and people trip over. None is a folder of this machine. */
export const texts: readonly string[] = [
  "", " ", "0", "-1", "1.5", "1e400", "NaN", "Infinity", "0x10", "９", "99999999999999999999", "-0", "null", "undefined", "true", "[]", "{}",
  "\u0000", "a\u0000b", "\u0007\u001b[31m\u007f", "line\r\nSet-Cookie: a=b", "\u2028", "\ufeff", "\ud800", "x\udc00y", "👩‍👩‍👧‍👦", "ﷺ".repeat(50), "e\u0301\u0301\u0301", "\u202etxt.cbz",
  "..", ".", "../../../etc/passwd", "..\\..\\windows", "C:\\windows", "\\\\server\\share", "/etc/passwd", "/nonexistent/longbox", "/nonexistent/../../nonexistent", "//", "~root", "file:///etc/passwd", "a/../b", "con", "aux.cbz",
  "%00", "%2e%2e%2f", "%", "%zz", "%ff%fe", "..;/", "__proto__", "constructor", "toString", "hasOwnProperty", "then", "valueOf",
  "' OR 1=1 --", '" AND NEAR(', "%_", "*", "(((((", "[a-", "(a+)+$", "{{7*7}}", "${1}", "<script>alert(1)</script>", "javascript:alert(1)",
  "http://[", "http://127.0.0.1:9/", "http://127.0.0.1:9/?x=" + "y".repeat(2000), "ftp://127.0.0.1", "data:,", "2024-99-99", "+275760-09-13T00:00:00.001Z", "-271821-04-20", "* * * * *", "99 99 99 99 99", "*/0 * * * *",
  "a".repeat(300), "a".repeat(70_000), "a ".repeat(30_000), `${"../".repeat(1000)}etc/passwd`,
];

/** What is no text, or does not end. */
const values: readonly unknown[] = [
  null, true, false, 0, -0, -1, 1, 1.5, 1e308, 5e-324, 2 ** 31, 2 ** 53, raw("1e400"), raw("-1e400"), raw("99999999999999999999"), raw("0.1e-999"),
  [], {}, [[]], [null], [{}], [1, 1], ["", ""], { length: 1e9 }, { toString: "x", valueOf: 1 }, raw('{"then":true}'), raw('{"__proto__":{"admin":true}}'), raw('{"constructor":{"prototype":{"admin":true}}}'),
  Array.from({ length: 10_000 }, (_, index) => index), Array.from({ length: 10_000 }, () => "x"), Array.from({ length: 10_000 }, () => ({})), deep("[", "]"), deep('{"a":', "}").replace("}", "1}"),
];

/** One value in twenty is as large as bodies may be. */
export function garbageValue(random: SeededRandom): unknown {
  if (random.next() < 0.02) return "A".repeat(1_000_000);
  return random.next() < 0.5 ? random.pick(texts) : random.pick(values);
}

/** JSON, with what cannot be said in values. */
export function writeJson(value: unknown): string {
  return (JSON.stringify(value) ?? "").replaceAll(/"\\u0001raw (.*?) raw\\u0001"/g, (_all, text: string) => JSON.parse(`"${text}"`) as string);
}

/** Bodies that are no JSON, or not the JSON of anything. */
export const brokenBodies: readonly Buffer[] = [
  "", "{", '{"a":', '{"a":1,}', "{'a':1}", "[]", "null", "true", '"text"', "1e400", "NaN", "{}{}", "\ufeff{}", "[".repeat(100_000), `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`, "a=1&b=2", "<?xml version='1.0'?><a/>", '{"a":"\u0000"}',
  "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--x--\r\n", '{"__proto__":{"x":1},"constructor":1}', `{${Array.from({ length: 10_000 }, (_, index) => `"k${index}":1`).join(",")}}`, '{"a":1,"a":2}', `"${"x".repeat(1_000_000)}"`,
].map((text) => Buffer.from(text)).concat([Buffer.from([0xff, 0xfe, 0x00]), Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3]), Buffer.from('{"a":"\xff"}', "latin1"), Buffer.from('{"a":1}', "utf16le")]);

export const contentTypes: readonly string[] = ["application/json", "application/json; charset=utf-16", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain", "application/octet-stream", "", "garbage", "application/json;".repeat(50), "*/*"];

/** Headers that people, proxies and attackers send. */
export const oddHeaders: ReadonlyArray<readonly [string, string]> = [
  ["Content-Encoding", "gzip"], ["Content-Encoding", "br, gzip, zzz"], ["If-None-Match", '"'], ["If-None-Match", "*"], ["If-None-Match", `W/${'"a",'.repeat(500)}`], ["If-Match", "*"], ["If-Match", '"nothing"'],
  ["If-Modified-Since", "yesterday"], ["If-Modified-Since", "Thu, 01 Jan 9999 00:00:00 GMT"], ["If-Unmodified-Since", "Thu, 01 Jan 1970 00:00:00 GMT"], ["If-Unmodified-Since", "\xff"],
  ["Range", "bytes=0-0"], ["Range", "bytes=-1"], ["Range", "bytes=99999999999999999999-"], ["Range", "bytes=5-1"], ["Range", "bytes=--"], ["Range", "pages=1-2"], ["Range", `bytes=${"0-1,".repeat(400)}0-1`], ["If-Range", '"x"'], ["If-Range", "garbage"],
  ["Accept", "*/*;q=garbage"], ["Accept", ",".repeat(2000)], ["Accept", "text/html"], ["Accept", "image/avif;q=2,image/webp;q=-1"], ["Accept-Encoding", "br;q=0, gzip;q=0, identity;q=0"], ["Accept-Encoding", "zstd,*;q=0.00001"], ["Accept-Language", "xx-".repeat(300)],
  ["X-HTTP-Method-Override", "DELETE"], ["X-Method-Override", "DELETE"], ["X-Original-URL", "/api/users"], ["X-Rewrite-URL", "/api/users"], ["X-Forwarded-For", "127.0.0.1, ::1, garbage"], ["X-Forwarded-Host", "evil.example"], ["X-Forwarded-Proto", "https"], ["Forwarded", 'for="[::1"'],
  ["Origin", "null"], ["Origin", "http://evil.example"], ["Referer", "://"], ["Sec-Fetch-Site", "cross-site"], ["Cookie", `longbox_session=${"x".repeat(3000)}`], ["Cookie", "=;;=;longbox_session"], ["Cookie", "longbox_session=%zz%00"],
  ["Authorization", "Basic"], ["Authorization", "Basic !!!"], ["Authorization", "Basic OgA="], ["Authorization", `Bearer ${"x".repeat(4000)}`], ["Authorization", "Bearer"], ["Authorization", "Digest a=b"], ["X-Api-Key", "\xff\xfe"],
  ["Last-Event-ID", "99999999999999999999"], ["Last-Event-ID", "-1"], ["Expect", "100-continue"], ["Upgrade", "websocket"], ["Upgrade", "h2c"], ["TE", "trailers, garbage"], ["User-Agent", "\x01\x02".replace(/[\x00-\x1f]/g, "?")], ["Host", "evil.example:99999"], ["Max-Forwards", "0"], ["Prefer", "respond-async"],
];
