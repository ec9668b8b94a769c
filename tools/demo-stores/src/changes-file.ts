import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { DemoStore, type StoreChange } from './demo-store.ts';
import type { StoreDefinition } from './store.ts';

/**
 * Stores the changes of demo stores, so that they survive a restart.
 *
 * - No file -> every store has its defined state.
 * - Invalid file or entry -> the store has its defined state.
 */
export function storesFrom(definitions: readonly StoreDefinition[], file: string | undefined): Map<string, DemoStore> {
  const changes = file === undefined ? {} : readChanges(file);
  return new Map(definitions.map((definition) => [definition.domain, storeFrom(definition, changes)]));
}

/** Replaces the file atomically. A process that is killed during the write leaves the old file. */
export function writeChanges(file: string, stores: Iterable<DemoStore>): void {
  const changed = [...stores].flatMap(({ definition, change }) => (change ? [[definition.domain, change]] : []));
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, `${JSON.stringify(Object.fromEntries(changed), null, 2)}\n`);
  renameSync(draft, file);
}

function readChanges(file: string): Record<string, StoreChange> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) ?? {};
  } catch {
    return {};
  }
}

function storeFrom(definition: StoreDefinition, changes: Record<string, StoreChange>): DemoStore {
  try {
    return new DemoStore(definition, changes[definition.domain]);
  } catch {
    return new DemoStore(definition);
  }
}
