import { addressGroup } from '@shopscope/client-address';
import { apiKeyDigest } from '@shopscope/ids';
import { LRUCache } from 'lru-cache';
import type { FairQueue, Place } from '../../app/outbound/fair-queue.ts';
import type { McpKey, McpLimits } from '../domain/mcp-limits.ts';

/**
 * The MCP messages that this instance answers, and the keys that the API accepted.
 *
 * - A message with a key that was accepted before waits in the turn of its workspace, every other one in that of its network address.
 * - Bounds: those of `limits`, digests of {@link maxAccepted} keys. The oldest is forgotten.
 */
export interface McpMessages {
  begin(message: { token: string | undefined; address: string }): McpMessage;
  /** Of a token that the API accepted before. */
  keyOf(token: string): McpKey | undefined;
  forget(token: string): void;
  /** Ends the waits of all messages, also of later ones. */
  endWaits(): void;
}

export interface McpMessage {
  /** Resolves when the message may be answered. Rejects with LimitError. */
  begun: Promise<void>;
  /** The API accepted the key. Throws LimitError when its workspace has no room. */
  accept(token: string, key: McpKey): void;
  /** Aborted when waits for scans shall end. */
  waits: AbortSignal;
  /** May be called more than once. */
  end(): void;
}

const maxAccepted = 10_000;

export function createMcpMessages(queue: FairQueue, limits: McpLimits): McpMessages {
  const messages = new Set<AbortController>();
  const accepted = new LRUCache<string, McpKey>({ max: maxAccepted });
  let isEnding = false;
  const keyOf = (token: string) => accepted.get(digestOf(token));

  return {
    begin({ token, address }) {
      const known = token === undefined ? undefined : keyOf(token);
      const place: Place = queue.enter(limits.message(addressGroup(address), known));
      const waits = new AbortController();
      messages.add(waits);
      if (isEnding) waits.abort();
      return {
        begun: place.begun,
        accept(acceptedToken, key) {
          accepted.set(digestOf(acceptedToken), key);
          if (!known) place.exchange(limits.unacceptedKey(addressGroup(address)), limits.ofKey(key));
        },
        waits: waits.signal,
        end() {
          messages.delete(waits);
          place.leave();
        },
      };
    },
    keyOf,
    forget: (token) => void accepted.delete(digestOf(token)),
    endWaits() {
      isEnding = true;
      for (const waits of messages) waits.abort();
    },
  };
}

const digestOf = (token: string) => apiKeyDigest(token).toString('base64');
