import { contextOf, type PageContext } from './server.ts';

export const textResponse = (text: string, type: string): Response =>
  new Response(text, { headers: { 'Content-Type': `${type}; charset=utf-8` } });

/** A response that browsers download as a file. */
export const fileResponse = (
  content: string | ReadableStream<Uint8Array>,
  { type, name }: { type: string; name: string },
): Response =>
  new Response(content, {
    headers: {
      'Content-Type': `${type}; charset=utf-8`,
      'Content-Disposition': `attachment; filename="${name}"`,
    },
  });

/**
 * The parts as a body. A part is taken after the client has read the previous one. If the client disconnects, the parts end. A part fails
 * -> the failure is logged and the connection breaks, so that the client does not accept an incomplete file.
 */
export function streamOf(context: PageContext, parts: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  async function* encoded() {
    try {
      for await (const part of parts) yield encoder.encode(part);
    } catch (error) {
      contextOf(context).toProblem(error);
      throw error;
    }
  }
  const iterator = encoded();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await iterator.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
