import { readFileSync, writeFileSync } from 'node:fs';
import { syncModuleOf, syncModules } from './sync-modules.ts';
import { typesOf } from './types-of-contract.ts';

/** Writes types.py, the types of docs/openapi.json, and the synchronous modules: npm run generate --workspace @shopscope/client-python */
const contract = new URL('../../../docs/openapi.json', import.meta.url);
const sources = new URL('../src/shopscope/', import.meta.url);
writeFileSync(new URL('types.py', sources), typesOf(JSON.parse(readFileSync(contract, 'utf8'))));
for (const name of syncModules) {
  const asynchronous = readFileSync(new URL(`_async_${name}.py`, sources), 'utf8');
  writeFileSync(new URL(`_${name}.py`, sources), syncModuleOf(name, asynchronous));
}
