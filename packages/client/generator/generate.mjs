import { readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';

/**
 * Writes src/api.gen.ts, the types of docs/openapi.json. `npm run generate --workspace @shopscope/client` installs the generator
 * into this folder, which is no workspace: it needs TypeScript 5.
 */
const contract = new URL('../../../docs/openapi.json', import.meta.url);
const types = await openapiTS(JSON.parse(await readFile(contract, 'utf8')), { immutable: true });
const header = '// Generated from docs/openapi.json: npm run generate --workspace @shopscope/client\n\n';
await writeFile(new URL('../src/api.gen.ts', import.meta.url), header + astToString(types));
