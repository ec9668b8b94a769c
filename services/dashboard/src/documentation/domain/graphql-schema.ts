import { Kind, type ObjectTypeDefinitionNode, parse, type StringValueNode, type TypeNode } from 'graphql';

/** The types of the GraphQL schema, as the documentation shows them. */
export interface GraphqlSchema {
  /** The schema in the schema language. */
  text: string;
  /** The entry point first, then objects, then enums, each by name. */
  types: SchemaType[];
}

export interface SchemaType {
  name: string;
  kind: 'object' | 'enum';
  description: string;
  fields: SchemaField[];
  /** The values of an enum. */
  values: { name: string; description: string }[];
  /** The fields that have this type, for example `Query.store`. */
  usedBy: string[];
}

export interface SchemaMember {
  name: string;
  type: TypeUse;
  description: string;
}

export interface SchemaField extends SchemaMember {
  arguments: SchemaMember[];
}

/** The use of a type, for example `[Store!]!`: `[`, `Store`, `!]!`. */
export interface TypeUse {
  before: string;
  name: string;
  after: string;
}

export const entryPoint = 'Query';

/** Throws if the schema has a definition of another kind than an object or an enum. */
export function readSchema(text: string): GraphqlSchema {
  const types = parse(text).definitions.map((definition): SchemaType => {
    if (definition.kind === Kind.OBJECT_TYPE_DEFINITION) {
      return { ...partsOf(definition), kind: 'object', fields: fieldsOf(definition), values: [], usedBy: [] };
    }
    if (definition.kind === Kind.ENUM_TYPE_DEFINITION) {
      return {
        ...partsOf(definition),
        kind: 'enum',
        fields: [],
        values: (definition.values ?? []).map(partsOf),
        usedBy: [],
      };
    }
    throw new Error(`the documentation does not show ${definition.kind}`);
  });
  const byName = new Map(types.map((type) => [type.name, type]));
  for (const { name, fields } of types) {
    for (const field of fields) {
      const place = `${name}.${field.name}`;
      for (const used of new Set([field, ...field.arguments].map(({ type }) => type.name))) {
        byName.get(used)?.usedBy.push(place);
      }
    }
  }
  return { text, types: types.toSorted((a, b) => rankOf(a) - rankOf(b) || (a.name < b.name ? -1 : 1)) };
}

const rankOf = ({ name, kind }: SchemaType): number => (name === entryPoint ? 0 : kind === 'object' ? 1 : 2);

const partsOf = ({ name, description }: { name: { value: string }; description?: StringValueNode | undefined }) => ({
  name: name.value,
  description: description?.value ?? '',
});

const fieldsOf = ({ fields = [] }: ObjectTypeDefinitionNode): SchemaField[] =>
  fields.map((field) => ({
    ...partsOf(field),
    type: useOf(field.type),
    arguments: (field.arguments ?? []).map((argument) => ({ ...partsOf(argument), type: useOf(argument.type) })),
  }));

function useOf(type: TypeNode): TypeUse {
  if (type.kind === Kind.NAMED_TYPE) return { before: '', name: type.name.value, after: '' };
  const { before, name, after } = useOf(type.type);
  return type.kind === Kind.LIST_TYPE
    ? { before: `[${before}`, name, after: `${after}]` }
    : { before, name, after: `${after}!` };
}
