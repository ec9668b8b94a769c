import { type Environment, environments, parseEnvironment } from '@shopscope/environment';
import { invalidField } from '@shopscope/errors';
import type { Origin as OriginMessage } from '../gen/shopscope/common/v1/common.ts';

/** The origin of @shopscope/telemetry. */
interface Origin {
  requestId: string;
  traceparent: string;
  environment: Environment | null;
}

/** Returns the message of an origin. */
export const encodeOrigin = ({ requestId, traceparent, environment }: Origin): OriginMessage => ({
  requestId,
  traceparent,
  environment: environment ?? '',
});

/** Returns the origin of a message. Throws `invalid_request` if its environment is unknown. */
export function decodeOrigin({ requestId, traceparent, environment: text }: OriginMessage): Origin {
  const environment = parseEnvironment(text);
  if (environment === undefined) throw invalidField('origin.environment', `must be ${environments.join(' or ')}`);
  return { requestId, traceparent, environment };
}
