import { t } from "@longbox/sdk/ui";

/** The message that a page could not be shown, with a button to retry. */
export function pageTrouble(page: number, again: () => void): HTMLElement {
  const trouble = document.createElement("div");
  trouble.className = "trouble";
  trouble.setAttribute("role", "alert");
  const text = document.createElement("p");
  text.textContent = t("pageTrouble.pageCouldNotBe", { page: page + 1 });
  const button = document.createElement("button");
  button.type = "button";
  button.className = "strong";
  button.textContent = t("pageTrouble.tryAgain");
  button.addEventListener("click", again);
  trouble.append(text, button);
  return trouble;
}
