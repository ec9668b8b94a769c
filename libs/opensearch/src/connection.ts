import type { ClientRequest, IncomingMessage } from 'node:http';
import { Connection, errors } from '@opensearch-project/opensearch';

/** A request over its time limit. The client sends aborted requests once, so an expensive query is not repeated on every node. */
export class RequestTimeoutError extends errors.RequestAbortedError {}

/** The client does not export these types. */
type RequestOptions = Parameters<Connection['request']>[0];
type Callback = Parameters<Connection['request']>[1];

/**
 * The client's connection to one node, with three changes.
 *
 * - A request over its time limit fails with {@link RequestTimeoutError}.
 * - The time limit also applies to pauses within the body of a response. The client alone would wait forever. The connection then counts as
 *   failed.
 * - An error of a request whose response has begun is not printed, because it also ends the response. The client would print it to standard
 *   output.
 */
export class BoundedConnection extends Connection {
  override request(params: RequestOptions, callback: Callback): ClientRequest {
    return super.request(params, (error, response) => {
      if (error instanceof errors.TimeoutError) return callback(new RequestTimeoutError('Request timed out'), null);
      if (response !== null) guardBody(response as IncomingMessage & { req: ClientRequest });
      callback(error, response);
    });
  }
}

function guardBody(response: IncomingMessage & { req: ClientRequest }): void {
  response.req.removeAllListeners('error').on('error', () => {});
  response.req.once('timeout', () => response.destroy());
}
