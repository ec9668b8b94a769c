import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hourMs, minuteMs } from '@shopscope/clock';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHttpSender } from '../../src/outbound/http/http-sender.ts';
import { newWorkspaceId, startWebhooksSystem, type WebhooksSystem } from './harness.ts';

type Drop = (request: IncomingMessage, response: ServerResponse) => void;

const drops: Record<string, Drop> = {
  'closes the connection without an answer': (request) => request.socket.destroy(),
  'answers 500': (_, response) => response.writeHead(500).end(),
};

describe('a receiver that drops every second delivery', () => {
  let system: WebhooksSystem;
  let receiver: Server;
  let url: string;
  let drop: Drop;
  /** The ids of all messages, and of those that the receiver has accepted, in their order. */
  const received: string[] = [];
  const accepted: string[] = [];
  beforeAll(async () => {
    system = await startWebhooksSystem('dropping');
    receiver = createServer(async (request, response) => {
      for await (const _ of request);
      const id = String(request.headers['webhook-id']);
      received.push(id);
      if (received.length % 2 === 0) return drop(request, response);
      accepted.push(id);
      response.writeHead(204).end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  });
  afterAll(async () => {
    await system?.stop();
    await new Promise((resolve) => receiver?.close(resolve));
  });
  beforeEach(async () => {
    await system.reset();
    received.length = 0;
    accepted.length = 0;
  });

  for (const [how, dropping] of Object.entries(drops)) {
    it(`a receiver that ${how} ends with every event exactly once by webhook-id`, async () => {
      drop = dropping;
      const { clock } = system;
      const sender = createHttpSender({ clock, deniedCidrs: [], allowsLoopback: true, onRefused: () => {} });
      const { deps, dispatcher } = system.instance({
        replace: (own) => ({ ...own, sender: { ...sender, checkUrl: async () => undefined } }),
      });
      const workspaceId = newWorkspaceId();
      await system.newEndpoint(workspaceId, { url }, deps);
      const events = Array.from({ length: 60 }, () => system.newEvent(workspaceId));
      await system.receive(...events);
      for (const pauseMs of [0, minuteMs, hourMs, hourMs, 3 * hourMs, 6 * hourMs, 12 * hourMs]) {
        clock.advance(pauseMs);
        await system.drain({ deps, dispatcher });
      }
      await sender.close();
      expect(received.length).toBeGreaterThan(events.length);
      expect([...new Set(accepted)].sort()).toEqual(events.map(({ id }) => id).sort());
      expect(new Set(received).size).toBe(events.length);
      const states = (await system.deliveries(workspaceId)).map(({ state }) => state);
      expect(states).toEqual(Array(events.length).fill('succeeded'));
    });
  }
});
