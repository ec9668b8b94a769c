import type { Document } from 'mongodb';

/** The types that the server requires of the documents of a collection. It refuses every write of another document. */
export interface ValidatorDefinition {
  /** It increases with each change of the schema. A collection with a later version satisfies this one, too. */
  version: number;
  /** A JSON schema as MongoDB has it, with `bsonType`. */
  schema: Document;
}

const versionTitle = 'version ';

/** The options of the collection with this validator. */
export const validationOf = ({ version, schema }: ValidatorDefinition) => ({
  validator: { $jsonSchema: { title: `${versionTitle}${version}`, ...schema } },
  validationLevel: 'strict',
  validationAction: 'error',
});

/** The version of the validator in the options of a collection. It is 0 if there is none of ours, or if it refuses nothing. */
export function validatorVersion({ validator, validationLevel, validationAction }: Document = {}): number {
  const title: unknown = validator?.$jsonSchema?.title;
  if (validationLevel !== 'strict' || validationAction !== 'error') return 0;
  return typeof title === 'string' && title.startsWith(versionTitle) ? Number(title.slice(versionTitle.length)) : 0;
}
