/** The upper half of code page 437, in which ZIP names stand when nothing says otherwise. */
const codePage437 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■ ";

const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * An entry's name as text. Many packers write UTF-8 without saying so, and no sensible name in code page 437 is valid
 * UTF-8.
 */
export function decodeEntryName(bytes: Buffer, saidToBeUtf8: boolean): string {
  if (bytes.every((byte) => byte < 0x80)) return bytes.toString("latin1");
  if (saidToBeUtf8) return bytes.toString("utf8");
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return Array.from(bytes, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : codePage437[byte - 0x80])).join("");
  }
}

/**
 * A name with plain slashes, or undefined when it is no path inside the archive: absolute, climbing, or with control
 * characters.
 */
export function safeEntryName(name: string): string | undefined {
  const plain = name.includes("\\") ? name.replaceAll("\\", "/") : name;
  // oxlint-disable-next-line no-control-regex
  if (plain === "" || plain.startsWith("/") || /^[A-Za-z]:/.test(plain) || /[\u0000-\u001f]/.test(plain))
    return undefined;
  return plain.includes("..") && plain.split("/").includes("..") ? undefined : plain;
}
