import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RequestHandler, Response } from 'express';

const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** In the order of preference. */
const encodings = [
  { name: 'br', extension: 'br' },
  { name: 'gzip', extension: 'gz' },
] as const;

interface Asset {
  type: string;
  body: Buffer;
  encoded: ReadonlyMap<string, Buffer>;
}

/**
 * Serves the built assets with the compression that the build wrote. Their names contain a hash, so they never change.
 *
 * - They are read once at the start, about 2 MB. Reading from the disk would need a thread of the pool, which password hashes use too.
 * - No asset has this name -> 404.
 */
export function serveAssets(webFolder: string): RequestHandler {
  const assets = readAssets(join(webFolder, 'client/assets'));
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response.set('Allow', 'GET, HEAD'), 405);
    const asset = assets.get(request.path.slice(1));
    if (!asset) return refuse(response, 404);
    const encoding = encodings.find(({ name }) => asset.encoded.has(name) && request.acceptsEncodings(name) !== false);
    const body = (encoding && asset.encoded.get(encoding.name)) ?? asset.body;
    response.vary('Accept-Encoding').set({
      'Content-Type': asset.type,
      'Content-Length': String(body.length),
      'Cache-Control': 'public, max-age=31536000, immutable',
      ...(encoding && { 'Content-Encoding': encoding.name }),
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  };
}

function readAssets(folder: string): Map<string, Asset> {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const read = (name: string) => readFileSync(join(folder, name));
  const assets = names.flatMap((name): [string, Asset][] => {
    const type = types[name.split('.').pop() ?? ''];
    if (!type) return [];
    const built = encodings.filter(({ extension }) => names.includes(`${name}.${extension}`));
    const encoded = new Map(built.map((each) => [each.name, read(`${name}.${each.extension}`)]));
    return [[name, { type, body: read(name), encoded }]];
  });
  return new Map(assets);
}

const refuse = (response: Response, status: number): void => {
  response
    .status(status)
    .type('text/plain')
    .send(status === 404 ? 'There is no such file.\n' : 'Files can be read only.\n');
};
