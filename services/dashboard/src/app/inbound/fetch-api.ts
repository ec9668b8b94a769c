import { createReadableStreamFromReadable, writeReadableStreamToWritable } from '@react-router/node';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';

/**
 * Converts a request of Express to a Request of `fetch`. Its URL begins with the configured address. Other adapters
 * take the address from the caller's headers, and throw on some headers. Its signal aborts when the caller disconnects.
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

/**
 * Sends a Response of `fetch`. The client disconnects -> the rest of the response is cancelled, and nothing is thrown.
 */
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
