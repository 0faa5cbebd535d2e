import type { Check } from "./check.js";
import { nullableColumns, ordersWithoutNulls } from "./null-order.js";
import { lineOf, readSources, withoutComments, type Source } from "./sources.js";
import { sqlTemplatesOf } from "./sql-templates.js";

interface Rule {
  readonly pattern: RegExp;
  readonly because: string;
}

const onlyOne = "only one engine has it";

/** What the text of a statement or an expression may not contain. */
const inSql: readonly Rule[] = [
  {
    pattern: /^\s*(?:select|insert|update|delete|with|create|alter|drop|replace)\b/i,
    because: "a whole statement is for the query builder, or for perEngine() with a reason",
  },
  {
    pattern:
      /\b(?:group_concat|instr|printf|ifnull|iif|glob|julianday|strftime|unixepoch|changes|last_insert_rowid|typeof|hex|zeroblob|total|char|unicode|quote)\s*\(/i,
    because: onlyOne,
  },
  {
    pattern: /\b(?:json_each|json_tree|json_extract|json_array\w*|json_object|json_group_\w+|jsonb?_\w+)\s*\(/i,
    because: `${onlyOne}: use isAmong() or givenRows(), or keep columns`,
  },
  { pattern: /->>?/, because: "engines read JSON in different ways: keep a column" },
  { pattern: /\b(?:date|time|datetime)\s*\(/i, because: `${onlyOne}: pass the instant as a value` },
  {
    pattern:
      /\b(?:unnest|array_agg|to_tsvector|greatest|least|date_trunc|extract|ilike|similar to|any)\s*\(|::\s*[a-z]|\bilike\b/i,
    because: onlyOne,
  },
  {
    pattern: /\b(?:rowid|oid|_rowid_|sqlite_\w+|pragma|without rowid|strict|autoincrement|indexed by|materialized)\b/i,
    because: onlyOne,
  },
  { pattern: /\bcollate\b|\bnocase\b/i, because: "keep a folded column and compare that" },
  { pattern: /\bor\s+(?:ignore|replace|abort|fail|rollback)\b|\breplace\s+into\b/i, because: "use onConflict" },
  {
    pattern: /\blike\b|\bregexp\b|\bmatch\b/i,
    because: "engines differ in case: use beginsWith() or containsText() on a folded column, or full text",
  },
  { pattern: /\bglob\b/i, because: onlyOne },
  {
    pattern:
      /\b(?:strpos|split_part|position|to_char|to_timestamp|generate_series|string_to_array|regexp_\w+|left|right|lpad|rpad|md5|bool_and|bool_or|every|now|age|random|randomblob|concat|concat_ws)\s*\(/i,
    because: onlyOne,
  },
  {
    pattern: /\bcurrent_(?:timestamp|date|time)\b|\binterval\s+'/i,
    because: "engines give it as other values: pass the instant as a value",
  },
  {
    pattern:
      /\bas\s+(?:int|integer|int4|smallint|boolean|date|timestamp\w*|numeric\b[^)]*|decimal\b[^)]*|varchar)\s*\)/i,
    because: "an integer has 32 bits on one engine: cast to bigint, double precision or text",
  },
  { pattern: /\bround\s*\((?:[^(),]|\([^()]*\))*,/i, because: "with places only one engine has it for such numbers" },
  { pattern: /\b(?:distinct\s+on|lateral|for\s+(?:update|share)|merge\s+into)\b/i, because: onlyOne },
  { pattern: /\b(?:max|min)\s*\([^()]*,/i, because: "with several arguments only one engine has it: use case when" },
  {
    pattern: /\b(?:sum|avg|total)\s*\((?!\s*case\b)[^()]*(?:=|<|>|\blike\b|\bis\b|\bin\b|\band\b|\bor\b)/i,
    because: "a condition is no number: use count(*) filter (where …)",
  },
  { pattern: /\bis\s+(?:not\s+)?[?\d]/i, because: `${onlyOne}: \`is\` takes null only; use = or is distinct from` },
  {
    pattern:
      /\b(?:where|and|or|not|when|on|having)\s+(?!not\b|exists\b|null\b|true\b|false\b|case\b)[a-z_]+(?:\.[a-z_]+)?\s*(?=$|\)|\band\b|\bor\b|\bthen\b)(?<!between\s+\S+\s+and\s+\S+\s*)/i,
    because: "a flag is no condition: compare it with 1 or 0",
  },
  { pattern: /\b(?:where|when|on)\s+[01]\s*(?=$|\)|\band\b|\bor\b|\bthen\b)/i, because: "a number is no condition" },
  { pattern: /\border\s+by\b(?!.*\bnulls\s+(?:first|last)\b)/is, because: "use orderBy, and say where nulls go" },
  { pattern: /"/, because: "names are quoted with sql.ref(), texts are values" },
];

/** What the code around may not do. */
const inCode: readonly Rule[] = [
  {
    pattern: /\bsql\s*\.\s*raw\b|\bCompiledQuery\s*\.\s*raw\b/g,
    because: "use rawMigration() or perEngine() with a reason",
  },
  {
    pattern: /\.(?:orIgnore|orReplace|orAbort|orFail|orRollback|ignore|replaceInto|modifyEnd|modifyFront)\s*\(/g,
    because: "use onConflict",
  },
  { pattern: /\.insertId\b/g, because: 'only one engine has it: use returning("id")' },
  {
    pattern: /"(?:(?:not )?i?like|glob|match|regexp|->>?|~\*?|@>|&&)"\s*,/g,
    because: "engines differ in it: use beginsWith() or containsText() on a folded column, or full text",
  },
  {
    pattern:
      /\bfn\s*(?:\.agg)?(?:<[^>]*>)?\s*\(\s*"(?:group_concat|instr|printf|ifnull|iif|glob|json_\w+|strftime|datetime|date|greatest|least|typeof|total|max|min)"/g,
    because: onlyOne,
  },
  { pattern: /\bfn\s*\.\s*(?:jsonAgg|toJson|any)\b/g, because: onlyOne },
  {
    pattern:
      /\.(?:distinctOn|mergeInto|forUpdate|forShare|forNoKeyUpdate|skipLocked|\w+JoinLateral|fetch\(\d|top\(\d)\b/g,
    because: onlyOne,
  },
  {
    pattern: /\.cast(?:<[^>]*>)?\([^()]*,\s*"(?!bigint"|double precision"|text")[^"]*"/g,
    because: "an integer has 32 bits on one engine: cast to bigint, double precision or text",
  },
  { pattern: /\.addColumn\(\s*"[^"]*"\s*,\s*(?:"|'|sql)/g, because: "take the type from the step's types" },
  { pattern: /\.(?:getExecutor|introspection)\b/g, because: "a plugin does not look at the engine" },
];

/** Steps that were released before a rule, and are known to mean the same on both engines: their text must not change. */
const released: Readonly<Record<string, string>> = {
  // The count is at most 20 for each issue of a series.
  "plugins/collection/src/migrations/0005-number-gaps.ts": "as integer)",
};

const looked = /^(?:(?:plugins|examples)\/[^/]+\/src\/|kernel\/src\/(?!storage\/))/;

/** SQL that only one storage engine takes, in plugins, examples and the kernel's own tables. */
export const portableSqlCheck: Check = {
  name: "portable SQL",
  async find(root) {
    const sources = await readSources(root, ["plugins", "examples", "kernel/src"], /\.ts$/);
    const product = sources.filter(({ path }) => looked.test(path));
    const nullable = nullableColumns(product);
    return product
      .filter(({ text }) => /\bkysely\b|\b(?:raw)?[mM]igration\b|\.selectFrom\(/.test(text))
      .flatMap((source) => [...badTemplates(source), ...badCode(source), ...ordersWithoutNulls(source, nullable)]);
  },
};

function badTemplates({ path, text }: Source): string[] {
  return sqlTemplatesOf(text, /\b(?:perEngine|rawMigration|\.raw)\s*(?:<[^(]*?>)?\(/g).flatMap((template) =>
    inSql.flatMap(({ pattern, because }) => {
      const found = pattern.exec(template.text);
      return found && found[0] !== released[path]
        ? [`${path}:${lineOf(text, template.index)} has "${found[0].trim()}" in SQL: ${because}.`]
        : [];
    }),
  );
}

function badCode({ path, text }: Source): string[] {
  const code = withoutComments(text);
  return inCode.flatMap(({ pattern, because }) =>
    [...code.matchAll(pattern)].map(
      (found) => `${path}:${lineOf(code, found.index)} has "${found[0].trim()}": ${because}.`,
    ),
  );
}
