import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { createReadClientAddress } from '@shopscope/client-address';
import { describe, expect, it } from 'vitest';
import { createConnectionLimits } from './connection-limits.ts';

function setUp({ max = 100, maxPerAddress = 3 } = {}) {
  const closed: string[] = [];
  const readAddress = createReadClientAddress(['10.0.0.0/8']);
  const limits = createConnectionLimits({ max, maxPerAddress, readAddress, onClosed: (by) => closed.push(by) });
  const open = (remoteAddress: string) => {
    const socket = Object.assign(new EventEmitter(), {
      remoteAddress,
      destroyed: false,
      destroy() {
        socket.destroyed = true;
        socket.emit('close');
      },
    });
    limits.opened(socket as unknown as Socket);
    return {
      get closed() {
        return socket.destroyed;
      },
      accept: () => limits.accepted(socket as unknown as Socket),
      carries: (address: string) => limits.carries(socket as unknown as Socket, () => address),
      leave: () => socket.emit('close'),
    };
  };
  return { limits, closed, open };
}
const closedOf = (connections: readonly { closed: boolean }[]) => connections.map(({ closed }) => closed);

describe('connections without an accepted key', () => {
  it('connections of one address without an accepted key are bounded: the oldest one closes', () => {
    const { open, closed } = setUp();
    const connections = Array.from({ length: 5 }, () => open('203.0.113.9'));
    expect(closedOf(connections)).toEqual([true, true, false, false, false]);
    expect(closed).toEqual(['address', 'address']);
  });

  it('connections of a /64 prefix count together', () => {
    const { open } = setUp();
    const connections = [1, 2, 3, 4].map((n) => open(`2001:db8::${n}`));
    expect(closedOf(connections)).toEqual([true, false, false, false]);
  });

  it('connections of all addresses are bounded, and the address with the most connections loses its oldest connection', () => {
    const { open, closed } = setUp({ max: 5 });
    const greedy = Array.from({ length: 3 }, () => open('203.0.113.9'));
    const others = [1, 2, 3].map((n) => open(`198.51.100.${n}`));
    expect(closedOf(greedy)).toEqual([true, false, false]);
    expect(closedOf(others)).toEqual([false, false, false]);
    expect(closed).toEqual(['all']);
  });

  it('connections count again from their next request on, so that one valid key exempts no connection for ever', () => {
    const { open, limits } = setUp();
    const once = Array.from({ length: 5 }, () => {
      const connection = open('203.0.113.9');
      connection.accept();
      return connection;
    });
    for (const connection of once) connection.carries('203.0.113.9');
    expect(closedOf(once)).toEqual([true, true, false, false, false]);
    for (const connection of once) connection.accept();
    expect(limits.size).toBe(0);
    once[0]?.carries('203.0.113.9');
    expect(limits.size, 'of a closed connection').toBe(0);
  });

  it('connections do not count once a key was accepted, or once they are closed', () => {
    const { open, limits } = setUp();
    for (let n = 0; n < 10; n++) open('203.0.113.9').accept();
    for (let n = 0; n < 10; n++) open('203.0.113.9').leave();
    const connections = Array.from({ length: 3 }, () => open('203.0.113.9'));
    expect(closedOf(connections)).toEqual([false, false, false]);
    expect(limits.size).toBe(3);
  });
});

describe('trusted proxies', () => {
  it('connections of a trusted proxy count for the client whose request they carry, not for the proxy', () => {
    const { open, limits } = setUp();
    const greedy = Array.from({ length: 5 }, () => open('10.1.1.1'));
    for (const connection of greedy) connection.carries('203.0.113.9');
    const other = open('10.1.1.1');
    other.carries('198.51.100.7');
    expect(closedOf([...greedy, other])).toEqual([true, true, false, false, false, false]);
    expect(limits.size).toBe(4);
  });

  it('a connection of a trusted proxy that carries the request of another client counts for that client', () => {
    const { open } = setUp();
    const connections = Array.from({ length: 3 }, () => open('10.1.1.1'));
    for (const connection of connections) connection.carries('203.0.113.9');
    connections[0]?.carries('198.51.100.7');
    open('10.1.1.1').carries('203.0.113.9');
    expect(closedOf(connections)).toEqual([false, false, false]);
  });

  it('an address that a direct caller writes into X-Forwarded-For changes nothing', () => {
    const { open } = setUp();
    const connections = Array.from({ length: 4 }, () => open('203.0.113.9'));
    connections[3]?.carries('198.51.100.7');
    expect(closedOf(connections)).toEqual([true, false, false, false]);
  });

  it('connections on which no request has arrived are bounded in total', () => {
    const { open, limits } = setUp({ max: 5 });
    const idle = Array.from({ length: 9 }, () => open('10.1.1.1'));
    expect(closedOf(idle).filter(Boolean)).toHaveLength(4);
    expect(limits.size).toBe(5);
  });
});
