import { status } from '@grpc/grpc-js';
import type { ErrorCode } from '@shopscope/errors';

/** gRPC status of each application code. Metadata carries the code itself, so that the client gets the same code. */
export const statusByCode: Record<ErrorCode, status> = {
  invalid_request: status.INVALID_ARGUMENT,
  unauthorized: status.UNAUTHENTICATED,
  payment_required: status.RESOURCE_EXHAUSTED,
  forbidden_scope: status.PERMISSION_DENIED,
  not_found: status.NOT_FOUND,
  conflict: status.ALREADY_EXISTS,
  rate_limited: status.RESOURCE_EXHAUSTED,
  internal: status.INTERNAL,
  not_implemented: status.UNIMPLEMENTED,
  concurrency_limited: status.RESOURCE_EXHAUSTED,
  unavailable: status.UNAVAILABLE,
};
