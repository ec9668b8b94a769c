import { connect } from 'node:net';
import { waitUntil } from '@shopscope/testing';
import { expect, it } from 'vitest';
import { startTestGateway } from './support/gateway.ts';
import { call, sendRaw } from './support/http.ts';

it('a gateway that stops ends its readiness first, still serves requests and ends their connections, then refuses with 503, and finishes requests in flight', async () => {
  const gateway = await startTestGateway({ env: { DRAIN_DELAY_MS: '600' } });
  const { secret } = gateway.backends.addKey();
  gateway.backends.addStore('shop.example');
  const ready = async () => (await fetch(`${gateway.service.adminUrl}/readyz`)).status;
  expect(await ready()).toBe(200);

  const profiles = gateway.backends.hold('getStores');
  const inFlight = call(gateway, '/v1/stores/shop.example', { key: secret });
  await expect.poll(() => gateway.service.pending()).toBe(1);
  const stopped = gateway.service.stop();
  expect(await ready()).toBe(503);
  const served = await sendRaw(gateway.port, ['GET /v1/health HTTP/1.1\r\nHost: x\r\n\r\n']);
  expect(served).toMatch(/^HTTP\/1\.1 200 /);
  expect(served.toLowerCase()).toContain('connection: close');

  const late = openConnection(gateway.port);
  const isRefused = () =>
    call(gateway, '/v1/health').then(
      () => false,
      () => true,
    );
  await waitUntil('the gateway to take no more connections', isRefused);
  const refused = await late.finish();
  expect(refused).toMatch(/^HTTP\/1\.1 503 /);
  expect(refused).toContain('"code":"unavailable"');
  expect(refused).toMatch(/Retry-After: 1\r\n/);
  expect(refused.toLowerCase()).toContain('connection: close');

  profiles.release();
  expect((await inFlight).status).toBe(200);
  await stopped;
  await expect(call(gateway, '/v1/health')).rejects.toThrow();
  await gateway.stop();
});

/** Opens a connection and begins a request, whose rest is sent by `finish`. */
function openConnection(port: number) {
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /v1/health HTTP/1.1\r\nHost: x\r\n');
  return {
    finish: (): Promise<string> =>
      new Promise((resolve) => {
        let received = '';
        socket.on('data', (data) => {
          received += data.toString();
        });
        socket.on('close', () => resolve(received));
        socket.write('\r\n');
      }),
  };
}
