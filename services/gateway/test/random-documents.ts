import fc from 'fast-check';
import { type GraphQLObjectType, getNamedType, isObjectType } from 'graphql';
import { bounds } from '../src/endpoints/graphql/bounds.ts';
import { schema } from '../src/endpoints/graphql/schema.ts';

/** Random documents over a few domains, with aliases, repeated fields, fragments, directives and variables. */
export const someDomains = ['a.example', 'b.example', 'c.example', 'unknown.example', 'localhost'];

export interface RandomDocument {
  query: string;
  variables: Record<string, unknown>;
  /** The calls of REST that read the same. */
  calls: RestCall[];
}

export type RestCall =
  | { kind: 'enrich'; domains: string[] }
  | { kind: 'history'; domain: string; first: number }
  | { kind: 'signals'; first: number };

const domains = fc.array(fc.constantFrom(...someDomains), { maxLength: 6 });
const first = fc.integer({ min: 1, max: 5 });

/** Returns a random selection of the fields of a type, in the syntax of a document. */
export function selectionOf(typeName: string, random: () => number, depth = 4): string {
  const type = schema.getType(typeName) as GraphQLObjectType;
  const fields = Object.values(type.getFields()).flatMap((field) => {
    if (random() < 0.4) return [];
    const named = getNamedType(field.type);
    const name = random() < 0.03 ? `x${Math.floor(random() * 1e6)}: ${field.name}` : field.name;
    if (!isObjectType(named)) return [directed(name, random)];
    return depth > 0 ? [`${directed(name, random)} { ${selectionOf(named.name, random, depth - 1)} }`] : [];
  });
  const inner = [...fields, '__typename'].join(' ');
  return random() < 0.1 ? `... on ${typeName} { ${inner} } ${inner}` : inner;
}

function directed(name: string, random: () => number): string {
  const draw = random();
  if (draw < 0.05) return `${name} @skip(if: $yes)`;
  return draw < 0.1 ? `${name} @include(if: true)` : name;
}

const field = fc.oneof(
  fc.record({ kind: fc.constant('enrich' as const), domains }),
  fc.record({
    kind: fc.constant('history' as const),
    domain: fc.constantFrom('a.example', 'b.example', 'unknown.example'),
    first,
  }),
  fc.record({ kind: fc.constant('signals' as const), first }),
);

export const randomDocument: fc.Arbitrary<RandomDocument> = fc
  .record({
    fields: fc.array(fc.record({ call: field, isSkipped: fc.boolean(), isRepeated: fc.boolean() }), {
      minLength: 1,
      maxLength: 8,
    }),
    seed: fc.integer(),
  })
  .map(({ fields, seed }) => {
    const random = generator(seed);
    const variables: Record<string, unknown> = { yes: true };
    const definitions = ['$yes: Boolean!'];
    const texts = fields.map(({ call, isSkipped, isRepeated }, n) => {
      const directive = isSkipped ? ' @skip(if: $yes)' : '';
      const text = textOf(call, n, { variables, definitions, random }).replace(' {', `${directive} {`);
      // The same field again merges with the first one.
      return isRepeated ? `${text} ... on Query { ${text} }` : text;
    });
    const used = texts.some((text) => text.includes('$yes')) ? definitions : definitions.slice(1);
    if (used.length < definitions.length) delete variables.yes;
    const head = used.length > 0 ? `query (${used.join(', ')})` : 'query';
    return {
      query: `${head} { ${texts.join(' ')} __typename }`,
      variables,
      calls: fields.filter((each) => !each.isSkipped).map(({ call }) => call),
    };
  })
  .filter(({ query }) => (query.match(/\b[fx]\d+: /g)?.length ?? 0) <= bounds.aliases);

function textOf(
  call: RestCall,
  n: number,
  {
    variables,
    definitions,
    random,
  }: { variables: Record<string, unknown>; definitions: string[]; random: () => number },
): string {
  if (call.kind === 'enrich') {
    variables[`d${n}`] = call.domains;
    definitions.push(`$d${n}: [String!]!`);
    return `f${n}: stores(domains: $d${n}) { ${selectionOf('EnrichResult', random)} }`;
  }
  if (call.kind === 'history') {
    return `f${n}: history(domain: "${call.domain}", first: ${call.first}) { ${selectionOf('HistoryConnection', random)} }`;
  }
  return `f${n}: signals(first: ${call.first}) { ${selectionOf('SignalConnection', random)} }`;
}

/** A linear congruential generator: the same seed gives the same document. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
