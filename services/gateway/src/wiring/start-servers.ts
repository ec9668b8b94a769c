import { createReadClientAddress } from '@shopscope/client-address';
import { closeServer, listen } from '@shopscope/lifecycle';
import { createBodyBudget } from '../http/body/body-budget.ts';
import type { OperationIndex } from '../http/operation-index.ts';
import { createSendReply, type SendReplyOptions } from '../http/reply/send-reply.ts';
import { createWriteBody, type WriteBodyOptions } from '../http/reply/write-body.ts';
import { createWriteStream } from '../http/reply/write-stream.ts';
import { createHttpServer, type HttpServerOptions, requestEvents } from '../http/server.ts';
import { createUnreadAnswers } from '../http/unread-answers.ts';
import type { AuthenticateKey } from '../keys/authenticate-key.ts';
import type { Admission } from '../limits/admission.ts';
import { type ConnectionLimits, createConnectionLimits } from '../limits/connection-limits.ts';
import { createPublicLimits } from '../limits/public-limits.ts';
import type { AccessLog } from '../request-log/access-log.ts';
import type { Peers } from './connect-peers.ts';
import type { Context } from './context.ts';
import type { InFlight } from './open-kafka.ts';

/** Starts the public listener, and the internal one for the dashboard. Resolves to their ports. */
export async function startServers(
  { config, clock, logger, resources, metrics }: Context,
  parts: {
    index: OperationIndex;
    authenticateKey: AuthenticateKey;
    admission: Admission;
    balances: SendReplyOptions['balances'];
    accessLog: AccessLog;
    inFlight: InFlight;
    security: Peers['security'];
    /** Whether responses close their connections. */
    isDraining: () => boolean;
    /** Whether new requests are refused. */
    isStopping: () => boolean;
  },
): Promise<{ port: number; internalPort: number; connections: ConnectionLimits }> {
  const { index, authenticateKey, admission, balances, accessLog, inFlight, security } = parts;
  const readAddress = createReadClientAddress(config.TRUSTED_PROXIES);
  const connections = createConnectionLimits({
    max: config.ANONYMOUS_CONNECTIONS_MAX,
    maxPerAddress: config.ANONYMOUS_CONNECTIONS_PER_ADDRESS,
    readAddress,
    onClosed: metrics.anonymousConnectionClosed,
  });
  const writing: WriteBodyOptions = {
    clock,
    unread: createUnreadAnswers(),
    onCut(request) {
      request.isCut = true;
      metrics.responseCut(request.origin.environment);
    },
  };
  const options: HttpServerOptions = {
    clock,
    isStopping: parts.isStopping,
    authenticateKey,
    bodyBudget: createBodyBudget(),
    admission,
    send: createSendReply({
      balances,
      isDraining: parts.isDraining,
      writeBody: createWriteBody(writing),
      writeStream: createWriteStream(writing),
    }),
    index,
    connections,
    acquirePublic: createPublicLimits({ clock, maxPerMinute: config.PUBLIC_REQUESTS_PER_MINUTE }).acquire,
    readAddress,
    accessLog(request) {
      inFlight.count--;
      accessLog(request);
    },
    onParserError(code, requestId) {
      metrics.parserError(code);
      const outcome = requestId === undefined ? { status: 0 } : { requestId, status: 400, code: 'invalid_request' };
      logger.info({ ...outcome, parser: code }, 'request');
    },
  };
  const server = createHttpServer(options);
  const { https } = security;
  const internalServer = createHttpServer({
    ...options,
    keyUses: ['dashboard', 'api'],
    // Only the dashboard can connect. It sends the address of the caller that it works for.
    readAddress: createReadClientAddress(['0.0.0.0/0', '::/0']),
    connections: undefined,
    acquirePublic: undefined,
    ...(https && { createServer: (options) => https.createServer(options, ['dashboard']) }),
  });
  for (const event of requestEvents) {
    for (const each of [server, internalServer]) each.prependListener(event, () => void inFlight.count++);
  }
  // Both servers close at the same time. Each has up to 11 s for the requests in progress.
  resources.onStop('http servers', () => Promise.all([closeServer(server), closeServer(internalServer)]));
  const port = await listen(server, config);
  const internalPort = await listen(internalServer, { ...config, HTTP_PORT: config.INTERNAL_PORT });
  return { port, internalPort, connections };
}
