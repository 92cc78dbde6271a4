import { html } from '@onward/runtime'
import type { Page } from '../../connect/pages/page.ts'
import { logo, mark, owner } from '../../connect/pages/parts.ts'

type SignInForm = {
  /** The URL that the form is sent to. */
  readonly action: string
  readonly sessionToken: string
  readonly client: string
  /** What the user is to decide on next. */
  readonly asks: 'access' | 'approval'
  readonly application: string
  readonly problem?: string | undefined
}

/** Returns the page that asks a user who is not signed in for a link. */
export function signInPage({ action, sessionToken, client, asks, application, problem }: SignInForm): Page {
  const title = `Sign in to ${application}`
  const described =
    problem === undefined ? html` aria-describedby="hint-link"` : html` aria-describedby="hint-link wrong-link" aria-invalid="true"`
  const content = html`${logo({ title: application, icon: undefined })}
<h1>${title}</h1>
<p>${asks === 'access' ? html`<strong>${client}</strong> asks to use ${application} on your behalf.` : html`A call of <strong>${client}</strong> waits for your approval.`} First show who you are: open the sign-in link that you got from ${application} in this browser, or paste it here.</p>
<form method="post" action="${action}" autocomplete="off" novalidate>
<input type="hidden" name="_session" value="${sessionToken}">
<div>
<label for="field-link">Sign-in link</label>
<p class="hint" id="hint-link">Leave this empty if you have opened the link.</p>
<input type="url" id="field-link" name="link" autocomplete="off" autocapitalize="off" spellcheck="false" autofocus${described}>
${problem !== undefined && html`<p class="wrong" id="wrong-link">${problem}</p>`}
</div>
<button type="submit">Continue</button>
</form>
<p class="small">A link works in one browser. It works like a password: do not send it to anyone.</p>`
  return { status: problem === undefined ? 200 : 400, title: problem === undefined ? title : `Error: ${title}`, content }
}

type LinkForm = { readonly action: string; readonly application: string; readonly userId: string }

/** Returns the page that a sign-in link opens. */
export function linkPage({ action, application, userId }: LinkForm): Page {
  const title = `Sign in to ${application}`
  const content = html`${logo({ title: application, icon: undefined })}
<h1>${title}</h1>
<p>This browser will be signed in as ${owner(userId, application)} for half an hour, so that you can let a program use ${application}. If this is not you, close this page.</p>
<form method="post" action="${action}">
<button type="submit">Sign in</button>
</form>`
  return { status: 200, title, content }
}

type SignedIn = { readonly application: string; readonly userId: string; readonly mcpUrl: string }

export function signedInPage({ application, userId, mcpUrl }: SignedIn): Page {
  const title = 'You are signed in'
  const content = html`${mark('good')}
<h1>${title}</h1>
<p>This browser is signed in as ${owner(userId, application)} for half an hour.</p>
<p>Now go back to the program, or add this URL to it as an MCP server:</p>
<p><code>${mcpUrl}</code></p>`
  return { status: 200, title, content }
}
