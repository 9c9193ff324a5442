// Signature Version 4, as SDKs make it, with the browser's own cryptography. The server's side of it is src/auth.
export interface AccessKey {
  id: string;
  secret: string;
  token: string; // Of temporary credentials; else empty.
  region: string;
}

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const hex = (of: ArrayBuffer): string => [...new Uint8Array(of)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const hash = async (text: string): Promise<string> => hex(await crypto.subtle.digest('SHA-256', bytes(text)));

async function hmac(key: BufferSource, text: string): Promise<ArrayBuffer> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return crypto.subtle.sign('HMAC', imported, bytes(text));
}

// As AWS has it: everything but letters, digits and -_.~ is encoded.
const encoded = (text: string): string => encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

// Text encoded for the address is encoded once more, by all services but S3.
const canonicalPath = (path: string): string => path.split('/').map(encoded).join('/');

const canonicalQuery = (query: URLSearchParams): string =>
  [...query].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).sort().join('&');

// The headers that make a request to this page's own server a signed one. `body` is empty for a GET.
export async function signature(key: AccessKey, method: string, url: URL, target: string | null, body: string, now: Date): Promise<Record<string, string>> {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const headers: [string, string][] = [['host', url.host], ['x-amz-date', time]];
  if (key.token) headers.push(['x-amz-security-token', key.token]);
  if (target) headers.push(['x-amz-target', target]);
  const names = headers.map(([name]) => name).join(';');
  const lines = headers.map(([name, value]) => `${name}:${value.trim().replace(/ +/g, ' ')}\n`).join('');
  const request = [method, canonicalPath(url.pathname), canonicalQuery(url.searchParams), lines, names, await hash(body)].join('\n');
  const parts = [time.slice(0, 8), key.region, 'dynamodb', 'aws4_request'];
  const toSign = ['AWS4-HMAC-SHA256', time, parts.join('/'), await hash(request)].join('\n');
  let derived: BufferSource = bytes(`AWS4${key.secret}`);
  for (const part of parts) derived = await hmac(derived, part);
  const signed = hex(await hmac(derived, toSign));
  return {
    'X-Amz-Date': time,
    ...(key.token ? { 'X-Amz-Security-Token': key.token } : {}),
    Authorization: `AWS4-HMAC-SHA256 Credential=${key.id}/${parts.join('/')}, SignedHeaders=${names}, Signature=${signed}`,
  };
}
