import { failureOf } from '@onward/runtime'
import { allowInsecureRequests, customFetch } from 'oauth4webapi'
import type { Context } from '../../context.ts'
import { OAuthError } from './oauth-error.ts'
import { readOAuthAnswer } from './read-answer.ts'

type Init = { readonly headers: Record<string, string>; readonly body?: unknown }

/** The library's options that send its requests through our guarded client. `onAnswer` hears the whole answer as the server gave it. */
export function postOptions(ctx: Context, onAnswer: (answer: Readonly<Record<string, unknown>>) => void) {
  return {
    [allowInsecureRequests]: ctx.outgoingReach === 'local',
    async [customFetch](url: string, { headers, body }: Init): Promise<Response> {
      const answer = await post(ctx, url, headers, String(body))
      onAnswer(answer.whole)
      return new Response(JSON.stringify(answer.standard), { status: answer.status, headers: { 'content-type': 'application/json' } })
    },
  }
}

async function post(ctx: Context, url: string, headers: Record<string, string>, data: string) {
  try {
    const response = await ctx.tokens.http.request<Buffer>({ method: 'POST', url, headers, data })
    return readOAuthAnswer(response.status, response.data.toString('utf8'))
  } catch (err) {
    const failure = failureOf(err)
    if (failure === undefined) throw err
    throw new OAuthError('unreachable', PROBLEMS[failure.kind])
  }
}

const PROBLEMS = {
  blocked: 'its OAuth server is not at a public address',
  unreachable: 'its OAuth server can not be reached',
  timed_out: 'its OAuth server did not answer in time',
  broken: 'the answer of its OAuth server broke off',
  too_large: 'the answer of its OAuth server is too large',
} as const
