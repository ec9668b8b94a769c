import type { RawRequest } from './raw-http.ts';

/** The path and the sender of malformed requests. */
export interface Target {
  /** The Host header. */
  host: string;
  path: string;
  /** The headers of every request, which identify the sender. */
  headers: readonly string[];
  /** Returns a further header with a new value for each request. */
  from?: (() => string) | undefined;
  /** Names of query parameters and fields that the listener reads. */
  names: readonly string[];
  /** The method with which the path takes a body; POST by default. */
  bodyMethod?: string;
  /** Whether the path itself is unusual. It gets few requests, because the usual path gets all others. */
  isUnusual?: boolean;
  /** Whether unusual methods and headers are left out. They are refused before the sender is authenticated. */
  isContentOnly?: boolean;
}

interface Parts {
  method?: string;
  /** The request target. */
  target?: string;
  version?: string;
  headers?: readonly string[];
  /** If undefined, the request has no Host. */
  hosts?: readonly string[];
  body?: string | Buffer;
  isCut?: boolean;
}

/** Names that every object of JavaScript inherits. */
const inherited = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
const boundary = 'x-boundary';
const urlencoded = 'Content-Type: application/x-www-form-urlencoded';

/** Malformed and unusual requests for one path. The same path gets the same requests at each call. */
export function malformedRequests(target: Target): RawRequest[] {
  const request = (name: string, parts: Parts): RawRequest => ({
    name: `${name} at ${target.path}`,
    bytes: bytesOf(target, parts),
    isCut: parts.isCut ?? false,
  });
  if (target.isUnusual) {
    const data = dataOf(target.path);
    return [
      request('a page', {}),
      request('the head of a page', { method: 'HEAD' }),
      request('the data of a page', { target: data }),
      request('a form', { method: 'POST', headers: [urlencoded], body: 'a=b' }),
      request('a form to the data', { method: 'POST', target: data, headers: [urlencoded], body: 'a=b' }),
    ];
  }
  const messages = Object.entries(headersOf(target)).map(([name, parts]) => request(name, parts));
  return [
    ...(target.isContentOnly
      ? []
      : [...methods.map((method) => request(`the method ${method}`, { method })), ...messages]),
    ...Object.entries(targetsOf(target)).map(([name, line]) => request(name, { target: line })),
    ...queriesOf(target).map((query) =>
      request(`the query ${query.slice(0, 60)}`, { target: `${target.path}?${query}` }),
    ),
    ...Object.entries(bodiesOf(target)).map(([name, parts]) =>
      request(name, { method: target.bodyMethod ?? 'POST', ...parts, headers: parts.headers ?? [urlencoded] }),
    ),
  ];
}

/** Node's parser knows the first eight. */
const methods = ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'CONNECT', 'get', 'BREW', 'PRI'];

/** Returns the path at which the browser's router requests the data of a page. */
const dataOf = (path: string) => `${path === '/' ? '/_root' : path}.data`;

function targetsOf({ host, path }: Target): Record<string, string> {
  return {
    'the absolute form': `http://${host}${path}`,
    'the absolute form with a user': `http://user:password@${host}${path}`,
    'the absolute form of another host': `http://elsewhere.example${path}`,
    'the absolute form of another scheme': `ftp://${host}${path}`,
    'the absolute form without a host': `http://${path}`,
    'the authority form': host,
    'the asterisk form': '*',
    'an empty path': '?a=b',
    'two slashes': `/${path}`,
    'a host behind two slashes': '//elsewhere.example/path',
    'three slashes and a port': '///elsewhere.example:99999999',
    'a backslash': `/\\elsewhere.example${path}`,
    'a port that is not a number': '//a:b@c:d/',
    'an incomplete percent encoding': `${path}%`,
    'a percent encoding of no character': `${path}%E0%A4%A`,
    'a percent encoding of half a character': `${path}/%C3`,
    'an encoded NUL': `${path}%00`,
    'a NUL': `${path}\0`,
    'an encoded slash': `${path}%2F..%2F`,
    'dot segments': `${path}/../../../..`,
    'a fragment': `${path}#fragment`,
    'Latin letters without encoding': `${path}/Ã¤`,
    'a path of 8,000 characters': path.padEnd(8_000, '/x'),
    'an inherited name as path': `${path}/__proto__`,
    'the data of the page': dataOf(path),
    'the data of unknown routes': `${dataOf(path)}?_routes=__proto__,constructor`,
    'the data of no route': `${dataOf(path)}?_routes=`,
    'the data of the data': `${path}.data.data`,
  };
}

function queriesOf({ names }: Target): string[] {
  const all = (value: string) => names.map((name) => `${name}=${value}`).join('&');
  return [
    ...inherited.map(all),
    'index',
    'index=&index=1',
    '__proto__=1&constructor[prototype]=1',
    `${all('a')}&${all('b')}`,
    all('%FF%FE'),
    all('%00'),
    all('%E2%80%AE'),
    all('%ED%A0%80'),
    all('-1'),
    all('NaN'),
    all('9'.repeat(30)),
    names.map((name) => `${name}[]=a`).join('&'),
    'x'.repeat(8_000),
    '&&==&;&',
    '%',
    'a=%',
    '_routes=',
    '_routes=__proto__',
  ];
}

function headersOf({ host }: Target): Record<string, Parts> {
  const cookie = (value: string): Parts => ({ headers: [`Cookie: ${value}`] });
  return {
    'no Host': { hosts: [] },
    'no Host in HTTP/1.0': { hosts: [], version: 'HTTP/1.0' },
    'an empty Host': { hosts: [''] },
    'two Hosts': { hosts: [host, 'elsewhere.example'] },
    'one Host twice': { hosts: [host, host] },
    'another Host': { hosts: ['elsewhere.example'] },
    'a Host with a user': { hosts: [`user@${host}`] },
    'a Host with a path': { hosts: [`${host}/path`] },
    'a Host of another port': { hosts: ['127.0.0.1:1'] },
    'an invalid Host': { hosts: ['a b'] },
    'a forwarded host': { headers: ['X-Forwarded-Host: [', 'X-Forwarded-Proto: :', 'Forwarded: host="'] },
    'a later HTTP/1': { version: 'HTTP/1.9' },
    'HTTP/2': { version: 'HTTP/2.0' },
    'an expectation to continue': { headers: ['Expect: 100-continue'] },
    'an unknown expectation': { headers: ['Expect: miracles'] },
    'an upgrade to a websocket': { headers: ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: x'] },
    'an upgrade to h2c': { headers: ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AA'] },
    'a cookie without name': cookie('=;;=%;;'),
    'a cookie with bad encoding': cookie('__Host-shopscope.session_token=%E0%A4%A; theme=%; time-zone=%FF'),
    'an invalid session': cookie('__Host-shopscope.session_token=a.b; __Host-shopscope.session_data=%7B'),
    'inherited names as cookies': cookie('__proto__=a; constructor=b; theme=__proto__; time-zone=constructor'),
    'a cookie of 7 KB': cookie(`a=${'x'.repeat(7_000)}`),
    'an unknown time zone': cookie('time-zone=Mars/Olympus; theme=purple'),
    'Latin letters in headers': { headers: ['X-A: Ã¤', 'User-Agent: Ã¤', 'Accept-Language: Ã¤', 'Accept: ;;;,,/'] },
    'headers of 20 KB': { headers: [`X-A: ${'x'.repeat(20_000)}`] },
    '2,500 headers': { headers: Array.from({ length: 2_500 }, (_, n) => `a${n}:`) },
    'a body without a method for it': { body: 'a=b' },
    'bare line feeds': { headers: ['X-A: b\nX-C: d'] },
    'a NUL in a header': { headers: ['X-A: b\0c'] },
    'an invalid range': {
      headers: ['Range: bytes=9-1', 'If-Range: x', 'If-Modified-Since: x', 'If-None-Match: "'],
    },
    'unknown encodings': { headers: ['Accept-Encoding: ;q=x, br;q=NaN', 'TE: x'] },
  };
}

/** Returns bodies, which are sent to their paths by POST. */
function bodiesOf({ names, path }: Target): Record<string, Parts> {
  const fields = (value: string) => names.map((name) => `${name}=${value}`).join('&');
  const part = (name: string, value: string, attributes = '') =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${attributes}\r\n\r\n${value}\r\n`;
  const end = `--${boundary}--\r\n`;
  const multipart = `Content-Type: multipart/form-data; boundary=${boundary}`;
  const json = 'Content-Type: application/json';
  const dataPath = dataOf(path);
  const unframed = (...headers: string[]): Parts => ({ headers: [urlencoded, ...headers], body: '' });
  return {
    'no form': { headers: [] },
    'an empty form': { body: '' },
    'a form without a type': { headers: [], body: 'a=b' },
    'text in place of a form': { headers: ['Content-Type: text/plain'], body: 'a=b' },
    'JSON in place of a form': { headers: [json], body: '{}' },
    'the JSON null': { headers: [json], body: 'null' },
    'broken JSON': { headers: [json], body: '{"a":' },
    'JSON with an inherited name': { headers: [json], body: '{"__proto__":{"a":1},"constructor":{"prototype":{}}}' },
    'deep JSON': { headers: [json], body: '['.repeat(20_000) },
    'JSON that is not a UTF-8': { headers: [json], body: Buffer.from([0x22, 0xff, 0xfe, 0x22]) },
    'an unknown type': { headers: ['Content-Type: ;;;/'], body: 'a=b' },
    'an unknown charset': { headers: ['Content-Type: application/x-www-form-urlencoded; charset=bogus'], body: 'a=b' },
    'two types': { headers: [urlencoded, json], body: 'a=b' },
    'a form with bad encoding': { body: `${fields('%FF%')}&%=%&%E0%A4%A=b` },
    'a form that is not a UTF-8': { body: Buffer.from([...Buffer.from('name='), 0xff, 0xfe, 0x00]) },
    'inherited names as values': { body: fields('__proto__') },
    'an inherited name as intent': { body: 'intent=constructor&__proto__=a&constructor=b' },
    'repeated fields': { body: `${fields('a')}&${fields('b')}` },
    'lone surrogates': { body: fields('%ED%A0%80') },
    'fields of NUL': { body: fields('%00') },
    'fields of 2,000 characters': { body: fields('x'.repeat(2_000)).slice(0, 60_000) },
    '5,000 fields': { body: Array.from({ length: 5_000 }, (_, n) => `f${n}=a`).join('&') },
    'numbers out of range': { body: fields('9'.repeat(40)) },
    'multipart without a boundary': { headers: ['Content-Type: multipart/form-data'], body: `${part('a', 'b')}${end}` },
    'multipart with another boundary': {
      headers: ['Content-Type: multipart/form-data; boundary=other'],
      body: part('a', 'b'),
    },
    'multipart without an end': { headers: [multipart], body: part('name', 'b') },
    'multipart without a name': {
      headers: [multipart],
      body: `--${boundary}\r\nContent-Disposition: x\r\n\r\na\r\n${end}`,
    },
    'multipart without a body': { headers: [multipart], body: '' },
    'multipart of fields as files': {
      headers: [multipart],
      body: names.map((name) => part(name, 'a', '; filename="a.txt"')).join('') + end,
    },
    'multipart of repeated fields': {
      headers: [multipart],
      body: names.map((n) => part(n, 'a') + part(n, 'b')).join('') + end,
    },
    'a compressed form': { headers: [urlencoded, 'Content-Encoding: gzip'], body: 'no gzip' },
    'a form to the data of the page': { target: dataPath, body: fields('a') },
    'no form to the data of the page': { target: dataPath, headers: [] },
    'JSON to the data of the page': { target: `${dataPath}?_routes=__proto__`, headers: [json], body: '[1' },
    'multipart to the data of the page': {
      target: dataPath,
      headers: ['Content-Type: multipart/form-data'],
      body: 'a',
    },
    'a form to the index': { target: `${path}?index`, body: 'a=b' },
    'broken multipart to the index': { target: `${path}?index`, headers: [multipart], body: part('a', 'b') },
    'a form by PUT': { method: 'PUT', body: 'a=b' },
    'a form by DELETE': { method: 'DELETE', body: 'a=b' },
    'a negative length': unframed('Content-Length: -1'),
    'a length with a sign': unframed('Content-Length: +3'),
    'a huge length': unframed('Content-Length: 99999999999'),
    'a length beyond counting': unframed(`Content-Length: ${'9'.repeat(30)}`),
    'a longer length than body': { ...unframed('Content-Length: 10'), isCut: true },
    'two lengths': unframed('Content-Length: 3', 'Content-Length: 4'),
    'a length and chunks': unframed('Content-Length: 3', 'Transfer-Encoding: chunked'),
    'an unknown transfer coding': unframed('Transfer-Encoding: xchunked'),
    'chunks without an end': { ...unframed('Transfer-Encoding: chunked'), body: '5\r\nab', isCut: true },
    'chunks of no size': { ...unframed('Transfer-Encoding: chunked'), body: 'zz\r\n\r\n' },
    'another Origin': { headers: [urlencoded, 'Origin: null'], body: 'a=b' },
    'two Origins': { headers: [urlencoded, 'Origin: http://elsewhere.example'], body: 'a=b' },
    'a form that waits to be continued': { headers: [urlencoded, 'Expect: 100-continue'], body: 'a=b' },
  };
}

const frames = /^(?:content-length|transfer-encoding):/i;

function bytesOf(to: Target, parts: Parts): Buffer {
  const { method = 'GET', target = to.path, version = 'HTTP/1.1', headers = [], hosts = [to.host], body } = parts;
  const length = body !== undefined && !headers.some((line) => frames.test(line)) ? Buffer.byteLength(body) : undefined;
  const head = [
    `${method} ${target} ${version}`,
    ...hosts.map((host) => `Host: ${host}`),
    'Connection: close',
    ...to.headers,
    ...(to.from ? [to.from()] : []),
    ...headers,
    ...(length === undefined ? [] : [`Content-Length: ${length}`]),
    '',
    '',
  ];
  return Buffer.concat([Buffer.from(head.join('\r\n'), 'latin1'), Buffer.from(body ?? '')]);
}
