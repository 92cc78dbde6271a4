import { html, isUuid, uuidv7 } from '@onward/runtime'
import { fill } from '@onward/texts'
import { forUsers } from '../connect/pages/page.ts'
import { PageProblem } from '../connect/pages/problem.ts'
import { hashToken, newToken } from '../connect/session.ts'
import { type Bound, browserOf, type PageVisit } from '../connect/visit.ts'
import { findApplication } from '../db/applications.ts'
import { findApproval } from '../db/approvals.ts'
import { insertAuthorization } from '../db/mcp-authorizations.ts'
import { findClient } from '../db/mcp-clients.ts'
import { approvalEnded, programOf } from './approve.ts'
import { type Client, isDocumentUrl } from './client-documents.ts'
import { continueSignIn } from './consent.ts'
import { appKeyOf, READ, WRITE } from './metadata.ts'
import type { SignInParts } from './parts.ts'
import { hostOfRedirect, isRegistered, redirectTo } from './redirects.ts'

const MAX_STATE = 4_096

/**
 * Begins the sign-in that an OAuth client asks for: checks and stores the request, and returns the first page. A wrong request gets a page and
 * never a redirect, because anybody can register a client with any redirect URI.
 */
export async function beginSignIn(parts: SignInParts, visit: PageVisit, query: URLSearchParams): Promise<Bound> {
  const one = (name: string) => (query.getAll(name).length === 1 ? query.get(name) : null)
  const client = await clientOf(parts, one('client_id') ?? '')
  const redirectUri = one('redirect_uri') ?? ''
  if (!isRegistered(client.redirectUris, redirectUri)) {
    throw new PageProblem(
      400,
      (t) => t.problems.unknownAddress,
      (t) => fill(t.problems.notRegistered, { program: client.name, advice: t.problems.sendAgain }),
    )
  }
  const state = one('state')
  const refuse = (error: string, problem: string) => refusal(visit.publicUrl, client, redirectUri, state, error, problem)

  if (state !== null && state.length > MAX_STATE) throw refuse('invalid_request', `its state has more than ${MAX_STATE} characters`)
  if (one('response_type') !== 'code') throw refuse('unsupported_response_type', 'its response_type is not "code"')
  const challenge = one('code_challenge') ?? ''
  if (one('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(challenge)) {
    throw refuse('invalid_request', 'it sent no code_challenge with the method S256')
  }
  const appKey = appKeyOf(visit.publicUrl, one('resource'))
  const application = appKey === undefined ? undefined : await findApplication(parts.db, appKey)
  if (application === undefined) {
    throw refuse('invalid_target', `its resource is not the MCP URL of an application, such as ${visit.publicUrl}/mcp/<app_key>`)
  }
  if (client.appKey !== null && client.appKey !== application.appKey) {
    throw refuse('unauthorized_client', 'its client id was made for another application')
  }

  const scopes = (one('scope') ?? '').split(' ')
  return await begin(parts, visit, {
    appKey: application.appKey,
    clientId: client.id,
    clientName: client.name,
    redirectUri,
    state,
    challenge,
    approvalId: null,
    readOnly: scopes.includes(READ) && !scopes.includes(WRITE),
    refreshes: client.refreshes || scopes.includes('offline_access'),
  })
}

type Begun = Omit<Parameters<typeof insertAuthorization>[1], 'id' | 'tokenHash' | 'browserHash'>

async function begin(parts: SignInParts, visit: PageVisit, begun: Begun): Promise<Bound> {
  const browser = browserOf(visit)
  const token = newToken()
  await insertAuthorization(parts.db, { ...begun, id: uuidv7(), tokenHash: hashToken(token), browserHash: hashToken(browser) })
  return { reply: await continueSignIn(parts, { ...visit, browser }, token), browser }
}

/**
 * Returns the first page of a visit to an approval. Its URL is no secret, and the agent that asked knows it: nothing is shown or decided before
 * the user has signed in.
 */
export async function openApproval(parts: SignInParts, visit: PageVisit, id: string): Promise<Bound> {
  const approval = isUuid(id) ? await findApproval(parts.db, {}, id) : undefined
  const application = approval && (await findApplication(parts.db, approval.appKey))
  if (approval === undefined || application === undefined) throw approvalEnded()
  return await begin(parts, visit, {
    appKey: approval.appKey,
    approvalId: approval.id,
    clientName: programOf(approval) ?? forUsers(application).name,
    // An approval has no client that the browser goes back to.
    clientId: '',
    redirectUri: '',
    state: null,
    challenge: '',
    readOnly: false,
    refreshes: false,
  })
}

async function clientOf({ db, documents }: SignInParts, id: string): Promise<Client> {
  if (!isDocumentUrl(id)) {
    const client = await findClient(db, id)
    if (client !== undefined) return client
    throw new PageProblem(
      400,
      (t) => t.problems.unknownProgram,
      (t) => fill(t.problems.oldRegistration, { advice: t.problems.sendAgain }),
    )
  }
  const read = await documents.read(id)
  if (!('problem' in read)) return read
  throw new PageProblem(
    400,
    (t) => t.problems.unidentified,
    (t) => fill(t.problems.unidentifiedAdvice, { reason: read.problem, advice: t.problems.sendAgain }),
  )
}

function refusal(
  publicUrl: string,
  { name }: Client,
  redirectUri: string,
  state: string | null,
  error: string,
  problem: string,
): PageProblem {
  const back = redirectTo(redirectUri, { error, error_description: problem.replaceAll('"', "'"), state, iss: publicUrl })
  return new PageProblem(
    400,
    (t) => t.problems.wrongRequest,
    (t) => fill(t.problems.wrongRequestAdvice, { program: name, reason: problem }),
    (t) => html`<a class="again" href="${back.location}">${fill(t.goBackTo, { application: hostOfRedirect(redirectUri) })}</a>`,
  )
}
