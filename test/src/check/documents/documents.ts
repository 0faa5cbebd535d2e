import { access, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Check } from "../check.js";
import { lineOf, readSources, type Source } from "../sources.js";
import { runProgram } from "../tool.js";

interface CodeBlock {
  readonly path: string;
  readonly line: number;
  readonly language: string;
  readonly code: string;
}

// What people write; change logs and API reports are made by tools.
const written = /^(?!CHANGELOG\.md$)(?!.*\.api\.md$).*\.md$/;

/**
 * Every ts block of a document compiles as a module of its own, every json block parses, and every relative link leads
 * somewhere.
 */
export const documentsCheck: Check = {
  name: "documents",
  async find(root) {
    const documents = await readSources(root, ["."], written);
    const blocks = documents.flatMap(blocksOf);
    const links = await Promise.all(documents.map((document) => deadLinks(root, document)));
    return [
      ...blocks.filter(({ language }) => language === "json").flatMap(badJson),
      ...(await badTypeScript(
        root,
        blocks.filter(({ language }) => language === "ts"),
      )),
      ...links.flat(),
    ];
  },
};

function blocksOf({ path, text }: Source): CodeBlock[] {
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)].map((match) => ({
    path,
    line: lineOf(text, match.index),
    language: match[1] ?? "",
    code: match[2] ?? "",
  }));
}

function badJson({ path, line, code }: CodeBlock): string[] {
  try {
    JSON.parse(code);
    return [];
  } catch (error) {
    return [`${path}:${line} is not JSON: ${(error as Error).message}`];
  }
}

async function badTypeScript(root: string, blocks: readonly CodeBlock[]): Promise<string[]> {
  if (blocks.length === 0) return [];
  const folder = join(root, "temp", "documents");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  try {
    const names = blocks.map(({ path, line }) => `${path.replaceAll(/[^A-Za-z0-9]/g, "-")}-${line}.ts`);
    await Promise.all(
      blocks.map(({ code }, index) => writeFile(join(folder, names[index] ?? ""), `${code}\nexport {};\n`)),
    );
    await writeFile(join(folder, "package.json"), '{ "type": "module", "private": true }\n');
    const options = {
      noEmit: true,
      composite: false,
      incremental: false,
      lib: ["es2024", "esnext.disposable", "esnext.iterator", "dom", "dom.iterable"],
      types: ["node"],
    };
    await writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({ extends: "../../tsconfig.base.json", compilerOptions: options, include: ["*.ts"] }),
    );
    const { code, output } = await runProgram(join(root, "node_modules", ".bin", "tsc"), ["-p", folder], root);
    return code === 0 ? [] : [output.trim()];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function deadLinks(root: string, { path, text }: Source): Promise<string[]> {
  const targets = [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)].map((match) => match[1] ?? "");
  const dead: string[] = [];
  for (const target of targets) {
    const there = await access(join(root, dirname(path), target)).then(
      () => true,
      () => false,
    );
    if (!there) dead.push(`${path} links to ${target}, which is not there.`);
  }
  return dead;
}
