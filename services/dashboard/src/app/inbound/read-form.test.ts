import { expect, it } from 'vitest';
import { readForm } from './read-form.ts';

const url = 'http://127.0.0.1/form';
const urlencoded = { 'Content-Type': 'application/x-www-form-urlencoded' };
const multipart = { 'Content-Type': 'multipart/form-data; boundary=b' };
const request = (body: string, headers: Record<string, string> = urlencoded) =>
  new Request(url, { method: 'POST', body, headers });
const formOf = (fields: [string, string | File][]) => {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return readForm(new Request(url, { method: 'POST', body: form }));
};
const cut = () =>
  new ReadableStream({
    pull: (controller) => controller.error(new Error('aborted')),
  });

it.each([
  ['no body', new Request(url, { method: 'POST' })],
  ['text', request('a=b', { 'Content-Type': 'text/plain' })],
  ['JSON', request('{}', { 'Content-Type': 'application/json' })],
  ['an invalid type', request('a=b', { 'Content-Type': ';;/' })],
  ['multipart without a boundary', request('--b\r\n', { 'Content-Type': 'multipart/form-data' })],
  ['multipart with another boundary', request('--c--\r\n', multipart)],
  ['multipart without an end', request('--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nb', multipart)],
  ['multipart without a name', request('--b\r\nContent-Disposition: x\r\n\r\na\r\n--b--\r\n', multipart)],
  [
    'a body that ends too early',
    new Request(url, { method: 'POST', body: cut(), headers: urlencoded, duplex: 'half' }),
  ],
])('a body that is not a form is the fault of the caller: %s', async (_, sent) => {
  await expect(readForm(sent)).rejects.toMatchObject({ code: 'invalid_request', status: 400, fault: 'caller' });
});

it('a field that the form lacks is empty', async () => {
  const form = await readForm(request(''));
  expect([form.text('name'), form.secret('password'), form.texts('scopes'), form.file('file')]).toEqual([
    ...['', '', [], undefined],
  ]);
});

it.each(['__proto__', 'constructor', 'toString'])('a form has no field that objects inherit: %s', async (name) => {
  expect((await readForm(request('a=b'))).text(name)).toBe('');
});

it('a text has no spaces at its ends, and a secret stays as it was typed', async () => {
  const form = await formOf([['name', ' Ann ']]);
  expect([form.text('name'), form.secret('name')]).toEqual(['Ann', ' Ann ']);
});

it.each([
  ['a file in the place of text', [['name', new File(['a'], 'a.txt')]], 'Enter text here, not a file.'],
  [
    'a field that comes twice',
    [
      ['name', 'a'],
      ['name', 'b'],
    ],
    'Send this field once.',
  ],
] as [string, [string, string | File][], string][])('%s is refused at the field', async (_, fields, problem) => {
  const form = await formOf(fields);
  expect(() => form.text('name')).toThrow(
    expect.objectContaining({ code: 'invalid_request', publicMessage: `name: ${problem}`, details: { field: 'name' } }),
  );
});

it('several fields of a name are read together, and a file when one was chosen', async () => {
  const form = await formOf([
    ['scopes', 'a'],
    ['scopes', 'b'],
    ['none', new File([], '')],
    ['file', new File(['shop.example'], 'list.txt')],
  ]);
  expect(form.texts('scopes')).toEqual(['a', 'b']);
  expect([form.file('none'), form.file('file')?.name]).toEqual([undefined, 'list.txt']);
});

it('a page shows again what was typed, without secrets, files and inherited names', async () => {
  const form = await formOf([
    ['name', 'Ann'],
    ['newPassword', 'secret'],
    ['code', '123456'],
    ['__proto__', 'a'],
    ['file', new File(['a'], 'a.txt')],
  ]);
  expect(Object.entries(form.typed())).toEqual([['name', 'Ann']]);
});

it('a form can be sent again with every field in order, unless it has a file or a secret', async () => {
  const fields: [string, string][] = [
    ['token', 'a'],
    ['types', 'b'],
    ['types', 'c'],
  ];
  expect((await formOf(fields)).entries()).toEqual(fields);
  expect((await formOf([...fields, ['password', 'secret']])).entries()).toBeUndefined();
  expect((await formOf([...fields, ['file', new File(['a'], 'a.txt')]])).entries()).toBeUndefined();
});
