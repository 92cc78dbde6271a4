import { connectFields, type Scheme } from '@onward/catalog'
import { fill, type Language, languageOf } from '@onward/texts'
import { type AppText, loadAppTexts } from '@onward/texts/apps'
import { insertSession } from '../db/connect-sessions.ts'
import { shownApp } from './icon.ts'
import { openEntered, openLoginLink } from './login-link.ts'
import { type ConnectForm, connectPage, formTargets } from './pages/connect-page.ts'
import { inLook, type Reply } from './pages/page.ts'
import { PageProblem, START_AGAIN } from './pages/problem.ts'
import { cancelledPage } from './pages/result-pages.ts'
import type { ShownScopes } from './pages/scope-list.ts'
import type { ConnectParts } from './parts.ts'
import { hashToken, newToken } from './session.ts'
import { cancelUrl, findOffer, findTarget, isOwnPage, type Offer, type Target } from './target.ts'
import { type Bound, browserOf, type PageVisit } from './visit.ts'

/** The query of a login link. `entered` is what the user entered before, sealed; `locale` the language that the application wants. */
type LinkQuery = { readonly [Name in 'scheme' | 'redirect_uri' | 'entered' | 'locale']?: unknown }

/** Returns the page of a login link, and the cookie that binds the new session to this browser. */
export async function openConnect(parts: ConnectParts, visit: PageVisit, query: LinkQuery): Promise<Bound> {
  const link = openLoginLink(parts.sealer, visit.token)
  if (link === undefined) {
    throw new PageProblem(
      404,
      (t) => t.problems.linkIncomplete,
      (t) => t.problems.linkIncompleteAdvice,
    )
  }
  if (link.expiresAt <= new Date()) throw new PageProblem(410, (t) => t.problems.linkExpired, START_AGAIN)
  const target = await findTarget(parts.db, parts.catalog.current.functions, link)
  const redirectUri = readRedirect(query.redirect_uri, target.application.allowedRedirects)
  const language = languageOf(query.locale) ?? null
  const offer = await findOffer(parts.db, target)
  const scheme = offer.schemes.find(({ type }) => type === query.scheme) ?? offer.schemes[0]
  if (scheme === undefined) throw notYet(target)

  const browser = browserOf(visit)
  const sessionToken = newToken()
  const hashes = { tokenHash: hashToken(sessionToken), browserHash: hashToken(browser) }
  await insertSession(parts.db, { ...link, ...hashes, scheme: scheme.type, linkExpiresAt: link.expiresAt, redirectUri, language })
  const form = await formOf(parts, visit, { target, offer, scheme, redirectUri, language })
  const page = connectPage({ ...form, sessionToken, entered: openEntered(parts.sealer, link, query.entered) })
  return { reply: inLook(page, target.application, language), browser }
}

type Shown = {
  readonly target: Target
  readonly offer: Offer
  readonly scheme: Scheme
  readonly redirectUri: string | null
  readonly language: Language | null
}

/** Returns what the page of a scheme shows in each session. */
export async function formOf(parts: ConnectParts, visit: PageVisit, shown: Shown): Promise<Omit<ConnectForm, 'sessionToken'>> {
  const { target, offer, scheme, redirectUri, language } = shown
  const { app, application, userId, userName } = target
  const action = `${visit.publicUrl}/connect/${visit.token}`
  const translate = await loadAppTexts(language ?? visit.language)
  const query = { ...(redirectUri !== null && { redirect_uri: redirectUri }), ...(language !== null && { locale: language }) }
  const wayUrl = (type: string) => `${action}?${new URLSearchParams({ scheme: type, ...query })}`
  return {
    app: { ...(await shownApp(parts, app.name)), help_url: app.help_url },
    application: application.name,
    userId,
    userName,
    action,
    cancel: cancelUrl(target, redirectUri, action, language),
    fields: connectFields(app, scheme).map(({ title, description, help, ...field }) => ({
      ...field,
      title: translate(title),
      hint: translate(help ?? description),
    })),
    atProvider: scheme.type === 'oauth2',
    scopes: shownScopes(scheme, offer.scopes, translate),
    ways: offer.schemes.filter((other) => other !== scheme).map(({ type }) => ({ type, url: wayUrl(type) })),
    formTargets: formTargets(scheme, parts.config.outgoingReach),
  }
}

function shownScopes(scheme: Scheme, scopes: readonly string[], translate: (english: string) => AppText): ShownScopes {
  const descriptions = (scheme.type === 'oauth2' && scheme.scope_descriptions) || {}
  // Several scopes can allow the same.
  const lines = [...new Set(scopes.flatMap((scope) => descriptions[scope] ?? []))].map(translate)
  return { lines, others: scopes.filter((scope) => descriptions[scope] === undefined) }
}

/** Returns the page after "Cancel". It needs no session, because it changes nothing. */
export async function cancelConnect(parts: ConnectParts, { token, publicUrl }: PageVisit, { locale }: LinkQuery): Promise<Reply> {
  const link = openLoginLink(parts.sealer, token)
  if (link === undefined) throw new PageProblem(404, (t) => t.problems.linkIncomplete, START_AGAIN)
  const { app, application } = await findTarget(parts.db, parts.catalog.current.functions, link)
  const language = languageOf(locale) ?? null
  const again = `${publicUrl}/connect/${token}${language === null ? '' : `?locale=${language}`}`
  return inLook(cancelledPage(await shownApp(parts, app.name), again, application.allowedOrigins), application, language)
}

/** Returns the problem that says what the operators of the application have to do before a user can connect the app. */
function notYet({ app, application }: Target): PageProblem {
  const names = { app: app.title, application: application.name }
  const withClient = app.schemes.some(({ type }) => type === 'oauth2')
  return new PageProblem(
    409,
    (t) => fill(t.problems.notYet, names),
    (t) => fill(withClient ? t.problems.registerClient : t.problems.onlyOperators, names),
  )
}

/** Returns the requested redirect URI. Only Onward's own page of accounts and the URIs listed by the application are safe. */
function readRedirect(given: unknown, allowed: readonly string[]): string | null {
  if (given === undefined) return null
  if (typeof given === 'string' && (allowed.includes(given) || isOwnPage(given))) return given
  throw new PageProblem(
    400,
    (t) => t.problems.unknownRedirect,
    (t) => t.problems.unknownRedirectAdvice,
  )
}
