import sdl from '../../../../../docs/schema.graphql?raw';

/** The GraphQL schema, as text that a browser shows. */
export const loader = () => new Response(sdl, { headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
