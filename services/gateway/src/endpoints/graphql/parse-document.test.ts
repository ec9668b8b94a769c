import { expect, it } from 'vitest';
import { parseDocument } from './parse-document.ts';

const text = 'query a { __typename } query b { usage { by_key { label } } }';
const nameOf = (operationName: string) => parseDocument('ws_1', text, operationName).operation.name?.value;

it('a workspace that sends a document again gets the parsed one, with the operation of each request', () => {
  const first = parseDocument('ws_1', text, 'a');
  expect(parseDocument('ws_1', text, 'b').operations).toBe(first.operations);
  expect(['a', 'b', 'a'].map(nameOf)).toEqual(['a', 'b', 'a']);
  expect(() => nameOf('c')).toThrow('operationName');
});

it('the documents of a workspace are not kept for another one', () => {
  const { operations } = parseDocument('ws_1', text, 'a');
  expect(parseDocument('ws_2', text, 'a').operations).not.toBe(operations);
});

it('a document that is refused is refused each time', () => {
  for (const refused of ['{ unknown }', '{ __typename', 'mutation { a }']) {
    const refusalOf = () => {
      try {
        parseDocument('ws_1', refused, null);
        return undefined;
      } catch (error) {
        return (error as Error).message;
      }
    };
    const first = refusalOf();
    expect(first).toBeDefined();
    expect(refusalOf()).toBe(first);
  }
});

it('the kept documents are bounded by the length of their texts', () => {
  const { operations } = parseDocument('ws_1', text, 'a');
  const padding = ' '.repeat(30_000);
  for (const workspace of ['ws_2', 'ws_3', 'ws_4']) parseDocument(workspace, `{ __typename }${padding}`, null);
  expect(parseDocument('ws_1', text, 'a').operations).not.toBe(operations);
});
