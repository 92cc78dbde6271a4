import { html } from '@onward/runtime'
import { fill, type PageTexts, type Say } from '@onward/texts'
import { formPage, type Page } from '../../connect/pages/page.ts'
import { fillHtml, mark, userName } from '../../connect/pages/parts.ts'

type SignInForm = {
  /** The URL that the form is sent to. */
  readonly action: string
  readonly sessionToken: string
  /** What the user is to decide on next: the access of a program, or an approval, which members decide at the `console`. */
  readonly asks: { readonly access: string } | { readonly approval: { readonly console: string } }
  readonly application: string
  /** A site of the application, if one is known. */
  readonly home: string | undefined
  readonly problem?: Say | undefined
}

/** Returns the page that asks a user who is not signed in for a link. */
export function signInPage({ action, sessionToken, asks, application, home, problem }: SignInForm): Page {
  const title: Say = (t) => fill(t.signIn.title, { application })
  const described =
    problem === undefined ? html` aria-describedby="hint-link"` : html` aria-describedby="hint-link wrong-link" aria-invalid="true"`
  const about = (t: PageTexts['signIn']) =>
    'access' in asks
      ? fillHtml(t.asksAccess, { program: html`<strong>${asks.access}</strong>`, application })
      : html`${fill(t.asksApproval, { application })}`
  const content = (texts: PageTexts) => {
    const { signIn: t } = texts
    return html`<h1>${title(texts)}</h1>
<p>${about(t)}</p>
<ol class="steps">
<li>${fill(t.getLink, { application })}${home !== undefined && html` <a href="${home}">${fill(texts.goBackTo, { application })}</a>`}</li>
<li>${t.openLink}</li>
<li>${'access' in asks ? t.thenAccess : t.thenApproval}</li>
</ol>
<form method="post" action="${action}" autocomplete="off" novalidate>
<input type="hidden" name="_session" value="${sessionToken}">
<div>
<label for="field-link">${t.link}</label>
<p class="hint" id="hint-link">${t.linkHelp}</p>
<input type="url" id="field-link" name="link" autocomplete="off" autocapitalize="off" spellcheck="false" autofocus${described}>
${problem !== undefined && html`<p class="wrong" id="wrong-link">${problem(texts)}</p>`}
</div>
<button type="submit">${texts.continue}</button>
</form>
<p class="small">${t.linkSecret}</p>
${'approval' in asks && html`<p>${fill(t.asMember, { application })} <a href="${asks.approval.console}">${t.atConsole}</a></p>`}`
  }
  return formPage({ title, content }, problem !== undefined)
}

type LinkForm = { readonly action: string; readonly application: string; readonly userId: string }

/** Returns the page that a sign-in link opens. */
export function linkPage({ action, application, userId }: LinkForm): Page {
  const title: Say = (t) => fill(t.signIn.title, { application })
  const content = (t: PageTexts) => html`<h1>${title(t)}</h1>
<p>${fillHtml(t.signIn.confirm, { user: userName({ userId }), application })}</p>
<form method="post" action="${action}">
<button type="submit">${t.signIn.button}</button>
</form>`
  return { status: 200, title, content }
}

type SignedIn = { readonly application: string; readonly userId: string; readonly mcpUrl: string }

export function signedInPage({ application, userId, mcpUrl }: SignedIn): Page {
  const content = ({ signIn: t }: PageTexts) => html`${mark('good')}
<h1>${t.done}</h1>
<p>${fillHtml(t.doneAbout, { user: userName({ userId }), application })}</p>
<p>${t.addUrl}</p>
<p><code>${mcpUrl}</code></p>`
  return { status: 200, title: (t) => t.signIn.done, content }
}
