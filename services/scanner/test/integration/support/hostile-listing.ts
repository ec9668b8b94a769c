import { gzipSync } from 'node:zlib';

/**
 * A listing of 10 MB of arrays in arrays, some kilobytes on the wire. It takes more than 500 MB of heap, and with so much
 * heap more than a second.
 */
export const hostileListing = (): Buffer => gzipSync('['.repeat(5_000_000) + ']'.repeat(5_000_000));
