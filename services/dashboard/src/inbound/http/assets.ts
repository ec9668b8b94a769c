import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import express, { type RequestHandler, Router } from 'express';

const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Serves the built assets with the compression that the build wrote. Their names contain a hash, so they never change. */
export function serveAssets(webFolder: string): RequestHandler {
  const folder = join(webFolder, 'client/assets');
  const names = new Set(existsSync(folder) ? readdirSync(folder) : []);
  const router = Router();
  router.use((request, response, next) => {
    const name = request.path.slice(1);
    const type = types[name.split('.').pop() ?? ''];
    if (!type || !names.has(name)) return next();
    response.vary('Accept-Encoding');
    for (const [encoding, extension] of [
      ['br', 'br'],
      ['gzip', 'gz'],
    ] as const) {
      if (!names.has(`${name}.${extension}`) || !request.acceptsEncodings(encoding)) continue;
      response.set({ 'Content-Encoding': encoding, 'Content-Type': type });
      request.url = `/${name}.${extension}`;
      break;
    }
    next();
  });
  router.use(
    express.static(folder, { immutable: true, maxAge: '1y', index: false, redirect: false, fallthrough: false }),
  );
  return router;
}
