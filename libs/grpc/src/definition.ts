import type { MethodDefinition } from '@grpc/grpc-js';

// biome-ignore lint/suspicious/noExplicitAny: the message types differ per method; the types below infer them
export type UnaryDefinition = Record<string, MethodDefinition<any, any>>;

/** Message types of a method: request, response of a handler (`SentOf`), response of a client (`ResponseOf`). */
export type RequestOf<M> = M extends { requestDeserialize: (bytes: Buffer) => infer Q } ? Q : never;
export type SentOf<M> = M extends { responseSerialize: (response: infer R) => Buffer } ? R : never;
export type ResponseOf<M> = M extends { responseDeserialize: (bytes: Buffer) => infer R } ? R : never;
