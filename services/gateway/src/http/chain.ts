import type { Clock } from '@shopscope/clock';
import type { AuthenticateKey } from '../keys/authenticate-key.ts';
import type { Caller } from '../keys/caller.ts';
import type { Admission } from '../limits/admission.ts';
import type { ConnectionLimits } from '../limits/connection-limits.ts';
import type { BodyBudget } from './body/body-budget.ts';
import { readBody, rejectLargeBody } from './body/read-body.ts';
import { screenBody } from './body/screen-body.ts';
import type { OperationIndex } from './operation-index.ts';
import type { Reply } from './reply/reply.ts';
import type { SendReply } from './reply/send-reply.ts';
import type { ReadRequest, ReceivedRequest } from './request.ts';
import { admit } from './steps/admit.ts';
import { authenticate, needsKey, preflightReply } from './steps/authenticate.ts';
import { parseBody, requireScope, requireServedOperation, validateInput } from './steps/prepare.ts';
import { assignRequestId, rejectInvalidFraming, rejectWhileStopping } from './steps/receive.ts';
import { refuseFaultDomain } from './steps/refuse-fault-domain.ts';
import { startDeadline } from './steps/start-deadline.ts';

export interface ChainOptions {
  clock: Clock;
  /** Whether new requests are refused. */
  isStopping: () => boolean;
  authenticateKey: AuthenticateKey;
  bodyBudget: BodyBudget;
  /** If it is undefined, connections without an admitted request are not bounded. */
  connections?: ConnectionLimits | undefined;
  /** Throws `rate_limited` if the address has used up its requests without a key. If it is undefined, they are not limited. */
  acquirePublic?: ((address: string) => void) | undefined;
  admission: Admission;
  index: OperationIndex;
  send: SendReply;
}

/** Resolves to the reply, or to undefined when the caller has disconnected. Rejects with the error to send. */
export type Chain = (received: ReceivedRequest) => Promise<Reply | undefined>;

/**
 * The steps of every request. The order is the order of checks in the contract: cheap checks come first, and below /v1 a caller
 * without a key gets no information about routes.
 */
export function createChain(options: ChainOptions): Chain {
  /** These steps may run before the admission is decided. None of them therefore has an effect that outlasts a refused request. */
  const prepare = (request: ReadRequest & { caller?: Caller }) => {
    const routed = requireServedOperation(options.index, request);
    const parsed = parseBody(routed);
    if (routed.caller) requireScope(routed, routed.caller, parsed);
    const validated = validateInput(routed, parsed);
    refuseFaultDomain(options, validated);
    validated.begun = validated.operation.begin?.(validated);
    // Nobody awaits this promise when the request is refused.
    validated.begun?.catch(() => {});
    return validated;
  };

  return async (received) => {
    const { response, message } = received;
    assignRequestId(received);
    rejectWhileStopping(options.isStopping);
    rejectInvalidFraming(received);
    rejectLargeBody(message);
    // Looks up the key if a body follows: bytes are kept only for callers whose key is accepted.
    const screening = await screenBody(options, received);
    // The caller has disconnected.
    if (response.closed) return undefined;
    // The body is read before the admission, so that slow senders hold no slot.
    const read = await readBody(received, screening);
    // The deadline starts after the body, so that slow senders do not use up the time of the work.
    startDeadline(options, read, screening.durationMs);
    if (message.method === 'OPTIONS' || !needsKey(read)) options.acquirePublic?.(read.address());
    const preflight = preflightReply(options.index, read);
    if (preflight) return preflight;
    if (!needsKey(read)) {
      const validated = prepare(read);
      return validated.operation.handle(validated);
    }
    const authenticated = await authenticate(options, read);
    // Every authenticated request counts, whatever its response.
    const validated = await admit(options, authenticated, prepare);
    // The handler checks the Idempotency-Key, then If-None-Match, then the allowance.
    return validated?.operation.handle(validated);
  };
}
