import { expect, test } from 'vitest';
import { guideOf } from './guides.ts';

test('a guide of the MCP server is its front matter and its text', () => {
  const file =
    '---\ntitle: "Errors: what to do"\ndescription: One line.\norder: 30\nsection: Basics\n---\n\nText.\n\n---\n';
  expect(guideOf('errors', file)).toEqual({
    name: 'errors',
    title: 'Errors: what to do',
    description: 'One line.',
    order: 30,
    text: 'Text.\n\n---\n',
  });
});

test('a file without front matter is a guide of the MCP server under its own name', () => {
  expect(guideOf('errors', 'Text.')).toMatchObject({ title: 'errors', text: 'Text.', order: 0 });
});
