import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { contentPolicy, html, isUuid, pathOf, type RateLimits } from '@onward/runtime'
import { type Express, Router } from 'express'
import { type EmbedPage, findEmbedPage } from '../db/embed-sessions.ts'
import type { Db } from '../db/tables.ts'
import { HEADERS, SOURCES, serveAssets } from './page-headers.ts'

/** The paths that `serveEmbedPages` serves. */
export const EMBED_PATHS = ['/embed/assets/*', '/embed/:session_id']

const EMBED_HEADERS = {
  ...HEADERS,
  // Outside a frame, the page opens the pages of accounts in a window, and notices when it closes.
  'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
}

/** Where the page reads its settings. */
const META = '<meta name="onward-embed" content="">'

type Parts = {
  readonly db: Db
  readonly rateLimits: RateLimits
  readonly config: { readonly publicUrl: string | undefined; readonly consoleFolder: string | undefined }
}

/**
 * Serves the embedded page under `/embed/<session id>`. The id is no secret: it names the origins that may show the page in a frame, and
 * nothing is shown without the code in the fragment. Serves nothing if the console is not built.
 */
export function serveEmbedPages(app: Express, { db, rateLimits, config: { publicUrl, consoleFolder = '' } }: Parts): void {
  const folder = join(consoleFolder, 'embed')
  const file = join(folder, 'embed.html')
  if (consoleFolder === '' || !existsSync(file)) return
  const page = readFileSync(file, 'utf8').replaceAll('="./', `="${pathOf(publicUrl)}/embed/`)
  if (!page.includes(META)) throw new Error(`${file} has no element ${META}`)

  const pages = Router()
  pages.use('/assets', serveAssets(join(folder, 'assets'), EMBED_HEADERS))
  pages.get('/:session_id', async (req, res) => {
    rateLimits.countAnonymous(req, res)
    const found = isUuid(req.params.session_id) ? await findEmbedPage(db, req.params.session_id) : undefined
    const ancestors = found === undefined || found.parentOrigins.length === 0 ? `'none'` : found.parentOrigins.join(' ')
    const policy = contentPolicy({ ...SOURCES, 'form-action': `'none'`, 'frame-ancestors': ancestors })
    res
      .status(found === undefined ? 404 : 200)
      .set({ ...EMBED_HEADERS, 'Cache-Control': 'no-store', 'Content-Security-Policy': policy })
      .type('html')
      .send(page.replace(META, () => metaOf(found)))
  })
  app.use('/embed', pages)
}

function metaOf(page: EmbedPage | undefined): string {
  const settings = { parent_origins: page?.parentOrigins ?? [], return_url: page?.returnUrl ?? null, locale: page?.locale ?? null }
  return html`<meta name="onward-embed" content="${JSON.stringify(settings)}">`.markup
}
