import { attempt } from './idempotency';
import type { FieldProblem, Problem } from './types';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The code of an error whose answer is not a problem document of the server, such as an error page of a proxy. */
const UNKNOWN = 'unknown';

/** A failed call. Status 0 means that there was no answer. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: readonly FieldProblem[];
  /** The whole answer, if it is a problem document. */
  declare readonly cause: Partial<Problem>;

  constructor(status: number, code: string, message: string, problem: Partial<Problem> = {}) {
    super(message, { cause: problem });
    this.status = status;
    this.code = code;
    this.fields = problem.errors ?? [];
  }

  /**
   * Whether the call may have succeeded despite the error. An error of a proxy does not prove that the server refused
   * the call.
   */
  get isUnclear(): boolean {
    return this.status < 400 || this.status >= 500 || this.code === UNKNOWN;
  }
}

export interface Page<T> {
  items: T[];
  next: string | null;
}

function unreachable(): ApiError {
  const what = navigator.onLine ? 'The server could not be reached' : 'You are offline';
  return new ApiError(0, 'unreachable', `${what}. Check your connection and try again.`);
}

async function send(
  method: Method,
  path: string,
  body?: unknown,
  headers: HeadersInit = {},
): Promise<Response> {
  const sent = new Headers(headers);
  sent.set('Accept', 'application/json');
  if (body !== undefined) sent.set('Content-Type', 'application/json');
  try {
    const payload = body === undefined ? null : JSON.stringify(body);
    return await fetch(path, { method, headers: sent, credentials: 'include', body: payload });
  } catch {
    throw unreachable();
  }
}

/** The text of an answer. An interrupted answer counts as no answer. */
async function textOf(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch {
    throw unreachable();
  }
}

async function failure(response: Response): Promise<ApiError> {
  const text = await textOf(response);
  try {
    const problem = JSON.parse(text) as Partial<Problem>;
    return new ApiError(response.status, problem.code ?? UNKNOWN, problem.detail ?? '', problem);
  } catch {
    return new ApiError(response.status, UNKNOWN, `${response.status}: ${text || response.statusText}`);
  }
}

async function parsed<T>(response: Response): Promise<T> {
  const text = await textOf(response);
  try {
    return JSON.parse(text) as T;
  } catch {
    // The body is not valid JSON, for example because it is empty.
    throw new ApiError(response.status, 'invalid_response', 'Invalid JSON response from server');
  }
}

/** A 401 gives null instead of an error, because 'not signed in' is a normal state. */
async function read(path: string): Promise<Response | null> {
  const response = await send('GET', path);
  if (response.ok) return response;
  // Every body is read, because an unread body keeps its connection occupied.
  const error = await failure(response);
  if (error.status === 401) return null;
  throw error;
}

/** The fetcher for SWR. */
export async function get<T>(path: string): Promise<T | null> {
  const response = await read(path);
  return response && parsed<T>(response);
}

/** One page of a list, with the path of the next page. */
export async function getPage<T>(path: string): Promise<Page<T> | null> {
  const response = await read(path);
  return response && { items: await parsed<T[]>(response), next: nextPage(response.headers.get('Link')) };
}

export async function write<T>(method: Exclude<Method, 'GET'>, path: string, body?: unknown): Promise<T> {
  const response = await send(method, path, body);
  if (!response.ok) throw await failure(response);
  return parsed<T>(response);
}

/** The answer to a request that moves money. */
export type MoneyAnswer<T> = T & {
  /** Whether the server repeated its answer to an earlier attempt, and moved nothing new. */
  isRepeated: boolean;
};

/**
 * A POST that moves money. Until there is a clear answer, a repeated call carries the same idempotency key, so that the
 * server recognises the repeat. Two calls count as the same if their `order` is equal. By default `order` is the whole
 * body. A password must not be part of `order`: then it is never stored, and typing it again does not change the key.
 */
export async function postMoney<T>(
  path: string,
  body: unknown,
  order: unknown = body,
): Promise<MoneyAnswer<T>> {
  const { key, succeeded, refused } = attempt(`${path} ${JSON.stringify(order)}`);
  const response = await send('POST', path, body, { 'Idempotency-Key': key });
  if (response.ok) {
    const answer = await parsed<T>(response);
    succeeded();
    return { ...answer, isRepeated: response.headers.has('Idempotent-Replayed') };
  }
  const refusal = await failure(response);
  if (!refusal.isUnclear) refused();
  throw refusal;
}

/** The `rel="next"` target of a Link header as a path of this site. Null if the header has no such target. */
export function nextPage(header: string | null): string | null {
  for (const match of (header ?? '').matchAll(/<([^>]*)>([^<]*)/g)) {
    const [, target = '', parameters = ''] = match;
    if (!/;\s*rel\s*=\s*(?:"(?:[^"]*\s)?next(?:\s[^"]*)?"|next\b)/i.test(parameters)) continue;
    const url = new URL(target, window.location.origin);
    return url.pathname + url.search;
  }
  return null;
}
