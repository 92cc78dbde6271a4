import type { EndpointShape, HeaderShape } from '../endpoint.ts'
import { ERROR_STATUS, type ErrorCode } from '../error.ts'
import { ERROR_HELP } from '../error-help.ts'
import { examplesOf } from './examples.ts'

/** Error codes that every endpoint can answer. */
const ANY: readonly ErrorCode[] = [
  'invalid_body',
  'invalid_user_id',
  'unauthenticated',
  'https_required',
  'suspended',
  'body_too_large',
  'rate_limited',
  'too_much_in_flight',
  'internal_error',
  'unavailable',
  'loop_detected',
]
/** Codes of `ANY` that only area A answers. */
const ONLY_AREA_A: readonly ErrorCode[] = ['invalid_user_id', 'suspended', 'too_much_in_flight']
/** These are answered before the caller is known, so rate limits of the caller do not apply. */
const UNAUTHENTICATED: readonly ErrorCode[] = ['unauthenticated', 'https_required', 'loop_detected']
/** These can have the header `Retry-After`. */
const RETRIED: readonly ErrorCode[] = [
  'rate_limited',
  'task_limit_reached',
  'too_many_changes',
  'too_many_new_users',
  'too_much_in_flight',
  'upstream_unreachable',
]

/** Returns every error code that an endpoint can answer. */
export function errorCodesOf({ path, query, body, errors = [] }: EndpointShape): ErrorCode[] {
  const inAreaA = !path.startsWith('/partners/')
  return [
    ...new Set<ErrorCode>([
      ...(query === undefined && body === undefined ? [] : ['invalid_parameters' as const]),
      ...(body === undefined ? [] : ['unsupported_media_type' as const]),
      ...errors,
      ...(inAreaA ? [] : ['scope_required' as const]),
      ...ANY.filter((code) => inAreaA || !ONLY_AREA_A.includes(code)),
    ]),
  ]
}

const text = { type: 'string' } as const

/** The headers of responses, by name. The operations refer to them. */
export const responseHeaders: Readonly<Record<string, HeaderShape>> = {
  'X-Request-ID': { description: 'The id of the request: yours, or else a new one. Log lines have it too.', schema: text },
  'RateLimit-Policy': {
    description: 'The rate limits of the request: at most `q` requests in `w` seconds (draft-ietf-httpapi-ratelimit-headers-10).',
    schema: text,
  },
  RateLimit: { description: 'How many requests remain (`r`) for how many seconds (`t`).', schema: text },
  'Retry-After': { description: 'After how many seconds the request can be repeated.', schema: { ...text, pattern: '^[0-9]+$' } },
}

/** Returns the responses of an operation: the response, and each error status with its codes. */
export function responsesOf(endpoint: EndpointShape): Readonly<Record<number, object>> {
  const codes = errorCodesOf(endpoint)
  const statuses = [...new Set(codes.map((code) => ERROR_STATUS[code]))]
  return {
    200: {
      description: 'The request succeeded.',
      headers: { ...common(true), ...endpoint.responseHeaders },
      content: { 'application/json': { schema: endpoint.response, ...examplesOf(endpoint.examples ?? [], ({ response }) => response) } },
    },
    ...Object.fromEntries(
      statuses.map((status) => [
        status,
        errorResponse(
          codes.filter((code) => ERROR_STATUS[code] === status),
          endpoint,
        ),
      ]),
    ),
  }
}

function errorResponse(codes: readonly ErrorCode[], { responseHeaders: own }: EndpointShape): object {
  const authenticated = codes.some((code) => !UNAUTHENTICATED.includes(code))
  // A call that was made has its headers also if its response is an error.
  const made = authenticated && codes.every((code) => ERROR_STATUS[code] >= 500)
  return {
    description: codes.map((code) => `- \`${code}\`: ${ERROR_HELP[code].meaning} ${ERROR_HELP[code].remedy}`).join('\n'),
    headers: {
      ...common(authenticated),
      ...(codes.some((code) => RETRIED.includes(code)) ? { 'Retry-After': reference('Retry-After') } : {}),
      ...(made ? own : {}),
    },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  }
}

function common(authenticated: boolean): Readonly<Record<string, object>> {
  const names = authenticated ? ['X-Request-ID', 'RateLimit-Policy', 'RateLimit'] : ['X-Request-ID']
  return Object.fromEntries(names.map((name) => [name, reference(name)]))
}

function reference(header: string): object {
  return { $ref: `#/components/headers/${header}` }
}
