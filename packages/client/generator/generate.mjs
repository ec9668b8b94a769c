import { readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

/**
 * Writes src/api.gen.ts, the types of docs/openapi.json. `npm run generate --workspace @shopscope/client` installs the generator
 * into this folder, which is not a workspace: it needs TypeScript 5.
 */
const contract = new URL('../../../docs/openapi.json', import.meta.url);
const { factory } = ts;
/** `string & {}`: any string. With plain `string`, an editor would not propose the values beside it. */
const anyString = factory.createParenthesizedType(
  factory.createIntersectionTypeNode([
    factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
    factory.createTypeLiteralNode(undefined),
  ]),
);
/** The type of an open set of values: its present values, and any other string. */
function transform(schema) {
  const values = schema['x-extensible-enum'];
  if (!values) return undefined;
  const literals = values.map((value) => factory.createLiteralTypeNode(factory.createStringLiteral(value)));
  return factory.createUnionTypeNode([...literals, anyString]);
}
const types = await openapiTS(JSON.parse(await readFile(contract, 'utf8')), { immutable: true, transform });
const header = '// Generated from docs/openapi.json: npm run generate --workspace @shopscope/client\n\n';
await writeFile(new URL('../src/api.gen.ts', import.meta.url), header + astToString(types));
