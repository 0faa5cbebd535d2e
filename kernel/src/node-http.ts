/**
 * HTTP as Node carries it. A module that imports `node:http` gets all that it exports, and for `WebSocket` among that
 * Node loads its own `fetch`, which a server may never use: 3 MB, and 40 ms of a start. Types may be imported from
 * there.
 */
const http = process.getBuiltinModule("node:http");

export default http;
export const { Agent, createServer, request, STATUS_CODES } = http;
