/** Elements with a line of their own: text of two of them is not read as one word or sentence. */
export const blocks =
  "p, li, h1, h2, h3, h4, h5, h6, blockquote, dd, dt, td, th, pre, figcaption, caption, div, section, article, aside, body";
