import { readFileSync, writeFileSync } from 'node:fs';
import { typesOf } from './types-of-contract.ts';

/** Writes src/shopscope/types.py, the types of docs/openapi.json: npm run generate --workspace @shopscope/client-python */
const contract = new URL('../../../docs/openapi.json', import.meta.url);
writeFileSync(
  new URL('../src/shopscope/types.py', import.meta.url),
  typesOf(JSON.parse(readFileSync(contract, 'utf8'))),
);
