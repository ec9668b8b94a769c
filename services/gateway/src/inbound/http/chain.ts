import type { Clock } from '@shopscope/clock';
import type { RequestHandler } from 'express';
import type { Admission } from '../../operations/admit.ts';
import type { AuthenticateKey } from '../../operations/authenticate-key.ts';
import type { BodyBudget } from './body-budget.ts';
import { compose } from './compose.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import { admit } from './middleware/admit.ts';
import { assignRequestId } from './middleware/assign-request-id.ts';
import { authenticate } from './middleware/authenticate.ts';
import { beginReading } from './middleware/begin-reading.ts';
import { handlePreflight } from './middleware/handle-preflight.ts';
import { limitPublic } from './middleware/limit-public.ts';
import { readBody, rejectLargeBody } from './middleware/read-body.ts';
import { rejectInvalidFraming } from './middleware/reject-invalid-framing.ts';
import { rejectWhileDraining } from './middleware/reject-while-draining.ts';
import { requireScope } from './middleware/require-scope.ts';
import { requireServedOperation } from './middleware/require-served-operation.ts';
import { runRoute } from './middleware/run-route.ts';
import { screenBody } from './middleware/screen-body.ts';
import { startDeadline } from './middleware/start-deadline.ts';
import { validateInput } from './middleware/validate-input.ts';
import type { OperationIndex } from './operation-index.ts';
import type { Begins, Routes } from './routes/index.ts';
import type { SendReply } from './send-reply.ts';

/**
 * The middleware of every request. The order is the order of checks in the contract: cheap checks come first, and a caller
 * without a key gets no information about routes.
 */
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
  begins: Partial<Begins>;
  routes: Routes;
  send: SendReply;
}

export function createChain(options: ChainOptions): RequestHandler[] {
  return [
    assignRequestId,
    rejectWhileDraining(options.isDraining),
    rejectInvalidFraming,
    rejectLargeBody,
    // Bytes are kept only for callers whose key was accepted.
    screenBody(options),
    // Before the admission, so that slow senders hold no slot.
    readBody,
    // After the body, so that slow senders do not use up the time of the work.
    startDeadline(options.clock, options.send),
    limitPublic(options.acquirePublic),
    handlePreflight(options.index, options.send),
    authenticate(options),
    // Every authenticated request counts, whatever its response.
    admit(
      options,
      compose([requireServedOperation(options.index), requireScope, validateInput, beginReading(options.begins)]),
    ),
    // Operations check the Idempotency-Key, then If-None-Match, then the allowance.
    runRoute(options.routes, options.send),
  ];
}
