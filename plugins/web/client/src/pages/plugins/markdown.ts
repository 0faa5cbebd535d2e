import { t } from "@longbox/sdk/ui";
import { html, type TemplateResult } from "lit";

type Shown = TemplateResult | string;

/**
 * Shows the Markdown of a README: headings, paragraphs, lists, tables, code, links to other sites. Everything else is
 * text: no HTML of the document reaches the page.
 */
export function markdown(text: string): TemplateResult {
  const lines = text.replaceAll(/<!--[\s\S]*?-->/g, "").split(/\r?\n/);
  const shown: TemplateResult[] = [];
  for (let at = 0; at < lines.length;) {
    const block = blocks.find(({ begins }) => begins.test(lines[at]!)) ?? paragraph;
    const end = block.end(lines, at);
    const drawn = block.draw(lines.slice(at, end));
    if (drawn) shown.push(drawn);
    at = Math.max(end, at + 1);
  }
  return html`${shown}`;
}

interface Block {
  readonly begins: RegExp;
  /** The index after its last line. */
  end(lines: readonly string[], from: number): number;
  draw(lines: readonly string[]): TemplateResult | undefined;
}

const item = /^\s*(?:[-*+]|\d+[.)])\s+/;
const asLongAs = (belongs: (line: string) => boolean) => (lines: readonly string[], from: number) => {
  const end = lines.findIndex((line, index) => index > from && !belongs(line));
  return end === -1 ? lines.length : end;
};

const paragraph: Block = {
  begins: /\S/,
  end: asLongAs((line) => line.trim() !== "" && !blocks.some(({ begins }) => begins.test(line))),
  draw: (lines) => html`<p>${inline(lines.join(" "))}</p>`,
};

const blocks: readonly Block[] = [
  { begins: /^\s*$/, end: (_lines, from) => from + 1, draw: () => undefined },
  { begins: /^#{1,6}\s/, end: (_lines, from) => from + 1, draw: ([line]) => heading(line!) },
  {
    begins: /^\s*```/,
    end(lines, from) {
      const end = lines.findIndex((line, index) => index > from && /^\s*```/.test(line));
      return end === -1 ? lines.length : end + 1;
    },
    draw: (lines) =>
      html`<pre tabindex="0">${lines.slice(1, /^\s*```/.test(lines.at(-1)!) ? -1 : undefined).join("\n")}</pre>`,
  },
  { begins: /^\s*\|/, end: asLongAs((line) => /^\s*\|/.test(line)), draw: table },
  { begins: item, end: asLongAs((line) => item.test(line) || /^\s{2,}\S/.test(line)), draw: list },
];

/** The page has its own first heading. */
function heading(line: string): TemplateResult | undefined {
  const [, marks = "", text = ""] = /^(#+)\s+(.*?)\s*#*$/.exec(line) ?? [];
  if (marks.length === 1) return undefined;
  return marks.length === 2 ? html`<h3>${inline(text)}</h3>` : html`<h4>${inline(text)}</h4>`;
}

function list(lines: readonly string[]): TemplateResult {
  const items: string[] = [];
  for (const line of lines) {
    if (item.test(line)) items.push(line.replace(item, ""));
    else items.push(`${items.pop() ?? ""} ${line.trim()}`);
  }
  const drawn = items.map((text) => html`<li>${inline(text)}</li>`);
  return /^\s*\d/.test(lines[0]!)
    ? html`<ol>
        ${drawn}
      </ol>`
    : html`<ul>
        ${drawn}
      </ul>`;
}

function table(lines: readonly string[]): TemplateResult {
  const rows = lines.map((line) =>
    line
      .trim()
      .replace(/^\||\|$/g, "")
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll("\\|", "|")),
  );
  const isRule = (row: readonly string[]) => row.every((cell) => /^:?-+:?$/.test(cell));
  const [head, ...body] = rows.filter((row) => !isRule(row));
  const columns = head?.map((cell) => cell.replaceAll(/[`*]/g, "")) ?? [];
  return html`<div class="wide" tabindex="0" role="group" aria-label=${t("markdown.table")}>
    <table>
      <thead>
        <tr>
          ${head?.map((cell) => html`<th scope="col">${inline(cell)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${body.map(
          (row) =>
            html`<tr>
              ${row.map((cell, column) => html`<td data-column=${columns[column] ?? ""}>${inline(cell)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

const marks = /`([^`]+)`|\*\*([^*]+)\*\*|!?\[([^\]]*)\]\(([^)\s]+)[^)]*\)/g;

/** Code, bold text and links. Links within the repository lead nowhere from here, so they are text. */
function inline(text: string): readonly Shown[] {
  const shown: Shown[] = [];
  let from = 0;
  for (const match of text.matchAll(marks)) {
    shown.push(text.slice(from, match.index));
    shown.push(marked(match));
    from = match.index + match[0].length;
  }
  return [...shown, text.slice(from)];
}

function marked([, code, bold, label, address]: RegExpMatchArray): Shown {
  if (code !== undefined) return html`<code>${breakable(code)}</code>`;
  if (bold !== undefined) return html`<strong>${inline(bold)}</strong>`;
  const words = (label ?? "").replaceAll("`", "");
  return /^https?:\/\//.test(address ?? "")
    ? html`<a href=${address} rel="noreferrer" target="_blank">${words}</a>`
    : words;
}

/** Paths may break after their slashes, so that no word of them has to. */
function breakable(code: string): readonly Shown[] {
  return code.split(/(?<=[^\s/]\/)/).flatMap((part, index) => (index === 0 ? [part] : [html`<wbr />`, part]));
}
