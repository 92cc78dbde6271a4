import type { Context } from '../context.ts'
import { openSessionOf } from './find-session.ts'
import { findTarget } from './find-target.ts'
import { finish } from './finish.ts'
import { openLoginLink } from './login-link.ts'
import { offeredSchemes } from './offered-schemes.ts'
import { formOf } from './open-connect.ts'
import { connectPage } from './pages/connect-page.ts'
import { formTargets } from './pages/form-targets.ts'
import type { Reply } from './pages/page.ts'
import { PageProblem } from './pages/page-problem.ts'
import { readFields } from './read-fields.ts'
import { startProvider } from './start-provider.ts'
import { testCredentials } from './test-credentials.ts'

export type Submission = {
  readonly token: string
  readonly publicUrl: string
  readonly browser: string | undefined
  readonly body: Readonly<Record<string, unknown>>
}

/** Takes the form: sends the user on to the provider, or tests and stores what was typed. The form comes back with what is wrong. */
export async function submitConnect(ctx: Context, { token, publicUrl, browser, body }: Submission): Promise<Reply> {
  const session = await openSessionOf(ctx, { token: body._session }, browser)
  const link = openLoginLink(ctx.sealer, token)
  if (link?.appKey !== session.appKey || link.userId !== session.userId || link.app !== session.app) {
    throw new PageProblem(403, 'This page does not belong to this link', 'Go back to where you came from and start again.')
  }
  const target = await findTarget(ctx, session)
  const { app, application } = target
  const scheme = (await offeredSchemes(ctx, session.appKey, app)).find(({ type }) => type === session.scheme)
  if (scheme === undefined)
    throw new PageProblem(409, `${app.title} can not be connected in this way`, 'Go back to where you came from and start again.')

  const form = formOf(app, scheme)
  const { values, problems } = readFields(app, scheme, form.fields, body, ctx.config.outgoingReach)
  const again = (status: number, problems: ReadonlyMap<string, string>) =>
    connectPage({
      ...form,
      ...{ status, problems, typed: values, application: application.name, session: String(body._session) },
      action: `${publicUrl}/connect/${token}`,
      formTargets: formTargets(scheme, ctx.config.outgoingReach),
    })
  if (problems.size > 0) return again(400, problems)
  if (scheme.type === 'oauth2') return await startProvider(ctx, target, session, scheme, values, publicUrl)
  const tested = await testCredentials(ctx, app, scheme, values)
  if (tested.kind !== 'known') return again(tested.kind === 'refused' ? 400 : 502, new Map([['', tested.problem]]))
  return await finish(ctx, target, session, tested.credentials, tested)
}
