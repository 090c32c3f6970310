/** Exports Node's HTTP without its fetch. */

// An `import` reads every export, and so loads fetch and WebSocket, which is a fifteenth of the start of a server.
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');
