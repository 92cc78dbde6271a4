import type { Audited } from './audit.ts'
import { finish } from './finish.ts'
import { findIcon } from './icon.ts'
import { testCredentials } from './identify.ts'
import { sealSecrets, withKeptSecrets } from './kept-secrets.ts'
import { openLoginLink } from './login-link.ts'
import { formOf } from './open-connect.ts'
import { connectPage, formTargets } from './pages/connect-page.ts'
import type { Reply } from './pages/page.ts'
import { PageProblem, START_AGAIN } from './pages/problem.ts'
import type { ConnectParts } from './parts.ts'
import { startProvider } from './provider.ts'
import { readFields } from './read-fields.ts'
import { findOpenSession } from './session.ts'
import { cancelUrl, findTarget, offeredSchemes } from './target.ts'

type Submission = Audited & {
  readonly token: string
  readonly publicUrl: string
  readonly browser: string | undefined
  readonly body: Readonly<Record<string, unknown>>
}

/**
 * Processes the form: redirects the user to the provider, or tests the entered credentials and stores the account. Returns the form again if
 * there are problems.
 */
export async function submitConnect(parts: ConnectParts, { token, publicUrl, browser, body, ...audited }: Submission): Promise<Reply> {
  const session = await findOpenSession(parts.db, { token: body._session }, browser)
  const link = openLoginLink(parts.sealer, token)
  if (link?.appKey !== session.appKey || link.userId !== session.userId || link.app !== session.app) {
    throw new PageProblem(403, 'This page does not belong to this link', START_AGAIN)
  }
  const target = await findTarget(parts.db, parts.catalog.current.functions, session)
  const { app, application } = target
  const scheme = (await offeredSchemes(parts.db, session.appKey, app)).find(({ type }) => type === session.scheme)
  if (scheme === undefined) throw new PageProblem(409, `${app.title} cannot be connected in this way`, START_AGAIN)

  const form = formOf(app, scheme, await findIcon(parts.config.appFolders, app.name))
  const filled = withKeptSecrets(parts.sealer, session.id, body)
  const { values, problems } = readFields(app, scheme, form.fields, filled, parts.config.outgoingReach)
  const action = `${publicUrl}/connect/${token}`
  const formAgain = (status: number, shownProblems: ReadonlyMap<string, string>) => {
    const right = form.fields.filter(({ name }) => !shownProblems.has(name))
    return connectPage({
      ...form,
      status,
      problems: shownProblems,
      entered: values,
      kept: sealSecrets(parts.sealer, session.id, right, values),
      application: application.name,
      userId: target.userId,
      session: String(body._session),
      action,
      cancel: cancelUrl(target, session.redirectUri, action),
      formTargets: formTargets(scheme, parts.config.outgoingReach),
    })
  }
  if (problems.size > 0) return formAgain(400, problems)
  if (scheme.type === 'oauth2') return await startProvider(parts, target, session, scheme, values, publicUrl)
  const tested = await testCredentials(parts, session, app, scheme, values)
  if (tested.kind !== 'known') return formAgain(tested.kind === 'refused' ? 400 : 502, new Map([['', tested.problem]]))
  return await finish(parts, audited, target, session, tested.credentials, tested)
}
