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
import { assignRequestId } from './steps/assign-request-id.ts';
import { authenticate } from './steps/authenticate.ts';
import { needsKey } from './steps/needs-key.ts';
import { parseBody } from './steps/parse-body.ts';
import { preflightReply } from './steps/preflight-reply.ts';
import { rejectInvalidFraming } from './steps/reject-invalid-framing.ts';
import { rejectWhileDraining } from './steps/reject-while-draining.ts';
import { requireScope } from './steps/require-scope.ts';
import { requireServedOperation } from './steps/require-served-operation.ts';
import { startDeadline } from './steps/start-deadline.ts';
import { validateInput } from './steps/validate-input.ts';

export interface ChainOptions {
  clock: Clock;
  isDraining: () => boolean;
  authenticateKey: AuthenticateKey;
  bodyBudget: BodyBudget;
  /** Undefined: connections without an admitted request are not bounded. */
  connections?: ConnectionLimits | undefined;
  /** Throws `rate_limited` when the address has spent its requests without a key. Undefined: they are not limited. */
  acquirePublic?: ((address: string) => void) | undefined;
  admission: Admission;
  index: OperationIndex;
  send: SendReply;
}

/** Resolves to the reply; to undefined when the caller has disconnected. Rejects with the error to send. */
export type Chain = (received: ReceivedRequest) => Promise<Reply | undefined>;

/**
 * The steps of every request. The order is the order of checks in the contract: cheap checks come first, and a caller without a
 * key gets no information about routes.
 */
export function createChain(options: ChainOptions): Chain {
  /** No effect of these steps outlasts the request, because they may run before its admission is decided. */
  const prepare = (request: ReadRequest & { caller?: Caller }) => {
    const routed = requireServedOperation(options.index, request);
    const parsed = parseBody(routed);
    if (routed.caller) requireScope(routed.operation, routed.caller, parsed);
    const validated = validateInput(routed, parsed);
    validated.begun = validated.operation.begin?.(validated);
    // A refused request has nobody who waits for it.
    validated.begun?.catch(() => {});
    return validated;
  };

  return async (received) => {
    const { response, message } = received;
    assignRequestId(received);
    rejectWhileDraining(options.isDraining);
    rejectInvalidFraming(received);
    rejectLargeBody(message);
    // Bytes are kept only for callers whose key was accepted.
    const screening = await screenBody(options, received);
    // No event is left that would end the reading.
    if (response.closed) return undefined;
    // Before the admission, so that slow senders hold no slot.
    const read = await readBody(received, screening);
    // After the body, so that slow senders do not use up the time of the work.
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
    // Operations check the Idempotency-Key, then If-None-Match, then the allowance.
    return validated?.operation.handle(validated);
  };
}
