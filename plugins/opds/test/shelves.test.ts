import { definePlugin, NotFound } from "@longbox/sdk";
import { needs } from "@longbox/test/needs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CatalogShelves, type CatalogShelf } from "@longbox/opds/contract";
import { basic, openCatalog, type ReadingRoom } from "./support/catalog.js";
import { hasJing, hasSchemas, jsonSchemaCheck, relaxNgProblems } from "./support/schemas.js";

let room: ReadingRoom;
/** Ids of Moth Patrol 1 and 2, then of Secret Lamp 1; what the shelves hold. */
const ids: number[] = [];

const staff = "library.manage";
const shelves: CatalogShelf[] = [
  {
    id: "favourites",
    title: "Favourites & more",
    summary: "What the house likes",
    holds: "issues",
    listIssues: async () => [ids[2]!, ids[1]!, 987_654, ids[0]!],
  },
  {
    id: "orders",
    title: "Reading orders",
    summary: "What to read after what",
    holds: "lists",
    listLists: async ({ limit, offset }) => ({
      lists: Array.from({ length: 60 }, (_, index) => ({
        id: `order-${index}`,
        title: `Order ${index} <of ${60}>`,
        summary: "An order",
      })).slice(offset, offset + limit),
      total: 60,
    }),
    findList: async (id) =>
      id === "order-0"
        ? { id, title: "Order 0", updatedAt: "2039-02-01T10:00:00.000Z", issueIds: [ids[1]!, ids[0]!, ids[2]!] }
        : undefined,
  },
  {
    id: "staff",
    title: "Staff only",
    summary: "For those who tend the library",
    permission: staff,
    holds: "issues",
    listIssues: async () => ids,
  },
  {
    id: "broken",
    title: "Broken",
    summary: "Fails",
    holds: "issues",
    listIssues: () => Promise.reject(new Error("the secret of the house")),
  },
  {
    id: "nonsense",
    title: "Nonsense",
    summary: "Answers nonsense",
    holds: "issues",
    listIssues: async () => ["seven"] as unknown as number[],
  },
  {
    id: "gone",
    title: "Gone",
    summary: "Knows that it is gone",
    holds: "issues",
    listIssues: () => Promise.reject(new NotFound("test/gone", "It is gone.")),
  },
  { id: "Bad Id/..", title: "Bad", summary: "Has no usable id", holds: "issues", listIssues: async () => [] },
  {
    id: "favourites",
    title: "Second of the name",
    summary: "Comes too late",
    holds: "issues",
    listIssues: async () => [],
  },
  {
    get id(): string {
      throw new Error("no id today");
    },
    title: "Thrower",
    summary: "Throws",
    holds: "issues",
    listIssues: async () => [],
  },
];
const contributor = {
  manifest: {
    id: "orders",
    title: "Orders",
    description: "Adds shelves",
    sdk: "^1.0.0",
    contributes: { catalogShelves: "^1.0.0" },
  },
  plugin: definePlugin({
    activate: (_, context) => shelves.forEach((shelf) => context.contribute(CatalogShelves, shelf)),
  }),
};

beforeAll(async () => {
  const plans = [
    { title: "Moth Patrol", year: 2019, issues: ["1", "2"] },
    { title: "Secret Lamp", year: 2020, issues: ["1"] },
  ];
  room = await openCatalog({
    plans,
    plugins: ["imaging", "operations", "collection", "files", "comics", "reading", "reader", "opds", contributor],
  });
  const secret = await room.issue("Secret Lamp", "1");
  ids.push((await room.issue("Moth Patrol", "1")).id, (await room.issue("Moth Patrol", "2")).id, secret.id);
  expect(
    (await room.host.as("admin").post(`/api/collection/${secret.seriesId}/restricted`, { restricted: true })).status,
  ).toBe(200);
});
afterAll(() => room[Symbol.asyncDispose]());

const read = (path: string, role = "viewer") =>
  fetch(`${room.host.url}/api/opds${path}`, { headers: basic(room, role), redirect: "manual" });
const text = async (path: string, role?: string) => (await read(path, role)).text();
const json = async (path: string, role?: string) => (await read(`/v2${path}`, role)).json() as Promise<any>;
const titles = (atom: string) => [...atom.matchAll(/<entry>.*?<title>([^<]+)/g)].map((match) => match[1]!);

it("puts the shelves that can be used into both roots, and leaves out the others", async () => {
  const added = (all: string[]) => all.slice(all.indexOf("Libraries") + 1);
  expect(added(titles(await text("")))).toEqual([
    "Favourites &amp; more",
    "Reading orders",
    "Broken",
    "Nonsense",
    "Gone",
  ]);
  expect(added((await json("")).navigation.map((link: { title: string }) => link.title))).toEqual([
    "Favourites & more",
    "Reading orders",
    "Broken",
    "Nonsense",
    "Gone",
  ]);
  expect(titles(await text("", "trusted"))).toContain("Staff only");
});

it("shows a shelf of issues in its order, and counts only what the viewer may know of", async () => {
  const atom = await text("/shelves/favourites");
  expect([titles(atom), /totalResults>(\d+)/.exec(atom)![1]]).toEqual([
    ["Moth Patrol #2: Moth Patrol, part 2", "Moth Patrol #1: Moth Patrol, part 1"],
    "2",
  ]);
  expect((await json("/shelves/favourites")).metadata).toMatchObject({ title: "Favourites & more", numberOfItems: 2 });
  const seen = await json("/shelves/favourites", "admin");
  expect([seen.metadata.numberOfItems, seen.publications[0].metadata.title]).toEqual([
    3,
    "Secret Lamp #1: Secret Lamp, part 1",
  ]);
});

it("pages the lists of a shelf, and leads from each to its issues and back", async () => {
  const pages = await Promise.all([1, 2].map((page) => text(`/shelves/orders?page=${page}`)));
  expect(pages.map((page) => titles(page).length)).toEqual([50, 10]);
  expect(titles(pages[1]!).at(-1)).toBe("Order 59 &lt;of 60&gt;");
  expect(
    await Promise.all(
      ["?page=3", "?page=0", "/order-1", "/..%2F", "/order-0?page=2"].map(
        async (path) => (await read(`/shelves/orders${path}`)).status,
      ),
    ),
  ).toEqual([404, 400, 404, 404, 404]);
  const { navigation } = await json("/shelves/orders");
  const list = (await (await fetch(navigation[0].href, { headers: basic(room) })).json()) as any;
  expect(list.metadata).toMatchObject({ title: "Order 0", numberOfItems: 2, modified: "2039-02-01T10:00:00.000Z" });
  expect(list.links.find((link: { rel: string }) => link.rel === "up").href).toBe(
    `${room.host.url}/api/opds/v2/shelves/orders`,
  );
  expect(list.publications.map((publication: any) => publication.metadata.title)).toEqual([
    "Moth Patrol #2: Moth Patrol, part 2",
    "Moth Patrol #1: Moth Patrol, part 1",
  ]);
});

it("hides a shelf from those without its permission", async () => {
  expect([
    (await read("/shelves/staff")).status,
    (await read("/v2/shelves/staff")).status,
    (await read("/shelves/staff", "trusted")).status,
  ]).toEqual([404, 404, 200]);
});

it("says that a shelf which fails cannot be read, without its reasons", async () => {
  const answers = await Promise.all(["broken", "nonsense", "gone", "nobody"].map((shelf) => read(`/shelves/${shelf}`)));
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 404, 404]);
  const body = await answers[0]!.text();
  expect([JSON.parse(body).code, body.includes("secret of the house")]).toEqual(["opds/shelf-unavailable", false]);
});

it(
  "is valid in both versions",
  needs(hasJing && hasSchemas, "jing is not installed or the OPDS schemas are not beside the checkout"),
  async () => {
    const paths = ["", "/shelves/favourites", "/shelves/orders", "/shelves/orders?page=2", "/shelves/orders/order-0"];
    expect(await relaxNgProblems(await Promise.all(paths.map((path) => text(path))))).toEqual([]);
    const check = await jsonSchemaCheck();
    expect(
      (await Promise.all(paths.map((path) => json(path)))).flatMap((feed) =>
        check("https://specs.opds.io/schema/feed.schema.json", feed),
      ),
    ).toEqual([]);
  },
);

it("drops the shelves when their plugin stops, and has them again when it is back", async () => {
  await room.host.disable("orders");
  expect([titles(await text("")).includes("Reading orders"), (await read("/shelves/orders")).status]).toEqual([
    false,
    404,
  ]);
  await room.host.enable("orders");
  expect([titles(await text("")).includes("Reading orders"), (await read("/shelves/orders")).status]).toEqual([
    true,
    200,
  ]);
});
