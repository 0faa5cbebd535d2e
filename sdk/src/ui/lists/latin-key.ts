/**
 * A key as keyboards with Latin letters have it: on others, such as Arabic or Greek ones, keys write other letters, and
 * the place of the key on a US keyboard says which it is. Shortcuts by letter so work with every keyboard.
 * @param pressed - a keyboard event, or its `key` and `code`
 * @returns its key, such as `k`, `/` or `ArrowLeft`
 */
export function latinKey({ key, code }: { readonly key: string; readonly code: string }): string {
  if (key === "؟") return "?";
  if (!/^[\p{L}\p{N}]/u.test(key) || /^[\p{Script=Latin}\d]/u.test(key)) return key;
  const [, named] = /^(?:Key|Digit|Numpad)([A-Z\d])$/.exec(code) ?? [];
  return named?.toLowerCase() ?? (code === "Slash" ? "/" : key);
}
