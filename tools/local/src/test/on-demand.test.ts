import { expect, it, vi } from 'vitest';
import { startOnDemand } from './on-demand.ts';

const addressFrom = async (url: string) => (await fetch(url)).text();

it('a server on demand starts once, for all requests, and stops with the run', async () => {
  const stop = vi.fn(async () => {});
  const start = vi.fn(async () => ({ url: 'http://127.0.0.1:1', stop }));
  const onDemand = await startOnDemand(start);
  const addresses = await Promise.all([addressFrom(onDemand.url), addressFrom(onDemand.url)]);
  expect(addresses).toEqual(['http://127.0.0.1:1', 'http://127.0.0.1:1']);
  expect(start).toHaveBeenCalledTimes(1);
  await onDemand.stop();
  expect(stop).toHaveBeenCalledTimes(1);
});

it('a server on demand that nobody asked for is neither started nor stopped', async () => {
  const start = vi.fn();
  const onDemand = await startOnDemand(start);
  await onDemand.stop();
  expect(start).not.toHaveBeenCalled();
});

it('a server on demand that cannot start answers every request with the reason', async () => {
  const onDemand = await startOnDemand(() => Promise.reject(new Error('install a JDK')));
  for (const response of [await fetch(onDemand.url), await fetch(onDemand.url)]) {
    expect([response.status, await response.text()]).toEqual([503, 'install a JDK']);
  }
  await onDemand.stop();
});

it('a server on demand that is starting when the run ends is told to give up', async () => {
  const { promise: isStarting, resolve } = Promise.withResolvers<void>();
  const onDemand = await startOnDemand((abort) => {
    resolve();
    return new Promise((_, reject) => abort.addEventListener('abort', () => reject(abort.reason)));
  });
  const answer = addressFrom(onDemand.url).catch(() => 'closed');
  await isStarting;
  await onDemand.stop();
  expect(await answer).toBe('closed');
});
