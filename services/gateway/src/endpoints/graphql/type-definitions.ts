/**
 * Turns the JSON Schemas of the contract into GraphQL types. A component of openapi.json becomes a type of its name, and an object inside
 * it a type named after its place. A member that is required and not null becomes a non-null field.
 *
 * - A set of values that may grow is a String, and a closed set is an enum.
 * - An integer whose maximum exceeds 32 bits is a Float, because clients read an Int as 32 bits.
 * - An id is an ID: its schema has the pattern of its prefix.
 */
export interface JsonSchema {
  $ref?: string;
  /** A list has the type null beside another one. */
  type?: string | readonly string[];
  description?: string;
  pattern?: string;
  maximum?: number;
  enum?: readonly string[];
  anyOf?: readonly JsonSchema[];
  items?: JsonSchema;
  properties?: Readonly<Record<string, JsonSchema>>;
}

export interface FieldType {
  /** The name of the type, with the brackets of a list. */
  name: string;
  nullable: boolean;
}

const idPattern = /^\^[a-z]+_$/;
const maxInt = 2 ** 31 - 1;
const scalars: Readonly<Record<string, string>> = { number: 'Float', boolean: 'Boolean' };
const refPrefix = '#/components/schemas/';

export const capitalized = (name: string): string =>
  name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Returns a description in the form that precedes a definition. */
export function described(text: string | undefined, indent = ''): string {
  if (!text) return '';
  return `${indent}"""${text.replaceAll('"""', '\\"""').replace(/"$/, '" ')}"""\n`;
}

export function createTypeDefinitions(components: Readonly<Record<string, JsonSchema>>) {
  const definitions = new Map<string, string>();

  const enumOf = (name: string, values: readonly string[]): string => {
    definitions.set(name, `enum ${name} {\n${values.map((value) => `  ${value}`).join('\n')}\n}`);
    return name;
  };

  /** Returns the type of a member. `place` names the types of its inner objects and its closed sets. */
  const typeOf = (schema: JsonSchema, place: string): FieldType => {
    if (schema.anyOf) {
      const [inner] = schema.anyOf.filter(({ type }) => type !== 'null');
      if (!inner || schema.anyOf.length !== 2) throw new Error(`${place} has a type that GraphQL does not have`);
      return { name: typeOf(inner, place).name, nullable: true };
    }
    if (Array.isArray(schema.type)) {
      const [type = ''] = schema.type.filter((each) => each !== 'null');
      return { name: typeOf({ ...schema, type }, place).name, nullable: true };
    }
    if (schema.$ref) {
      const name = schema.$ref.slice(refPrefix.length);
      return typeOf(components[name] as JsonSchema, name);
    }
    if (schema.properties) return { name: objectOf(place, schema), nullable: false };
    if (schema.items) return { name: `[${typeOf(schema.items, place).name}!]`, nullable: false };
    if (schema.enum) return { name: enumOf(place, schema.enum), nullable: false };
    if (schema.type === 'integer')
      return { name: (schema.maximum ?? Infinity) > maxInt ? 'Float' : 'Int', nullable: false };
    const name = scalars[String(schema.type)] ?? (schema.pattern && idPattern.test(schema.pattern) ? 'ID' : 'String');
    return { name, nullable: false };
  };

  const fieldsOf = (place: string, members: Readonly<Record<string, JsonSchema>>): string =>
    Object.entries(members)
      .map(([name, schema]) => {
        const type = typeOf(schema, `${place}${capitalized(name)}`);
        return `${described(schema.description, '  ')}  ${name}: ${type.name}${type.nullable ? '' : '!'}\n`;
      })
      .join('');

  /** Defines the object type, and returns its name. */
  const objectOf = (name: string, schema: JsonSchema, without: readonly string[] = []): string => {
    if (definitions.has(name)) return name;
    // The place in the order of definitions is before those of its members.
    definitions.set(name, '');
    const members = Object.entries(schema.properties ?? {}).filter(([member]) => !without.includes(member));
    const fields = fieldsOf(name, Object.fromEntries(members));
    definitions.set(name, `${described(schema.description)}type ${name} {\n${fields}}`);
    return name;
  };

  return {
    typeOf,
    enumOf,
    fieldsOf,
    /** Defines the type of a component, without some of its members. */
    component: (name: string, without: readonly string[] = []) =>
      objectOf(name, components[name] as JsonSchema, without),
    add(name: string, definition: string): void {
      definitions.set(name, definition);
    },
    /** The definitions of all types. */
    text: (): string => `${[...definitions.values()].join('\n\n')}\n`,
  };
}

export type TypeDefinitions = ReturnType<typeof createTypeDefinitions>;
