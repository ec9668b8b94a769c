import { hash } from 'node:crypto';
import type { AuditEntry } from './audit-entry.ts';
import { lengthPrefixed } from './length-prefixed.ts';

/**
 * The hash chain of the audit log of a workspace. Each entry has a sequence, and a hash over its members and the hash of the entry before
 * it. The head repeats the latest sequence and hash, so that a removal of the latest entries is detected as well (decision 24).
 */
export interface ChainHead {
  /** The sequence of the latest entry. It is 0 if there are no entries. */
  sequence: number;
  hash: Buffer;
}

export interface ChainedEntry extends AuditEntry {
  /** Counts from 1 without gaps. */
  sequence: number;
  hash: Buffer;
}

export const emptyChain: ChainHead = { sequence: 0, hash: Buffer.alloc(32) };

/** A later encoding of entries needs another text here. */
const encoding = 'shopscope audit entry 2';

/** Returns the entry linked to the chain that ends with `head`. */
export function chained(head: ChainHead, entry: AuditEntry): ChainedEntry {
  const sequence = head.sequence + 1;
  const { id, workspaceId, actor, actorName, actorEmail, actorAddress, action, at, detail } = entry;
  const { subjectId, subjectName, subjectEmail } = entry;
  // A changed document can have members of any type. String() then returns another text, which causes another hash.
  const members = [
    ...[sequence, id, workspaceId, actor, actorName, actorEmail, actorAddress, action],
    ...[subjectId, subjectName, subjectEmail, at.getTime(), detail],
  ].map(String);
  return { ...entry, sequence, hash: hash('sha256', lengthPrefixed([encoding, head.hash, ...members]), 'buffer') };
}

export interface ChainFault {
  /** The sequence of the first entry that is missing or changed. */
  sequence: number;
  /** `head`: the head has another sequence than the last entry, for example because the latest entries are missing. */
  fault: 'missing' | 'changed' | 'head';
}

/** Starts the check of a chain at its first entry. */
export function startChainCheck() {
  let last = emptyChain;
  return {
    /** The number of entries that were checked without a fault. */
    get checked() {
      return last.sequence;
    },
    /** Checks the next entry, in the order of the sequences. No further call is allowed after a fault. */
    next(entry: ChainedEntry): ChainFault | undefined {
      const { sequence, hash: expected } = chained(last, entry);
      if (entry.sequence > sequence) return { sequence, fault: 'missing' };
      if (entry.sequence !== sequence || !expected.equals(entry.hash)) return { sequence, fault: 'changed' };
      last = { sequence, hash: expected };
      return undefined;
    },
    /** Compares the end of the chain with its head. */
    end(head: ChainHead): ChainFault | undefined {
      if (head.sequence !== last.sequence) {
        return { sequence: Math.min(head.sequence, last.sequence) + 1, fault: 'head' };
      }
      return last.hash.equals(head.hash) ? undefined : { sequence: last.sequence, fault: 'changed' };
    },
  };
}
