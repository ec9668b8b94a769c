import { z } from 'zod';

// Schemas of settings. Each one parses the text of a variable.

/** A whole number within bounds. */
export const integer = (options: { min: number; max: number }) =>
  z
    .string()
    .regex(/^\d{1,12}$/, 'must be a whole number')
    .transform(Number)
    .refine((n) => n >= options.min && n <= options.max, `must be between ${options.min} and ${options.max}`);

export const port = () => integer({ min: 0, max: 65_535 });

/** A comma-separated list without empty entries. */
export const list = () =>
  z.string().transform((text) =>
    text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  );

export const flag = () =>
  z.enum(['true', 'false'], { error: 'must be true or false' }).transform((text) => text === 'true');

export const url = (protocols: readonly string[]) =>
  z.string().refine(
    (text) => {
      const protocol = URL.canParse(text) ? new URL(text).protocol : /^(\w[\w+]*:)\/\//.exec(text)?.[1];
      return protocol !== undefined && protocols.includes(protocol);
    },
    `must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`,
  );

/** A gRPC target: host:port, dns:///name:port, or ipv4:host:port,host:port. */
export const grpcTarget = () =>
  z
    .string()
    .regex(
      /^(dns:\/\/\/[\w.-]+:\d+|ipv4:[\d.]+:\d+(,[\d.]+:\d+)*|[\w.-]+:\d+)$/,
      'must be host:port, dns:///name:port or ipv4:address:port[,…]',
    );
