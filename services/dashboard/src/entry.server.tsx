import { PassThrough } from 'node:stream';
import { createReadableStreamFromReadable } from '@react-router/node';
import { originFields } from '@shopscope/telemetry';
import { isbot } from 'isbot';
import { renderToPipeableStream } from 'react-dom/server';
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from 'react-router';
import { createFailurePage } from './app/pages/failure-document.tsx';
import { requestContext } from './app/pages/request-context.ts';

export { createFailurePage, requestContext };

/** After this time, a page that still waits for data is sent as it is. */
const renderTimeoutMs = 8_000;
export const streamTimeout = renderTimeoutMs;

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const { nonce, logger, origin, onDefect } = context.get(requestContext);
  const withNonce = nonce === undefined ? {} : { nonce };
  // A public page is cached as a whole, and has no script that could complete it later.
  const isComplete = nonce === undefined || isbot(request.headers.get('user-agent') ?? '');
  return new Promise((resolve, reject) => {
    let responseStatus = status;
    let body: PassThrough | undefined;
    const send = () => {
      body = new PassThrough();
      headers.set('Content-Type', 'text/html; charset=utf-8');
      resolve(new Response(createReadableStreamFromReadable(body), { status: responseStatus, headers }));
      stream.pipe(body);
    };
    const stream = renderToPipeableStream(<ServerRouter context={entry} url={request.url} {...withNonce} />, {
      ...withNonce,
      ...(isComplete ? { onAllReady: send } : { onShellReady: send }),
      onShellError: reject,
      onError(error) {
        // The reader has disconnected, or asked for the head only.
        if (body?.destroyed) return;
        responseStatus = 500;
        onDefect();
        if (body) logger.error({ ...originFields(origin), err: error }, 'a page failed while it was sent');
      },
    });
    setTimeout(() => stream.abort(), renderTimeoutMs + 1_000).unref();
  });
}

/** The router refuses a request itself, for example a form that no page accepts -> a 4xx. Every other error is a defect. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted) return;
  const { logger, origin, onDefect } = context.get(requestContext);
  if (isRouteErrorResponse(error) && error.status < 500) {
    logger.info({ ...originFields(origin), status: error.status }, 'a page failed');
    return;
  }
  onDefect();
  logger.error({ ...originFields(origin), err: error }, 'a page failed');
};
