/** Vite puts the worker's code into the module: a plugin has one script. */
declare module "*?worker&inline" {
  const InlineWorker: new () => Worker;
  export default InlineWorker;
}
