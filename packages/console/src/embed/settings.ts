/** What the server wrote into the page. */
export type EmbedSettings = {
  readonly sessionId: string
  /** The origins that may show the page in a frame. */
  readonly parentOrigins: readonly string[]
  readonly returnUrl: string | undefined
  readonly locale: string | undefined
}

export function readSettings(): EmbedSettings {
  const text = document.querySelector<HTMLMetaElement>('meta[name="onward-embed"]')?.content ?? ''
  const { parent_origins: origins, return_url: returnUrl, locale } = Object(text === '' ? undefined : JSON.parse(text))
  return {
    sessionId: location.pathname.split('/').at(-1) ?? '',
    parentOrigins: Array.isArray(origins) ? origins : [],
    returnUrl: typeof returnUrl === 'string' ? returnUrl : undefined,
    locale: typeof locale === 'string' ? locale : undefined,
  }
}

/** Returns the code of the link, and removes it from the address, where the history and a copied link would have it. */
export function takeCode(): string | undefined {
  const code = /^#code=([\w-]{43})$/.exec(location.hash)?.[1]
  if (location.hash !== '') history.replaceState(history.state, '', location.pathname + location.search)
  return code
}

/** How the page looks, from the query of its address. Anything else in the query is ignored. */
export type Appearance = {
  readonly theme: 'light' | 'dark' | undefined
  /** Six hexadecimal digits. */
  readonly primary: string | undefined
  readonly gutters: boolean
}

export function readAppearance(search: string): Appearance {
  const query = new URLSearchParams(search)
  const theme = query.get('theme')
  const primary = query.get('primary') ?? ''
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : undefined,
    primary: /^[0-9a-f]{6}$/i.test(primary) ? primary.toLowerCase() : undefined,
    gutters: query.get('gutters') !== '0',
  }
}
