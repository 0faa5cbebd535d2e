import { describe, expect, it } from "vitest";
import { readComicInfo } from "../src/tags/comic-info.js";
import { issueTags } from "../src/tags/issue-tags.js";

const tagsOf = (xml: string) => {
  const info = readComicInfo(Buffer.from(xml));
  return info && issueTags(info);
};

describe("ComicInfo.xml", () => {
  it("is read in any order, with unknown elements", () => {
    const tags = tagsOf(
      '<?xml version="1.0"?><ComicInfo><Number>½</Number><Strange><Series>not this</Series></Strange><Series>Moth Patrol</Series><Volume>2019</Volume><Writer>Ada Quill, Bo Fern, Ada Quill</Writer></ComicInfo>',
    );
    expect(tags).toMatchObject({
      series: "Moth Patrol",
      number: "½",
      volume: 2019,
      credits: [
        { name: "Ada Quill", role: "writer" },
        { name: "Bo Fern", role: "writer" },
      ],
    });
  });

  it("is read behind a byte order mark, with bare ampersands and without its end", () => {
    expect(
      tagsOf("\ufeff<ComicInfo><Series>Salt & Vinegar &amp; Co</Series><Publisher>R&D</Publisher><Title>Cut"),
    ).toMatchObject({ series: "Salt & Vinegar & Co", publisher: "R&D" });
  });

  it("says genres, language and age rating, and nothing where it knows nothing", () => {
    const tags = (age: string) =>
      tagsOf(
        `<ComicInfo><Genre>Mystery, Noir</Genre><Tags>moths, Noir</Tags><LanguageISO>fr</LanguageISO><AgeRating>${age}</AgeRating></ComicInfo>`,
      );
    expect(tags("Mature 17+")).toMatchObject({
      subjects: ["Mystery", "Noir", "moths"],
      language: "fr",
      ageRating: "Mature 17+",
    });
    expect([tags("Unknown")?.ageRating, tags("Rating Pending")?.ageRating]).toEqual([undefined, undefined]);
  });

  it("is read in UTF-16", () => {
    const info = readComicInfo(
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("<ComicInfo><Series>Été</Series></ComicInfo>", "utf16le")]),
    );
    expect(info?.fields.get("Series")).toBe("Été");
  });

  it("leaves out numbers that cannot be true, and markup from summaries", () => {
    expect(
      tagsOf(
        "<ComicInfo><Year>0</Year><Month>13</Month><Volume>-1</Volume><Summary>&lt;p&gt;One&lt;/p&gt;&lt;p&gt;&lt;b&gt;Two&lt;/b&gt;&lt;/p&gt;</Summary></ComicInfo>",
      ),
    ).toMatchObject({ year: undefined, month: undefined, volume: undefined, summary: "One\nTwo" });
  });

  it("finds the provider's ids in links and notes", () => {
    expect(
      tagsOf(
        "<ComicInfo><Web>https://comicvine.example/x/4000-901/ https://comicvine.example/y/4050-77/</Web></ComicInfo>",
      ),
    ).toMatchObject({ cvIssueId: 901, cvVolumeId: 77 });
    expect(tagsOf("<ComicInfo><Notes>Tagged with a tool [Issue ID 902]</Notes></ComicInfo>")).toMatchObject({
      cvIssueId: 902,
    });
    expect(tagsOf("<ComicInfo><Notes>Scraped [CVDB903].</Notes></ComicInfo>")).toMatchObject({ cvIssueId: 903 });
  });

  it("tells the reading direction and the front cover", () => {
    expect(
      tagsOf(
        '<ComicInfo><Manga>YesAndRightToLeft</Manga><Pages><Page Image="0" Type="InnerCover"/><Page Image="3" Type="Story FrontCover"/></Pages></ComicInfo>',
      ),
    ).toMatchObject({ rightToLeft: true, frontCover: 3 });
    expect(tagsOf("<ComicInfo><Manga>Yes</Manga></ComicInfo>")).toMatchObject({
      rightToLeft: false,
      frontCover: undefined,
    });
  });

  it("follows no entity, neither from outside nor one that grows", () => {
    const bomb = `<!DOCTYPE c [${Array.from({ length: 9 }, (_, level) => `<!ENTITY e${level + 1} "${`&e${level};`.repeat(10)}">`).join("")}<!ENTITY x SYSTEM "file:///etc/hostname">]><ComicInfo><Series>&e9;&x;</Series><Title>Calm</Title></ComicInfo>`;
    const tags = tagsOf(bomb);
    expect(tags?.title).toBe("Calm");
    expect(tags?.series?.length ?? 0).toBeLessThan(20);
  });

  it("is not seen in another document", () => {
    expect(tagsOf("<html><body>404</body></html>")).toBeUndefined();
    expect(tagsOf("not xml at all")).toBeUndefined();
  });
});
