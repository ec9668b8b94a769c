import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ReceiverFault = 'hangs' | 'resets' | 500 | 410;

const acceptedAfterMs = 50;

/**
 * Starts a server on this machine that receives the messages of endpoints. Each path is an endpoint.
 *
 * - A message is answered after {@link acceptedAfterMs}, so that a fault interrupts attempts.
 */
export async function startWebhookReceiver() {
  const faults = new Map<string, ReceiverFault>();
  /** The ids of the accepted messages, by path. */
  const accepted = new Map<string, Set<string>>();
  let open = 0;
  let messages = 0;
  const accept = (path: string, id: string, response: ServerResponse) => {
    // The sender did not get the answer, so it must send the message again.
    if (response.destroyed) return;
    accepted.set(path, (accepted.get(path) ?? new Set()).add(id));
    response.writeHead(204).end();
  };
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    const id = String(request.headers['webhook-id']);
    open += 1;
    messages += 1;
    response.once('close', () => {
      open -= 1;
    });
    // The process that sends the message may be killed.
    request.on('error', () => {});
    const fault = faults.get(path);
    if (fault === 'hangs') return;
    if (fault === 'resets') return request.socket.resetAndDestroy();
    if (fault) return response.writeHead(fault).end();
    setTimeout(() => accept(path, id, response), acceptedAfterMs);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    urlOf: (path: string) => base + path,
    setFault: (path: string, fault: ReceiverFault) => void faults.set(path, fault),
    endFaults: () => faults.clear(),
    acceptedOf: (path: string): ReadonlySet<string> => accepted.get(path) ?? new Set(),
    /** The messages that are not answered. */
    open: () => open,
    messages: () => messages,
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
