import { createReadableStreamFromReadable, writeReadableStreamToWritable } from '@react-router/node';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';

/**
 * The request in the form of `fetch`. Its URL has the configured base. Adapters would make it from headers of the caller, and throw on some
 * of them. Its signal aborts when the caller disconnects.
 */
export function toFetchRequest(request: ExpressRequest, response: ExpressResponse, url: string): Request {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  const { method, originalUrl } = request;
  const init = { method, headers: headersOf(request), signal: gone.signal };
  if (method === 'GET' || method === 'HEAD') return new Request(url + originalUrl, init);
  return new Request(url + originalUrl, { ...init, body: createReadableStreamFromReadable(request), duplex: 'half' });
}

function headersOf(request: ExpressRequest): Headers {
  const given = Object.entries(request.headers).flatMap(([name, value = []]) =>
    [value].flat().map((each): [string, string] => [name, each]),
  );
  return new Headers(given);
}

/** The client disconnects -> the rest of the response is cancelled, and nothing is thrown. */
export async function sendFetchResponse(response: ExpressResponse, answer: Response): Promise<void> {
  if (response.destroyed) {
    await answer.body?.cancel();
    return;
  }
  response.status(answer.status);
  for (const [name, value] of answer.headers) response.append(name, value);
  if (!answer.body) {
    response.end();
    return;
  }
  try {
    await writeReadableStreamToWritable(answer.body, response);
  } catch (error) {
    if (!response.destroyed) throw error;
  }
}
