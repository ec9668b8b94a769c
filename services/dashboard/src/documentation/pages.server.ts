export { libraryOf } from './pages/library.server.ts';
