import type { MethodDefinition } from '@grpc/grpc-js';

/** In the place of a message whose bytes no decoder reads. */
export const undecodable = Symbol('undecodable');

/**
 * The method with a decoder that never throws. grpc-js answers INTERNAL when a decoder throws, before a handler runs, and nothing is
 * counted or logged. The server answers {@link undecodable} itself: it is the caller's fault.
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
