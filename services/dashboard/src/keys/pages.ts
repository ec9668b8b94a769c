export { KeyState, LastUsed } from './pages/key-facts.tsx';
export { KeyLink } from './pages/key-link.tsx';
export { StoresOff } from './pages/stores-off.tsx';
