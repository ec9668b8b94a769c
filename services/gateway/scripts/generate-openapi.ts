import { writeFileSync } from 'node:fs';
import { buildOpenapi } from '../src/contract/openapi.ts';
import { operations } from '../src/endpoints/endpoints.ts';

/** Writes docs/openapi.json. */
const target = new URL('../../../docs/openapi.json', import.meta.url);
writeFileSync(target, `${JSON.stringify(buildOpenapi(operations), null, 2)}\n`);
