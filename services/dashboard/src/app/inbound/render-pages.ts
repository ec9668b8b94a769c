import { AppError } from '@shopscope/errors';
import type { Request as ExpressRequest, Response as ExpressResponse, RequestHandler } from 'express';
import { createRequestHandler, type RouterContextProvider, type ServerBuild } from 'react-router';
import { sendFetchResponse, toFetchRequest } from './fetch-api.ts';

export interface RenderPagesOptions {
  build: ServerBuild;
  url: string;
  contextOf(request: ExpressRequest, response: ExpressResponse): RouterContextProvider;
}

export function renderPages({ build, url, contextOf }: RenderPagesOptions): RequestHandler {
  const render = createRequestHandler(build, 'production');
  return async (request, response) => {
    // The router would accept an undecodable path unchanged, and print a line for each.
    if (!isDecodable(request.path)) throw new AppError('invalid_request', 'The path cannot be decoded.');
    const answer = await render(toFetchRequest(request, response, url), contextOf(request, response));
    await sendFetchResponse(response, answer);
  };
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
