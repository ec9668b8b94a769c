import { AppError } from '@shopscope/errors';
import { apiKeyDigest } from '@shopscope/ids';
import { LRUCache } from 'lru-cache';

/**
 * The MCP messages that this instance answers, and the keys that the API accepted.
 *
 * - Bounds: {@link maxMessages} at a time, {@link maxOfKey} of a key, digests of {@link maxAccepted} keys. The oldest is forgotten.
 */
export interface McpMessages {
  /** Throws `concurrency_limited`. */
  begin(): McpMessage;
  isAccepted(token: string): boolean;
  setAccepted(token: string, isAccepted: boolean): void;
  /** Ends the waits of all messages, also of later ones. */
  endWaits(): void;
}

export interface McpMessage {
  /** Counts the message as one of the key. Throws `concurrency_limited`. */
  ofKey(keyId: string, concurrency: number): void;
  /** Aborted when waits for scans shall end. */
  waits: AbortSignal;
  end(): void;
}

const maxMessages = 200;
const maxOfKey = 20;
const maxAccepted = 10_000;

export function createMcpMessages(): McpMessages {
  const messages = new Map<AbortController, string | undefined>();
  const counts = new Map<string, number>();
  const accepted = new LRUCache<string, true>({ max: maxAccepted });
  let isEnding = false;

  return {
    begin() {
      if (messages.size >= maxMessages) throw tooMany();
      const waits = new AbortController();
      messages.set(waits, undefined);
      if (isEnding) waits.abort();
      return {
        ofKey(keyId, concurrency) {
          const count = counts.get(keyId) ?? 0;
          if (count >= Math.min(concurrency, maxOfKey)) throw tooMany();
          counts.set(keyId, count + 1);
          messages.set(waits, keyId);
        },
        waits: waits.signal,
        end() {
          const keyId = messages.get(waits);
          messages.delete(waits);
          if (keyId === undefined) return;
          const left = (counts.get(keyId) ?? 1) - 1;
          if (left === 0) counts.delete(keyId);
          else counts.set(keyId, left);
        },
      };
    },
    isAccepted: (token) => accepted.has(digestOf(token)),
    setAccepted(token, isAccepted) {
      if (isAccepted) accepted.set(digestOf(token), true);
      else accepted.delete(digestOf(token));
    },
    endWaits() {
      isEnding = true;
      for (const waits of messages.keys()) waits.abort();
    },
  };
}

const digestOf = (token: string) => apiKeyDigest(token).toString('base64');

const tooMany = () =>
  new AppError('concurrency_limited', 'Too many messages are being answered; retry after a second.', {
    details: { retry_after: 1 },
  });
