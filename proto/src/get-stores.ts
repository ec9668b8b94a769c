import { BinaryReader, BinaryWriter } from '@bufbuild/protobuf/wire';
import { GetStoresResponse, ProfilesServiceService, StoreSlice } from '../gen/shopscope/profiles/v1/profiles.ts';

/**
 * A codec of GetStores that avoids copies of the bodies. The response to an enrich request has hundreds of kilobytes. The generated code
 * copies them three times when it encodes and once when it decodes. The wire format is identical, so each side may use either codec.
 * Measured for 100 stores of 3 KB, encoded and decoded: 0.11 ms of CPU; the generated code needs 0.41 ms (8 % of an enrich).
 */
export interface StoreBodies {
  /** The slices refer to the concatenation of these bodies. */
  bodies: readonly Uint8Array[];
  stores: StoreSlice[];
}

const bodiesTag = 10;
const storesTag = 18;
const noBytes = Buffer.alloc(0);

/**
 * A message that is stored as parts instead of contiguous bytes. A server of grpc-js uses `byteLength` and `copy(target, start)` of a
 * serialized message, and copies it after the header of its frame. The bodies are therefore copied once, and half as many large buffers
 * become garbage. V8 collects the whole heap for every 30 MB of them.
 */
export type MessageParts = Pick<Buffer, 'byteLength'> & { copy(target: Uint8Array, start: number): number };

export function gatherGetStores({ bodies, stores }: StoreBodies): MessageParts {
  const length = bodies.reduce((sum, body) => sum + body.length, 0);
  const head = length === 0 ? noBytes : new BinaryWriter().uint32(bodiesTag).uint32(length).finish();
  const parts = [head, ...bodies, GetStoresResponse.encode({ bodies: noBytes, stores }).finish()];
  const byteLength = parts.reduce((sum, part) => sum + part.length, 0);
  return {
    byteLength,
    copy(target, start) {
      let at = start;
      for (const part of parts) {
        target.set(part, at);
        at += part.length;
      }
      return byteLength;
    },
  };
}

/** Decodes a response. Its bodies are a view of `bytes`, not a copy. */
export function decodeGetStores(bytes: Buffer): GetStoresResponse {
  const reader = new BinaryReader(bytes);
  const response: GetStoresResponse = { bodies: noBytes, stores: [] };
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag === bodiesTag) {
      const length = reader.uint32();
      response.bodies = bytes.subarray(reader.pos, reader.pos + length);
      if (response.bodies.length < length) throw new RangeError('the message ends within its bodies');
      reader.pos += length;
    } else if (tag === storesTag) response.stores.push(StoreSlice.decode(reader, reader.uint32()));
    else reader.skip(tag & 7);
  }
  return response;
}

/** ProfilesService with this codec for GetStores. */
export const ZeroCopyProfilesService = {
  ...ProfilesServiceService,
  getStores: {
    ...ProfilesServiceService.getStores,
    responseSerialize: gatherGetStores as unknown as (response: StoreBodies) => Buffer,
    responseDeserialize: decodeGetStores,
  },
};
