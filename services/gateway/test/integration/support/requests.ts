import type { Backends, KeyOptions } from './backends.ts';
import type { TestGateway } from './gateway.ts';
import { call } from './http.ts';

export interface SendOptions {
  /** The secret of another key than the present one. */
  secret?: string;
  idempotencyKey?: string;
}

/** Requests to a gateway by a key of these options. */
export function createRequests(backends: Backends, gateway: TestGateway, keyOptions: KeyOptions) {
  const newKey = (more: KeyOptions = {}) => backends.addKey({ ...keyOptions, ...more });
  let key = newKey();
  return {
    newKey,
    get key() {
      return key;
    },
    /** Later requests come from a key of a new workspace. */
    changeWorkspace(): void {
      key = newKey();
    },
    send: (method: string, path: string, body?: unknown, { secret = key.secret, idempotencyKey }: SendOptions = {}) =>
      call(gateway, path, {
        method,
        key: secret,
        ...(body !== undefined && { body }),
        ...(idempotencyKey && { headers: { 'Idempotency-Key': idempotencyKey } }),
      }),
  };
}
