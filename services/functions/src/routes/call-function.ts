import { type Actor, requireOwner } from '@onward/access'
import type { App } from '@onward/catalog'
import { type CallBody, type ClientProfile, callFunction, type ErrorBody } from '@onward/contract'
import { writeJson } from '@onward/json'
import { docsUrl, isForm, noteError, publicUrlOf, refuseProblems, requestIdOf, STREAMED } from '@onward/runtime'
import type { Response } from 'express'
import { profileOf } from '../auth.ts'
import { refuseBlocked } from '../blocking/blocked-users.ts'
import { call, type Lifecycle, openLifecycle } from '../call/call.ts'
import { callOnce } from '../call/call-once.ts'
import type { Called } from '../call/called.ts'
import { preview } from '../call/preview.ts'
import type { Variables } from '../catalog/variables.ts'
import { loginUrls } from '../connect/login-link.ts'
import type { Context } from '../context.ts'
import { approvalUrl } from '../policy/approvals.ts'
import { publishedCursor, takeAccountId } from '../published/call.ts'
import { mayConnect, type RouteInput, route } from './route.ts'

export const callFunctionRoute = route(
  callFunction,
  async (ctx, { caller, actor, workspaceId, params, query, body, request, response }) => {
    refuseDestructive(ctx, actor, workspaceId, params.function_name)
    const { _variables, _cursor, _fields, ...args } = body
    const profile = profileOf(response)
    const accountIdInBody = profile === 'published' ? accountIdIn(ctx, params.function_name, args) : undefined
    const callId = ctx.calls.newId()
    const input = {
      callId,
      name: params.function_name,
      args,
      form: isForm(request),
      variables: (_variables ?? null) as Variables | null,
      cursor: _cursor ?? query._cursor,
      fields: _fields ?? null,
      accountId: query.connected_account_id ?? accountIdInBody,
      ...sentBy(ctx, { caller, actor, request, response }),
    }
    async function run(lifecycle: Lifecycle): Promise<Called> {
      try {
        const called = await call(ctx, caller, input, lifecycle)
        if (called.meta?.retry_after !== undefined) response.setHeader('Retry-After', called.meta.retry_after)
        return called
      } finally {
        if (lifecycle.begun) response.setHeader('X-Call-ID', callId)
      }
    }
    const key = request.get('Idempotency-Key')
    if (query.dry_run === true) {
      if (key !== undefined) refuseProblems(['Idempotency-Key: leave it out, because a dry run executes nothing'])
      refuseBlocked(ctx.blocking, ctx.metrics.refused, caller)
      const { hasFiles: _, accountId, headers, policy, ...shown } = await preview(ctx, caller, input)
      const sent = Object.fromEntries(headers.map(({ name, value }) => [name, value]))
      return { dry_run: true as const, request: { ...shown, headers: sent }, account_id: accountId, policy }
    }
    if (key === undefined) return bodyOf(profile, await run(openLifecycle()))

    const scope = { ...caller, functionName: params.function_name, key }
    const keyed = { scope, request: { query, body }, callId }
    const answered = await callOnce(ctx, keyed, run, (called) => writeJson(bodyOf(profile, called)))
    response.setHeader('X-Call-ID', answered.callId)
    if (answered.replayed) response.setHeader('Idempotency-Replayed', 'true')
    const { status, json } = answered
    response
      .status(status)
      .type('json')
      .send(status < 400 ? json : JSON.stringify(errorFor(ctx, response, JSON.parse(json))))
    return STREAMED
  },
)

type Sender = Pick<RouteInput<typeof callFunction>, 'caller' | 'actor' | 'request' | 'response'>

/** Returns the part of a call that depends on its sender: the application's server, or a member of the workspace at the console. */
export function sentBy(ctx: Context, { caller, actor, request, response }: Sender) {
  return {
    via: actor === undefined ? null : 'console',
    rules: [],
    tokenId: null,
    requestId: requestIdOf(response),
    loginUrl: (app: App) => loginUrls(ctx, caller, request, mayConnect(actor))(app),
    approvalUrl: (id: string) => approvalUrl(publicUrlOf(ctx.config.publicUrl, request), id),
  }
}

/** Only owners may call a function that destroys something for somebody else. */
export function refuseDestructive(ctx: Context, actor: Actor | undefined, workspaceId: string | null, name: string): void {
  if (ctx.catalog.current.functions.get(name)?.fn.destructive === true) requireOwner(actor, workspaceId, 'calling a destructive function')
}

/** Returns the body of a stored error with the id of the request that gets it. */
function errorFor(ctx: Context, response: Response, error: ErrorBody): ErrorBody {
  noteError(response, error.code)
  return { ...error, request_id: requestIdOf(response), ...docsUrl(ctx.config.publicUrl, `errors#${error.code}`) }
}

function accountIdIn(ctx: Context, functionName: string, args: Record<string, unknown>): string | undefined {
  return takeAccountId(args, ctx.catalog.current.functions.get(functionName)?.fn.parameters.properties)
}

/** Returns the body of the response to a call. */
export function bodyOf(profile: ClientProfile, { networkCode, output, cursor, meta }: Called): CallBody {
  const shown = profile === 'published' ? publishedCursor(cursor) : cursor
  return { network_code: networkCode, output, ...(shown === undefined ? {} : { _cursor: shown }), ...(meta === undefined ? {} : { meta }) }
}
