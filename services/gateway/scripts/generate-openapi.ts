import { writeFileSync } from 'node:fs';
import { buildOpenapi } from '../src/contract/openapi.ts';

/** Writes docs/openapi.json. */
const target = new URL('../../../docs/openapi.json', import.meta.url);
writeFileSync(target, `${JSON.stringify(buildOpenapi(), null, 2)}\n`);
