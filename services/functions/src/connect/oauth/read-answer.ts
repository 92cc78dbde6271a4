import { OAuthError } from './oauth-error.ts'

type Fields = Readonly<Record<string, unknown>>

/** A server's answer in the words of the standard, and as it came. `status` is 200 or 400. */
export type OAuthAnswer = { readonly status: number; readonly standard: Fields; readonly whole: Fields }

/**
 * Reads the answer of a token or revocation endpoint as it is in the wild: JSON or a form, errors under 200 (`{ok: false, error}`,
 * `{error}`), any token type, numbers as text. Throws an OAuthError when the server is out of order, or the answer is none.
 */
export function readOAuthAnswer(status: number, text: string): OAuthAnswer {
  const whole = parse(text)
  const error = whole === undefined ? undefined : errorOf(whole)
  if (status >= 500 || status === 429) {
    throw new OAuthError('unreachable', `its OAuth server answered ${status}`, error?.error ?? null)
  }
  if (error !== undefined) return { status: 400, standard: error, whole: whole ?? {} }
  if (status < 200 || status > 299) throw new OAuthError('invalid', `its OAuth server answered ${status}`)
  return { status: 200, standard: whole === undefined ? {} : tokensOf(whole), whole: whole ?? {} }
}

/** GitHub answers with a form unless it understands `Accept`; others name no content type. Undefined when it is no object at all. */
function parse(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
  } catch {
    return /^[\w.~-]+=[^\s<>]*$/.test(text.trim()) ? Object.fromEntries(new URLSearchParams(text.trim())) : undefined
  }
}

/** `error` is a code, or an object with a message as in many APIs. */
function errorOf(whole: Fields): { error: string; error_description?: string } | undefined {
  const { error, ok } = whole
  if (error === undefined || error === null || error === '') return ok === false ? { error: 'refused' } : undefined
  const inner = typeof error === 'object' ? (error as Fields) : {}
  const code = typeof error === 'string' ? error : textOf(inner.type ?? inner.code ?? inner.status)
  const description = textOf(whole.error_description ?? inner.message ?? whole.message)
  return { error: code ?? 'refused', ...(description === undefined ? {} : { error_description: description }) }
}

/** The fields that we use, as the standard wants them. */
function tokensOf({ access_token, refresh_token, expires_in }: Fields): Fields {
  const access = textOf(access_token)
  const refresh = textOf(refresh_token)
  const seconds = Number(textOf(expires_in) ?? Number.NaN)
  return {
    token_type: 'bearer',
    ...(access === undefined ? {} : { access_token: access }),
    ...(refresh === undefined ? {} : { refresh_token: refresh }),
    // Where a token does not expire, some say 0.
    ...(seconds > 0 && seconds < Number.POSITIVE_INFINITY ? { expires_in: seconds } : {}),
  }
}

function textOf(value: unknown): string | undefined {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined
}
