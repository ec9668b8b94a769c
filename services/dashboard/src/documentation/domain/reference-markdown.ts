import type { Field } from './fields.ts';
import type { Operation } from './reference.ts';
import { sampleLanguages, samplesOf } from './request-samples.ts';

export function markdownOf(operation: Operation, apiUrl: string): string {
  const { method, path, id, summary, description, billing, parameters, body, successes, errors } = operation;
  const samples = samplesOf(operation, apiUrl);
  return [
    `# ${summary}`,
    `\`${method} ${path}\` (${id})`,
    ...(operation.isServed ? [] : ['**Announced**: the operation answers 501 `not_implemented` until it is served.']),
    description,
    `- Key: ${describeKey(operation)}\n- Billing: ${billing}`,
    ...Object.entries(sampleLanguages).map(([language, name]) =>
      [`${name}:`, fenced(language, samples[language as keyof typeof samples])].join('\n\n'),
    ),
    ...(parameters.length > 0 ? ['## Parameters', listOf(parameters, (field) => `${field.in}, `)] : []),
    ...(body ? ['## Request body', listOf(body.fields), fenced('json', asJson(body.example))] : []),
    ...successes.flatMap((success) => [
      `## Response ${success.status}`,
      success.description,
      listOf(success.fields),
      success.example === undefined ? '' : fenced('json', asJson(success.example)),
      success.headers.length > 0 ? `Headers:\n\n${listOf(success.headers)}` : '',
    ]),
    '## Errors',
    ...errors.map(({ status, code, meaning, action, examples }) =>
      [`### ${status} ${code}`, `${meaning} ${action}`, ...examples.map((each) => fenced('json', asJson(each)))].join(
        '\n\n',
      ),
    ),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

const describeKey = ({ needsKey, scope }: Pick<Operation, 'needsKey' | 'scope'>): string =>
  needsKey ? (scope === undefined ? 'any valid key' : `scope \`${scope}\``) : 'none';

export const asJson = (value: unknown): string => JSON.stringify(value, null, 2);

const fenced = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``;

function listOf<T extends Field>(fields: readonly T[], before: (field: T) => string = () => ''): string {
  const lines = (list: readonly Field[], indent: string): string[] =>
    list.flatMap((field) => [
      `${indent}- ${lineOf(field, before(field as T))}`,
      ...field.values.map(({ value, meaning }) => `${indent}  - \`${value}\`${meaning === '' ? '' : `: ${meaning}`}`),
      ...lines(field.fields, `${indent}  `),
    ]);
  return lines(fields, '').join('\n');
}

function lineOf({ name, type, isRequired, description, constraints }: Field, before: string): string {
  const facts = [`${before}${type}`, ...(isRequired ? [] : ['optional']), ...constraints].join(', ');
  return `\`${name}\` (${facts})${description === '' ? '' : `: ${description}`}`;
}
