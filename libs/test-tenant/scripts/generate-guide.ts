import { readFileSync, writeFileSync } from 'node:fs';
import { guideTables, withTables } from '../src/guide-tables.ts';

/** Writes the tables of docs/guides/test-tenant.md. */
const guide = new URL('../../../docs/guides/test-tenant.md', import.meta.url);
writeFileSync(guide, withTables(readFileSync(guide, 'utf8'), guideTables()));
