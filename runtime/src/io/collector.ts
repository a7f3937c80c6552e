import { fetchThrough } from '../models/provider/transport.js';
import type { Post, PostAnswer } from '../telemetry/send.js';

/** What is read of an answer. */
const ANSWER_BYTES = 64 * 1024;

/** Posts through the environment's proxy, if it has one. A redirection is not followed: headers may be secrets. */
export async function openPost(env: Readonly<Record<string, string | undefined>>): Promise<Post> {
  const fetch = await fetchThrough(env);
  return async (url, { headers, body, signal }) => {
    const answer = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
    const after = Number(answer.headers.get('retry-after') ?? NaN);
    return {
      status: answer.status,
      retryAfter: Number.isFinite(after) && after >= 0 ? after : null,
      rejected: rejectedIn(await textOf(answer)),
    };
  };
}

async function textOf({ body }: { readonly body: ReadableStream<Uint8Array> | null }): Promise<string> {
  if (body === null) return '';
  const pieces: Uint8Array[] = [];
  const reader = body.getReader();
  for (let size = 0, read = await reader.read(); !read.done; read = await reader.read()) {
    pieces.push(read.value);
    size += read.value.length;
    if (size <= ANSWER_BYTES) continue;
    await reader.cancel();
    return '';
  }
  return Buffer.concat(pieces).toString();
}

function rejectedIn(text: string): PostAnswer['rejected'] {
  try {
    const answer: unknown = JSON.parse(text);
    const found = part(part(answer, 'partialSuccess'), 'rejectedSpans');
    return Math.max(0, Number(found ?? 0)) || 0;
  } catch {
    return 0;
  }
}

function part(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? new Map<string, unknown>(Object.entries(value)).get(name) : undefined;
}
