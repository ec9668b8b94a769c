import type { Clock } from '@shopscope/clock';
import type { RequestHandler } from 'express';
import type { Begins, Routes } from '../endpoints/route.ts';
import type { AuthenticateKey } from '../keys/authenticate-key.ts';
import type { Admission } from '../limits/admission.ts';
import type { ConnectionLimits } from '../limits/connection-limits.ts';
import type { BodyBudget } from './body/body-budget.ts';
import { readBody, rejectLargeBody } from './body/read-body.ts';
import { screenBody } from './body/screen-body.ts';
import { compose } from './compose.ts';
import type { OperationIndex } from './operation-index.ts';
import type { SendReply } from './reply/send-reply.ts';
import { admit } from './steps/admit.ts';
import { assignRequestId } from './steps/assign-request-id.ts';
import { authenticate } from './steps/authenticate.ts';
import { beginReading } from './steps/begin-reading.ts';
import { handlePreflight } from './steps/handle-preflight.ts';
import { limitPublic } from './steps/limit-public.ts';
import { rejectInvalidFraming } from './steps/reject-invalid-framing.ts';
import { rejectWhileDraining } from './steps/reject-while-draining.ts';
import { requireScope } from './steps/require-scope.ts';
import { requireServedOperation } from './steps/require-served-operation.ts';
import { runRoute } from './steps/run-route.ts';
import { startDeadline } from './steps/start-deadline.ts';
import { validateInput } from './steps/validate-input.ts';

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
