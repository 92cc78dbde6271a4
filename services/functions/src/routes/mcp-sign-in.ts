import { approveMcpSignIn, createMcpSignInLink } from '@onward/contract'
import { publicUrlOf } from '@onward/runtime'
import { applicationChangeLimits } from '../auth.ts'
import { approveSignIn } from '../sign-in/hand-off.ts'
import { resourceOf } from '../sign-in/metadata.ts'
import { makeSignInLink } from '../sign-in/sign-in-link.ts'
import { makerOf, refusePages } from './mcp-tokens.ts'
import { route } from './route.ts'

export const createMcpSignInLinkRoute = route(createMcpSignInLink, async (ctx, { caller, body, actor, workspaceId, request, response }) => {
  const maker = makerOf(actor, workspaceId, response)
  refusePages(actor, request, 'make sign-in links')
  if (actor === undefined) ctx.rateLimits.count(response, applicationChangeLimits(caller))
  const publicUrl = publicUrlOf(ctx.config.publicUrl, request)
  const { url, expiresAt } = await makeSignInLink(ctx, caller, maker, actor, { publicUrl, minutes: body.expires_in_minutes })
  return { url, expires_at: expiresAt.toISOString(), mcp_url: resourceOf(publicUrl, caller.appKey) }
})

export const approveMcpSignInRoute = route(approveMcpSignIn, async (ctx, { caller, body, actor, workspaceId, request, response }) => {
  const maker = makerOf(actor, workspaceId, response)
  refusePages(actor, request, 'approve sign-ins')
  if (actor === undefined) ctx.rateLimits.count(response, applicationChangeLimits(caller))
  const asked = { request: body.request, publicUrl: publicUrlOf(ctx.config.publicUrl, request) }
  const { url, expiresAt, client, redirectHost } = await approveSignIn(ctx, caller, maker, actor, asked)
  return { url, expires_at: expiresAt.toISOString(), client, redirect_host: redirectHost }
})
