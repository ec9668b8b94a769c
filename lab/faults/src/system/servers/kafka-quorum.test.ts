import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { activeController } from './kafka-quorum.ts';

/** A response of Kafka 4.1 with three controllers, of which the third is active. */
const response = [
  '0000005e0000000100000002135f5f636c75737465725f6d65746164617461020000000000000000000300000001',
  '00000000000001190400000001000000000000010800000000020000000000000119000000000300000000000001190001000000',
].join('');

async function brokerThatSends(...chunks: Buffer[]): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      for (const chunk of chunks) socket.write(chunk);
      socket.end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

it('the active controller is read from a response, also if it arrives in parts', async () => {
  const whole = Buffer.from(response, 'hex');
  expect(await activeController(await brokerThatSends(whole))).toBe(3);
  expect(await activeController(await brokerThatSends(whole.subarray(0, 3), whole.subarray(3)))).toBe(3);
});

it('there is no active controller if the response has an error, names no leader, or does not arrive', async () => {
  const noLeader = Buffer.from(response.replace('0000000000000000000300000001', '000000000000ffffffff00000001'), 'hex');
  const failed = Buffer.from(response.replace('000000010000000213', '000000010000290213'), 'hex');
  await expect(activeController(await brokerThatSends(failed))).rejects.toThrow('error 41');
  await expect(activeController(await brokerThatSends(noLeader))).rejects.toThrow('no active controller');
  await expect(activeController(await brokerThatSends())).rejects.toThrow('closed the connection');
});
