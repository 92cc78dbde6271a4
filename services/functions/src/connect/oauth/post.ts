import { failureOf, type OutgoingClient, type Reach } from '@onward/runtime'
import { allowInsecureRequests, customFetch } from 'oauth4webapi'
import { OAuthError } from './oauth-error.ts'
import { readOAuthAnswer } from './read-answer.ts'

/** Sends token requests. `reach` says whether plain HTTP and local addresses are allowed. */
export type TokenSender = { readonly client: Pick<OutgoingClient, 'http'>; readonly reach: Reach }

type Init = { readonly headers: Record<string, string>; readonly body?: unknown }

/** Options that make the OAuth library send through our guarded client. `onAnswer` receives the complete answer of the server. */
export function postOptions(sender: TokenSender, onAnswer: (answer: Readonly<Record<string, unknown>>) => void) {
  return {
    [allowInsecureRequests]: sender.reach === 'local',
    async [customFetch](url: string, { headers, body }: Init): Promise<Response> {
      const answer = await post(sender.client, url, headers, String(body))
      onAnswer(answer.whole)
      return new Response(JSON.stringify(answer.standard), { status: answer.status, headers: { 'content-type': 'application/json' } })
    },
  }
}

async function post({ http }: TokenSender['client'], url: string, headers: Record<string, string>, data: string) {
  try {
    const response = await http.request<Buffer>({ method: 'POST', url, headers, data })
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
