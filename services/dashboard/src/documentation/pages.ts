export { Code, CodeText, Curl } from './pages/code.tsx';
