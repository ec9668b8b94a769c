import { readFileSync, writeFileSync } from 'node:fs';
import { syncClientOf } from './sync-client.ts';
import { typesOf } from './types-of-contract.ts';

/** Writes types.py, the types of docs/openapi.json, and the synchronous client: npm run generate --workspace @shopscope/client-python */
const contract = new URL('../../../docs/openapi.json', import.meta.url);
const sources = new URL('../src/shopscope/', import.meta.url);
writeFileSync(new URL('types.py', sources), typesOf(JSON.parse(readFileSync(contract, 'utf8'))));
const asynchronous = readFileSync(new URL('_async_client.py', sources), 'utf8');
writeFileSync(new URL('_client.py', sources), syncClientOf(asynchronous));
