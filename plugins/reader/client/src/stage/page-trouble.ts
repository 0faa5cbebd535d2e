/** The message that a page could not be shown, with a button to retry. */
export function pageTrouble(page: number, again: () => void): HTMLElement {
  const trouble = document.createElement("div");
  trouble.className = "trouble";
  trouble.setAttribute("role", "alert");
  const text = document.createElement("p");
  text.textContent = `Page ${page + 1} could not be shown.`;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "strong";
  button.textContent = "Try again";
  button.addEventListener("click", again);
  trouble.append(text, button);
  return trouble;
}
