import type { Clock } from '@shopscope/clock';
import type { RequestHandler } from 'express';
import type { Admit } from '../../operations/admit.ts';
import type { AuthenticateKey } from '../../operations/authenticate-key.ts';
import { admit } from './middleware/admit.ts';
import { answer } from './middleware/answer.ts';
import { answerPreflight } from './middleware/answer-preflight.ts';
import { assignRequestId } from './middleware/assign-request-id.ts';
import { authenticate } from './middleware/authenticate.ts';
import { readBody } from './middleware/read-body.ts';
import { refuseWhileDraining } from './middleware/refuse-while-draining.ts';
import { rejectInvalidFraming } from './middleware/reject-invalid-framing.ts';
import { requireScope } from './middleware/require-scope.ts';
import { requireServedOperation } from './middleware/require-served-operation.ts';
import { startDeadline } from './middleware/start-deadline.ts';
import { validateInput } from './middleware/validate-input.ts';
import type { OperationIndex } from './operation-index.ts';
import type { Routes } from './routes/index.ts';
import type { SendReply } from './send-reply.ts';

/**
 * Every request passes this list from the top. The order is the contract's order of checks: what is refused early has
 * cost nothing, and a caller without a key learns nothing about routes.
 */
export interface ChainOptions {
  clock: Clock;
  isDraining: () => boolean;
  authenticateKey: AuthenticateKey;
  admit: Admit;
  index: OperationIndex;
  routes: Routes;
  send: SendReply;
}

export function createChain(options: ChainOptions): RequestHandler[] {
  return [
    assignRequestId,
    refuseWhileDraining(options.isDraining),
    rejectInvalidFraming,
    // Before a slot is taken, so that slow senders hold none.
    readBody,
    // The caller's sending is over; from here on the time is ours.
    startDeadline(options.clock, options.send),
    answerPreflight(options.index, options.send),
    authenticate(options.authenticateKey),
    // Every authenticated request counts, whatever becomes of it.
    admit(options.admit),
    requireServedOperation(options.index),
    requireScope,
    validateInput,
    // Idempotency, then the conditional 304, then the allowance: inside the operations, next to what they guard.
    answer(options.routes, options.send),
  ];
}
