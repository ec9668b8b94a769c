import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { DemoStore, type StoreChange } from './demo-store.ts';
import type { StoreDefinition } from './store.ts';

/**
 * Keeps what was changed on request, so that a later scan continues a store's story instead of reversing it.
 *   no file                        -> every store is as written
 *   file or entry that is unusable -> the store is as written
 */
export function storesFrom(definitions: readonly StoreDefinition[], file: string | undefined): Map<string, DemoStore> {
  const changes = file === undefined ? {} : readChanges(file);
  return new Map(definitions.map((definition) => [definition.domain, storeFrom(definition, changes)]));
}

/** Replaces the file whole: a process that is killed meanwhile leaves the old one. */
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
