import { createSocket } from 'node:dgram';
import ipaddr from 'ipaddr.js';

const types = { A: 1, NS: 2, CNAME: 5, MX: 15, TXT: 16, AAAA: 28 } as const;
export type ServedType = keyof typeof types;

/** The records of a name by type. An MX record is a host; its preference is its place in the list. */
export type ServedRecords = Partial<Record<ServedType, readonly string[]>>;

/** No answer, SERVFAIL, REFUSED, or a truncated answer. */
export type Breakage = 'silent' | 'fails' | 'refuses' | 'malformed';

export interface NameServer {
  /** `address:port` on loopback. */
  address: string;
  /** Names and types that were asked for, in order. */
  queries: string[];
  /** The next queries for `TYPE name` end this way. Without a mode they are answered again. */
  break(question: string, mode?: Breakage): void;
  close(): void;
}

const noError = 0;
const serverFailure = 2;
const nonexistent = 3;
const refused = 5;

/** A real name server on loopback (UDP) with a table of records. Other names do not exist. */
export async function startNameServer(records: Readonly<Record<string, ServedRecords>>): Promise<NameServer> {
  const socket = createSocket('udp4');
  const queries: string[] = [];
  const broken = new Map<string, Breakage>();
  socket.on('message', (query, peer) => {
    const { name, type, end } = questionOf(query);
    const question = `${type} ${name}`;
    queries.push(question);
    const mode = broken.get(question);
    if (mode === 'silent') return;
    const known = records[name];
    const code = mode === 'fails' ? serverFailure : mode === 'refuses' ? refused : known ? noError : nonexistent;
    const values = code === noError && type ? (known?.[type] ?? []) : [];
    const answers = values.map((value, index) => answerOf(type as ServedType, value, index));
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | code, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(answers.length, 6);
    const response = Buffer.concat([header, query.subarray(12, end), ...answers]);
    socket.send(mode === 'malformed' ? response.subarray(0, 14) : response, peer.port, peer.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    queries,
    break: (question, mode) => {
      if (mode) broken.set(question, mode);
      else broken.delete(question);
    },
    close: () => socket.close(),
  };
}

function questionOf(query: Buffer): { name: string; type: ServedType | undefined; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.subarray(at + 1, at + 1 + length).toString('latin1'));
    at += length + 1;
  }
  const code = query.readUInt16BE(at + 1);
  const type = (Object.keys(types) as ServedType[]).find((one) => types[one] === code);
  return { name: labels.join('.').toLowerCase(), type, end: at + 5 };
}

function answerOf(type: ServedType, value: string, index: number): Buffer {
  const data = dataOf(type, value, index);
  const head = Buffer.from([0xc0, 12, 0, types[type], 0, 1, 0, 0, 0, 60, 0, 0]);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function dataOf(type: ServedType, value: string, index: number): Buffer {
  switch (type) {
    case 'A':
    case 'AAAA':
      return Buffer.from(ipaddr.parse(value).toByteArray());
    case 'TXT':
      return Buffer.concat((value.match(/.{1,255}/gs) ?? ['']).map(lengthAndText));
    case 'MX':
      return Buffer.concat([Buffer.from([0, index]), nameOf(value)]);
    default:
      return nameOf(value);
  }
}

const lengthAndText = (text: string): Buffer => Buffer.from([text.length, ...Buffer.from(text, 'latin1')]);
const nameOf = (host: string): Buffer => Buffer.concat([...host.split('.').map(lengthAndText), Buffer.from([0])]);
