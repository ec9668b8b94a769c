import type { MethodDefinition } from '@grpc/grpc-js';

/** Replaces a message whose bytes cannot be decoded. */
export const undecodable = Symbol('undecodable');

/**
 * Returns the method with a decoder that never throws. If a decoder throws, grpc-js answers INTERNAL before a handler runs, and nothing
 * is counted or logged. The server therefore answers {@link undecodable} itself, as a fault of the caller.
 */
export const withSafeDecoder = <Q, R>(method: MethodDefinition<Q, R>): MethodDefinition<Q | typeof undecodable, R> => ({
  ...method,
  requestSerialize: (request) => method.requestSerialize(request as Q),
  requestDeserialize(bytes) {
    try {
      return method.requestDeserialize(bytes);
    } catch {
      return undecodable;
    }
  },
});
