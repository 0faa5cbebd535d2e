/** The style of the pages that the kernel itself shows. */
export const pageStyle = `:root { color-scheme: light dark; font: 1.0625rem/1.5 system-ui, sans-serif; }
body { box-sizing: border-box; min-height: 100vh; margin: 0; display: grid; place-content: center; padding: 2rem; background: light-dark(#f5f1e8, #10121b); color: light-dark(#1d1b18, #f0eadd); }
main { max-width: 32rem; } h1 { margin: 0 0 0.5em; font-size: 1.75rem; line-height: 1.2; }
a { color: light-dark(#2a3cc9, #9dabff); } small { color: light-dark(#5f594e, #aeaa9d); }
form:not([hidden]) { display: grid; gap: 1rem; } label { display: grid; gap: 0.25rem; }
input, button { font: inherit; padding: 0.5rem 0.75rem; border: 1px solid light-dark(#8b8478, #6f7388); border-radius: 0.5rem; background: light-dark(#fffdf8, #191c28); color: inherit; }
button { cursor: pointer; background: light-dark(#2a3cc9, #9dabff); color: light-dark(#fff, #10121b); border-color: transparent; }
ul { list-style: none; margin: 1rem 0; padding: 0; } li { display: flex; gap: 1rem; align-items: center; justify-content: space-between; padding: 0.5rem 0; }`;
