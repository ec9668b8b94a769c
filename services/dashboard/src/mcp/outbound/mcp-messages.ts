import { addressGroup } from '@shopscope/client-address';
import { apiKeyDigest } from '@shopscope/ids';
import { LRUCache } from 'lru-cache';
import type { RequestQueue } from '../../app/outbound/request-queue.ts';
import type { McpKey, McpLimits } from '../domain/mcp-limits.ts';

export interface McpMessage {
  /** Resolves when the message may be answered. Rejects with LimitError. */
  begun: Promise<void>;
  /** Called after the API accepted the key. Throws LimitError if the key's workspace has no room. */
  accept(token: string, key: McpKey): void;
  /** Aborted when waits for scans must end. */
  waits: AbortSignal;
  /** May be called more than once. */
  end(): void;
}

const maxAccepted = 10_000;

/**
 * The MCP messages that this instance answers, and the keys that the API accepted.
 *
 * - A message waits in the turn of its workspace if its key was accepted before, otherwise in the turn of its network address.
 * - Bounds: those of `limits`, and the digests of {@link maxAccepted} keys. The oldest digest is removed first.
 */
export function createMcpMessages(queue: RequestQueue, limits: McpLimits) {
  const messages = new Set<AbortController>();
  const accepted = new LRUCache<string, McpKey>({ max: maxAccepted });
  let isEnding = false;
  const keyOf = (token: string) => accepted.get(digestOf(token));

  return {
    begin({ token, address }: { token: string | undefined; address: string }): McpMessage {
      const known = token === undefined ? undefined : keyOf(token);
      const place = queue.enter(limits.message(addressGroup(address), known));
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
    /** The key of a token that the API accepted before. */
    keyOf,
    forget: (token: string) => void accepted.delete(digestOf(token)),
    /** Ends the waits of all messages, including later ones. */
    endWaits() {
      isEnding = true;
      for (const waits of messages) waits.abort();
    },
  };
}

const digestOf = (token: string) => apiKeyDigest(token).toString('base64');
