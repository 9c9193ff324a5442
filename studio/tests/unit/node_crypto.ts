// Every browser has `crypto`; Node.js has it as a global only from version 19 on, and Debian 12 ships 18.
import { webcrypto } from 'node:crypto';

if (!globalThis.crypto) Object.defineProperty(globalThis, 'crypto', { value: webcrypto });
