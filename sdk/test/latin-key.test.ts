import { expect, it } from "vitest";
import { latinKey } from "../src/ui/lists/latin-key.js";

it.each([
  ["k", "KeyK", "k"],
  ["K", "KeyK", "K"],
  ["é", "Digit2", "é"],
  // A French keyboard has its q where others have their a.
  ["q", "KeyA", "q"],
  ["ن", "KeyK", "k"],
  ["لا", "KeyB", "b"],
  ["л", "KeyK", "k"],
  ["ظ", "Slash", "/"],
  ["؟", "Slash", "?"],
  ["٣", "Digit3", "3"],
  ["ة", "KeyM", "m"],
  ["ArrowLeft", "ArrowLeft", "ArrowLeft"],
  [" ", "Space", " "],
  ["?", "Slash", "?"],
])("%s on %s is %s", (key, code, latin) => expect(latinKey({ key, code })).toBe(latin));
