export { Code } from './pages/code.tsx';
