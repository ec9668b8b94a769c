import type { MethodDefinition } from '@grpc/grpc-js';

// biome-ignore lint/suspicious/noExplicitAny: a definition's messages differ per method; inference restores them below
export type UnaryDefinition = Record<string, MethodDefinition<any, any>>;

/** Request and response message of a method of a service definition; `SentOf` is the response as a handler gives it. */
export type RequestOf<M> = M extends { requestDeserialize: (bytes: Buffer) => infer Q } ? Q : never;
export type SentOf<M> = M extends { responseSerialize: (response: infer R) => Buffer } ? R : never;
export type ResponseOf<M> = M extends { responseDeserialize: (bytes: Buffer) => infer R } ? R : never;
