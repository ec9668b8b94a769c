import { Writable } from 'node:stream';
import { writeReadableStreamToWritable } from '@react-router/node';
import { RouterContextProvider } from 'react-router';
import { expect, it } from 'vitest';
import { streamOf } from './file-response.ts';
import { requestContext } from './request-context.ts';

/** Parts without an end, and how many of them were taken. */
function endless() {
  const state = { taken: 0, ended: false };
  async function* parts() {
    try {
      for (;;) {
        state.taken += 1;
        yield 'x'.repeat(1_000);
      }
    } finally {
      state.ended = true;
    }
  }
  return { state, parts: parts() };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

it('a stream takes no part that the client does not read, and ends the parts when the client disconnects', async () => {
  const { state, parts } = endless();
  const goOn: (() => void)[] = [];
  const client = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => void goOn.push(done) });
  const sent = writeReadableStreamToWritable(streamOf(new RouterContextProvider(), parts), client).catch(() => 'gone');
  for (let n = 0; n < 20; n++) await turn();
  expect(state).toEqual({ taken: 1, ended: false });
  goOn.shift()?.();
  for (let n = 0; n < 20; n++) await turn();
  expect(state).toEqual({ taken: 2, ended: false });
  client.destroy();
  expect(await sent).toBe('gone');
  for (let n = 0; n < 20; n++) await turn();
  expect(state).toEqual({ taken: 2, ended: true });
});

it('a part that fails is logged and breaks the stream', async () => {
  const problems: unknown[] = [];
  const context = new RouterContextProvider();
  context.set(requestContext, { toProblem: (error: unknown) => void problems.push(error) } as never);
  const failure = new Error('the database is unavailable');
  async function* parts() {
    yield 'whole';
    throw failure;
  }
  const reader = streamOf(context, parts()).getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('whole');
  await expect(reader.read()).rejects.toBe(failure);
  expect(problems).toEqual([failure]);
});
