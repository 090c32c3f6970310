/** Passes every request to the framework, when the fast path is off. */
import type { Server } from 'node:http';
import type { Connections } from '../limits/connections.ts';
import { onlyListener } from './listeners.ts';

export const openFramework = (
  server: Server,
  connections: Pick<Connections, 'add' | 'read' | 'handle'>,
): void => {
  const http = onlyListener(server.listeners('connection'));
  const framework = onlyListener(server.listeners('request'));
  server.removeAllListeners('connection').removeAllListeners('request');
  server.on('connection', (socket) => {
    connections.add(socket);
    http.call(server, socket);
    connections.read(socket);
  });
  server.on('request', (request, response) => {
    connections.handle(request.socket, response, () => framework.call(server, request, response));
  });
};
